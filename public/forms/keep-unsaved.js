// Keeps forms with unsaved text while the page around them is replaced, and asks before the page goes. Forms that save
// themselves are the business of autosave.js.

import { openFolds } from '../page/focus.js'

const FORMS = '.editing, #world-state:has(form), #memories, #add-memory, #json-form, #settings'

/** Forms with unsaved text, until they are sent or cancelled, and the element that had the focus. */
const unsaved = new Set()
let focused = null
/** The form whose text was sent; the text is kept until its turn has ended. */
let sent = null
/** The form whose response replaces the page. */
let leaving = null

// A form of another part of the page may be sent meanwhile.
document.addEventListener('submit', ({ target, submitter, defaultPrevented }) => {
  if (target.id === 'composer') sent = submitter?.closest('.editing') ?? null
  leaving = defaultPrevented ? null : target
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
    openFolds(form)
    window.htmx.process(form)
    if (form.contains(focused)) focused.focus({ preventScroll: true })
  }
})

addEventListener('beforeunload', (event) => {
  const isUnsaved = (form) => form !== leaving && hasUnsavedText(form)
  if ([...document.querySelectorAll(FORMS)].some(isUnsaved)) event.preventDefault()
})

// What was refused is shown as it was typed.
function hasUnsavedText(form) {
  if (form.matches('[data-refused]')) return true
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
