// The text box of a story: sends with Enter, saves drafts, and is emptied only once its text is stored.

import { DEBOUNCE } from '../forms/debounce.js'

const SUGGESTING = 'The model is making suggestions.'

const form = document.querySelector('#composer')
// They are swapped when a turn is undone.
const field = () => form.querySelector('#words')
const note = () => form.querySelector('#steering')

/** The text and the note that were sent. */
let sent = ''
let sentNote = ''
let timer = 0
/** The server has the text in the box, or it is on its way. */
let isSaved = true

if (form) {
  restore()
  addEventListener('beforeunload', leaving)
  addEventListener('pagehide', saveNow)
  // A phone may discard a hidden page without any further event.
  document.addEventListener('visibilitychange', () => document.hidden && saveNow())
  for (const failure of ['htmx:error', 'htmx:response:error']) form.addEventListener(failure, failed)
  for (const type of ['htmx:before:request', 'htmx:finally:request']) form.addEventListener(type, suggesting)
  form.addEventListener('change', ({ target: { dataset } }) => {
    if (dataset.placeholder) field().placeholder = dataset.placeholder
  })
  form.addEventListener('input', typing)
  form.addEventListener('keydown', keydown)
  form.addEventListener('click', pressed)
  form.addEventListener('submit', sending)
  form.addEventListener('turn-stored', stored)
  document.addEventListener('turn-ended', ended)
}

function typing() {
  isSaved = false
  clearTimeout(timer)
  timer = setTimeout(save, DEBOUNCE)
}

function save() {
  isSaved = true
  field().dispatchEvent(new CustomEvent('save-draft'))
}

// Text that no turn took is a draft again. A draft that could not be saved is tried once more when the page goes.
function failed({ target }) {
  if (target === form) typing()
  else isSaved = false
}

// A page that goes away cannot wait for a response. If it stays after all, the timer saves as usual.
function saveNow() {
  if (!isSaved) navigator.sendBeacon(field().getAttribute('hx-post'), new FormData(form))
}

// A reload may fetch the page before the server has the draft, so it takes along what is typed.
function leaving() {
  const { type, text, steering } = Object.fromEntries(new FormData(form))
  if (!isSaved) history.replaceState({ typed: { type, text, steering } }, '')
  else if (history.state?.typed) history.replaceState(null, '')
  saveNow()
}

function restore() {
  const typed = history.state?.typed
  const [navigation] = performance.getEntriesByType('navigation')
  if (!typed || navigation.type !== 'reload') return
  for (const [name, value] of Object.entries(typed)) form.elements[name].value = value
  typing()
}

// The turn stores what is sent; saving it as a draft too would bring it back afterwards.
function sending({ submitter }) {
  clearTimeout(timer)
  isSaved = true
  // The other buttons leave the text in the box.
  sent = submitter?.name ? null : field().value
  // Rewriting a part does not use the note.
  sentNote = submitter?.name === 'rewrite' ? null : note().value
}

// Text typed since then stays.
function stored() {
  if (field().value === sent) field().value = ''
  // Do not take the focus from elsewhere.
  const { activeElement } = document
  if (activeElement !== document.body && !form.contains(activeElement)) return
  // The keyboard of a touch screen would cover the new text.
  if (matchMedia('(hover: none) and (pointer: coarse)').matches) field().blur()
  else field().focus()
}

// The details open after the click. A suggestion goes into the box, behind what is typed.
function pressed(event) {
  if (event.target.closest('#steer > summary')) setTimeout(() => note().focus())
  const suggestion = event.target.closest('[name="suggestion"]')
  if (!suggestion) return
  event.preventDefault()
  field().value = [field().value.trim(), suggestion.value].filter(Boolean).join('\n')
  form.querySelector('[value="do"]').checked = true
  typing()
  field().focus()
}

// A turn, which goes first, may say something else there meanwhile.
function suggesting({ type, target }) {
  const phase = document.querySelector('#phase')
  if (!target.matches('.suggest')) return
  if (type === 'htmx:before:request') phase.textContent = SUGGESTING
  else if (phase.textContent === SUGGESTING) phase.textContent = ''
}

// A note is for one passage only; one written since then is for the next.
function ended({ detail }) {
  if (detail.data !== 'told' || note().value !== sentNote) return
  note().value = ''
  note().closest('details').open = false
}

function keydown(event) {
  if (event.target !== field() || event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
  event.preventDefault()
  // A line is on its way, or the narrator is still writing: the text stays in the box.
  if (form.matches('.htmx-request') || document.querySelector('#telling')) return
  form.requestSubmit(form.querySelector('button.main'))
}

/** Whether a key belongs to an input method. Safari ends the composition before it reports the key that ended it. */
export function isComposing({ isComposing, keyCode }) {
  return isComposing || keyCode === 229
}
