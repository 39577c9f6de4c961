// A file dropped or pasted anywhere goes to the page's import form. Without one, dropping it does not leave the page.

/** Something of the page itself is being dragged: a picture, a link, text. */
let isOwn = false

addEventListener('dragstart', () => {
  isOwn = true
})
addEventListener('dragend', () => {
  isOwn = false
})
addEventListener('dragover', (event) => {
  if (!isImport(event)) return
  event.preventDefault()
  event.dataTransfer.dropEffect = form() ? 'copy' : 'none'
  showHint(true)
})
addEventListener('dragleave', ({ relatedTarget }) => relatedTarget ?? showHint(false))
addEventListener('drop', async (event) => {
  showHint(false)
  if (!isImport(event)) return
  event.preventDefault()
  // The items are gone after the first await.
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry())
  const dropped = [...event.dataTransfer.files]
  const found = await Promise.all(
    entries.map((entry, i) => (entry?.isDirectory ? filesIn(entry) : dropped[i])),
  )
  send(found.flat().filter(Boolean))
})
addEventListener('paste', (event) => {
  const { files } = event.clipboardData
  // Text copied from other programs often comes with a picture of itself.
  if (files.length === 0 || event.target.closest('input, textarea')) return
  if (send(files)) event.preventDefault()
})

function form() {
  return document.querySelector('#bring')
}

/** Whether files are dragged in from outside, and not onto a field that takes them for something else. */
function isImport({ target, dataTransfer }) {
  const field = target.closest?.('[type="file"]')
  return !isOwn && dataTransfer.types.includes('Files') && (!field || form()?.contains(field))
}

function showHint(isDragged) {
  const hint = document.querySelector('#drop-hint')
  if (hint) hint.hidden = !isDragged
}

/** The files of a folder and of those in it. */
async function filesIn(folder) {
  const reader = folder.createReader()
  const files = []
  // A browser lists a folder in parts.
  for (;;) {
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))
    if (entries.length === 0) return files
    for (const entry of entries)
      if (entry.isDirectory) files.push(...(await filesIn(entry)))
      else files.push(await new Promise((resolve, reject) => entry.file(resolve, reject)))
  }
}

// Before anything is sent, files that were chosen are counted, by the limits that the server names.
addEventListener('change', ({ target }) => {
  if (target.type === 'file' && target.form === form()) isAccepted()
})

/** Whether the files of the form are within the limits. Otherwise the browser says so, and does not send the form. */
function isAccepted() {
  const { maxFiles, maxBytes, tooMany, tooLarge } = form().dataset
  const files = [...form().querySelectorAll('[type="file"]')].flatMap((field) => [...field.files])
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const refusal = files.length > maxFiles ? tooMany : bytes > maxBytes ? tooLarge : ''
  // The field for a folder may be hidden.
  const field = form().querySelector('[name="file"]')
  field.setCustomValidity(refusal)
  return field.reportValidity()
}

function send(files) {
  if (!form() || files.length === 0) return false
  const all = new DataTransfer()
  for (const file of files) all.items.add(file)
  form().querySelector('[name="file"]').files = all.files
  if (isAccepted()) form().requestSubmit()
  return true
}
