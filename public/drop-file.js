// A file that is dropped anywhere is looked into where the page has the form for it, and nowhere makes the browser leave.

/** What is dragged is of the page itself: a picture, a link, words. */
let isOwn = false

addEventListener('dragstart', () => {
  isOwn = true
})
addEventListener('dragend', () => {
  isOwn = false
})
addEventListener('dragover', (event) => {
  if (!isForUs(event)) return
  event.preventDefault()
  event.dataTransfer.dropEffect = form() ? 'copy' : 'none'
  showHint(true)
})
addEventListener('dragleave', ({ relatedTarget }) => relatedTarget ?? showHint(false))
addEventListener('drop', (event) => {
  showHint(false)
  if (!isForUs(event)) return
  event.preventDefault()
  // A folder is no file, and cannot be sent.
  if (event.dataTransfer.items[0]?.webkitGetAsEntry()?.isDirectory) return
  send(event.dataTransfer.files)
})
addEventListener('paste', (event) => {
  const { files } = event.clipboardData
  // Words from elsewhere often come with a picture of themselves.
  if (files.length === 0 || event.target.closest('input, textarea')) return
  if (send(files)) event.preventDefault()
})

function form() {
  return document.querySelector('#bring')
}

/** Whether files come from outside, and not to a field that takes one for something else. */
function isForUs({ target, dataTransfer }) {
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
