// Keyboard shortcuts. Each key presses a control of the page; which one is written in the list of shortcuts in the page
// (`src/views/keys`), so the list and the behavior cannot differ.

import { isComposing } from '../story/composer.js'
import { enter, isUsable, shownBy } from './focus.js'

/** Milliseconds within which two keys are one shortcut. */
const PAUSE = 1_500
const PASSAGE = '#story > article'
const FIELDS = 'input:not([type="radio"]), textarea, select, [contenteditable]'

const list = document.querySelector('#keys')
const button = document.querySelector('#show-keys')
const rows = [...list.querySelectorAll('[data-key]')]
/** A text can begin with these keys. */
const TEXT = /^[\p{L}\p{N}"'“‘„«‹「『]$/u
let first = ''
let timer = 0
/** A pointer is down, or has just been. */
let isPointing = false
/** The focus was moved by a pointer. */
let isByPointer = false

document.addEventListener('pointerdown', () => (isPointing = isByPointer = true), true)
document.addEventListener('click', () => (isPointing = false), true)
document.addEventListener('focusin', () => (isByPointer = isPointing))

button.hidden = false
button.addEventListener('click', () => {
  list.querySelector('#keys-off').hidden = areOn()
  list.showModal()
})

document.addEventListener('keydown', (event) => {
  isPointing = false
  if (beginsText(event)) return enter(textBox())
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

/** The pressed key as the list names it; '' for keys of the browser, the system or an input method. */
function keyOf(event) {
  const { key, ctrlKey, altKey, metaKey, repeat, defaultPrevented } = event
  if (repeat || isComposing(event) || defaultPrevented) return ''
  // Some keyboards write brackets with AltGr, which counts as both.
  if (event.getModifierState('AltGraph')) return key
  return altKey || metaKey ? '' : `${ctrlKey ? 'Ctrl+' : ''}${key}`
}

function isFor({ target }, pressed) {
  // Dialogs handle their own keys.
  if (document.querySelector('dialog:modal')) return false
  if (pressed === 'Escape') return !document.querySelector(':popover-open') && !target.matches('select')
  if (pressed.length > 1) return true
  if (!areOn() || target.closest(FIELDS)) return false
  return pressed === '?' || !textBox() || (!isByPointer && target.closest(PASSAGE) !== null)
}

/** Whether a key is the first of a text, which goes to the text box: nothing has the focus, and nothing is selected. */
function beginsText(event) {
  const { target, key, keyCode, altKey, ctrlKey, metaKey } = event
  const isPlain = !event.repeat && !metaKey && (event.getModifierState('AltGraph') || !(altKey || ctrlKey))
  const isFree = target === document.body || (isByPointer && target.matches(PASSAGE))
  return (
    isPlain &&
    isFree &&
    areOn() &&
    (keyCode === 229 || TEXT.test(key)) &&
    getSelection().isCollapsed &&
    !document.querySelector('dialog:modal') &&
    textBox()?.checkVisibility() &&
    !textBox().closest('[inert]')
  )
}

function textBox() {
  return document.querySelector('#words')
}

function areOn() {
  return getComputedStyle(document.documentElement).getPropertyValue('--shortcuts').trim() !== 'off'
}

function forget() {
  clearTimeout(timer)
  first = ''
}

function act({ dataset: { on, step, asks } }) {
  if (step) return stepTo(Number(step))
  const control = JSON.parse(on)
    .flatMap((selector) => [...document.querySelectorAll(selector)])
    .find((one) => isUsable(shownBy(one)))
  if (!control) return false
  const isChoice = control.matches('[type="radio"]')
  // A control that would remove something gets the focus instead.
  const isPressed = !asks && control.matches('a, button, summary') && !hasUnsavedText(control)
  if (asks) control.closest('[popover]')?.showPopover()
  if (isPressed || isChoice) control.click()
  // A choice with the focus is read out.
  if (!isPressed) enter(control)
  return true
}

/** Moves the focus to the next or previous passage; from elsewhere, to a visible one. */
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

function hasUnsavedText(control) {
  if (!control.matches('a')) return false
  const fields = control.closest('form, #panel')?.querySelectorAll('textarea, input') ?? []
  // What is saved by itself is not lost.
  return [...fields].some(
    (field) =>
      field.value !== field.defaultValue &&
      !field.closest('[data-autosave], form[hx-trigger], form[x-on\\:input]'),
  )
}
