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
addEventListener('drop', (event) => {
  showHint(false)
  if (!isImport(event)) return
  event.preventDefault()
  // A folder cannot be uploaded.
  if (event.dataTransfer.items[0]?.webkitGetAsEntry()?.isDirectory) return
  send(event.dataTransfer.files)
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

function send(files) {
  if (!form() || files.length === 0) return false
  const one = new DataTransfer()
  one.items.add(files[0])
  form().querySelector('[name="file"]').files = one.files
  form().requestSubmit()
  return true
}
