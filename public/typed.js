// What was typed and not sent stays in its form, whatever the story brings meanwhile.

const FORMS = '.editing, #world-state:has(form), #memories'

/** Forms with new words in them, until they are sent or given up; and where the writer was. */
const open = new Set()
let writer = null

document.addEventListener('htmx:before:swap', ({ detail: { ctx } }) => {
  writer = document.activeElement
  for (const form of document.querySelectorAll(FORMS))
    if (hasNewWords(form) && !form.contains(ctx.sourceElement)) open.add(form)
    else open.delete(form)
})

document.addEventListener('htmx:after:swap', () => {
  for (const form of open) {
    const inItsPlace = document.getElementById(form.id)
    // What is told anew comes back. What was undone does not, and its id is given to another passage.
    if (!inItsPlace && !document.querySelector('#telling')) open.delete(form)
    if (!inItsPlace || inItsPlace === form) continue
    inItsPlace.replaceWith(form)
    window.htmx.process(form)
    if (form.contains(writer)) writer.focus({ preventScroll: true })
  }
})

addEventListener('beforeunload', (event) => {
  if ([...document.querySelectorAll('.editing')].some(hasNewWords)) event.preventDefault()
})

function hasNewWords(form) {
  return [...form.querySelectorAll('textarea, select, input:not([type="hidden"])')].some(
    (field) =>
      isOther(field) || [...(field.options ?? [])].some((one) => one.selected !== one.defaultSelected),
  )
}

function isOther({ type, value, defaultValue, checked, defaultChecked }) {
  return type === 'checkbox'
    ? checked !== defaultChecked
    : defaultValue !== undefined && value !== defaultValue
}
