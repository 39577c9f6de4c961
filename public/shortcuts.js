import { enter, isUsable, shownBy } from './focus.js'

// Keys for what the page can do by hand: each presses the very control. The sheet of keys says which, so that what is
// listed is what happens (`src/views/keys`).

/** Milliseconds within which two keys belong together. */
const PAUSE = 1_500
const FIELDS = 'input, textarea, select, [contenteditable]'

const sheet = document.querySelector('#keys')
const button = document.querySelector('#show-keys')
const rows = [...sheet.querySelectorAll('[data-key]')]
let first = ''
let timer = 0

button.hidden = false
button.addEventListener('click', () => {
  sheet.querySelector('#keys-off').hidden = areOn()
  sheet.showModal()
})

document.addEventListener('keydown', (event) => {
  const pressed = keyOf(event)
  if (pressed === '' || !isFor(event, pressed)) return
  const typed = first + pressed
  forget()
  const row = rows.find(({ dataset }) => dataset.key === typed)
  if (row) {
    if (act(row)) event.preventDefault()
  } else if (rows.some(({ dataset }) => dataset.key.startsWith(`${typed} `))) {
    first = `${typed} `
    timer = setTimeout(forget, PAUSE)
  }
})

/** What is pressed, as the sheet names it; '' for what belongs to the browser, the system or an input method. */
function keyOf(event) {
  const { key, ctrlKey, altKey, metaKey, repeat, isComposing, defaultPrevented } = event
  if (repeat || isComposing || defaultPrevented) return ''
  // Some keyboards write brackets with AltGr, which counts as both.
  if (event.getModifierState('AltGraph')) return key
  return altKey || metaKey ? '' : `${ctrlKey ? 'Ctrl+' : ''}${key}`
}

function isFor({ target }, pressed) {
  // What lies over the page has its own ways.
  if (document.querySelector('dialog:modal')) return false
  if (pressed === 'Escape') return !document.querySelector(':popover-open') && !target.matches('select')
  return pressed.length > 1 || (areOn() && !target.closest(FIELDS))
}

function areOn() {
  return getComputedStyle(document.documentElement).getPropertyValue('--shortcuts').trim() !== 'off'
}

function forget() {
  clearTimeout(timer)
  first = ''
}

function act({ dataset: { on, step } }) {
  if (step) return stepTo(Number(step))
  const control = JSON.parse(on)
    .flatMap((selector) => [...document.querySelectorAll(selector)])
    .find((one) => isUsable(shownBy(one)))
  if (!control) return false
  // What would throw words away is shown, not done.
  if (control.matches('a, button, [type="radio"]') && !hasNewWords(control)) control.click()
  else enter(control)
  return true
}

/** Leads from passage to passage; from elsewhere, into those in sight. */
function stepTo(by) {
  const passages = [...document.querySelectorAll('#story > article')].filter(isUsable)
  const at = passages.findIndex((passage) => passage.contains(document.activeElement))
  const seen = passages.filter((passage) => isInSight(passage.getBoundingClientRect()))
  const to = at < 0 ? seen.at(by > 0 ? 0 : -1) : passages[at + by]
  if (!to) return false
  enter(to)
  to.scrollIntoView({ block: 'start' })
  return true
}

function isInSight({ top, bottom }) {
  return bottom > 0 && top < innerHeight
}

function hasNewWords(control) {
  if (!control.matches('a')) return false
  const fields = control.closest('form, #panel')?.querySelectorAll('textarea, input') ?? []
  // Some forms are kept as they are typed.
  return [...fields].some(
    ({ value, defaultValue, form }) =>
      value !== defaultValue && !form?.matches('[hx-trigger], [x-on\\:input]'),
  )
}
