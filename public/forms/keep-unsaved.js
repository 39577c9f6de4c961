// Keeps forms with unsaved text in the page while the story around them is replaced.

const FORMS = '.editing, #world-state:has(form), #memories'

/** Forms with unsaved text, until they are sent or cancelled, and the element that had the focus. */
const unsaved = new Set()
let focused = null
/** The form whose text was sent, and is kept until its turn is told. */
let sent = null

// A form of another part of the page may be sent meanwhile.
document.addEventListener('submit', ({ target, submitter }) => {
  if (target.id === 'composer') sent = submitter?.closest('.editing') ?? null
})

document.addEventListener('turn-ended', ({ detail }) => {
  if (detail.data === 'told') unsaved.delete(sent)
})

document.addEventListener('htmx:before:swap', ({ detail: { ctx } }) => {
  focused = document.activeElement
  for (const form of document.querySelectorAll(FORMS))
    if (hasUnsavedText(form) && !form.contains(ctx.sourceElement)) unsaved.add(form)
    else unsaved.delete(form)
})

document.addEventListener('htmx:after:swap', () => {
  for (const form of unsaved) {
    const replacement = document.getElementById(form.id)
    // A passage being retried comes back; an undone one does not, and its id goes to another passage.
    if (!replacement && !document.querySelector('#telling')) unsaved.delete(form)
    if (!replacement || replacement === form) continue
    replacement.replaceWith(form)
    window.htmx.process(form)
    if (form.contains(focused)) focused.focus({ preventScroll: true })
  }
})

addEventListener('beforeunload', (event) => {
  // Leaving would also end the turn that is streaming to this page.
  const isStreaming = document.querySelector('#story > #telling') !== null
  if (isStreaming || [...document.querySelectorAll('.editing')].some(hasUnsavedText)) event.preventDefault()
})

function hasUnsavedText(form) {
  return [...form.querySelectorAll('textarea, select, input:not([type="hidden"])')].some(
    (field) =>
      isChanged(field) || [...(field.options ?? [])].some((one) => one.selected !== one.defaultSelected),
  )
}

function isChanged({ type, value, defaultValue, checked, defaultChecked }) {
  return type === 'checkbox'
    ? checked !== defaultChecked
    : defaultValue !== undefined && value !== defaultValue
}
