// The text box of a story: sends with Enter, saves drafts, and is emptied only once its text is stored.

import { DEBOUNCE } from '../forms/debounce.js'

const SUGGESTING = 'The model is making suggestions.'

export const composer = () => ({
  sent: '',
  sentNote: '',
  timer: 0,
  /** The server has the text in the box, or it is on its way. */
  isSaved: true,

  init() {
    this.restore()
    addEventListener('beforeunload', () => this.leaving())
    addEventListener('pagehide', () => this.saveNow())
    // A phone may discard a hidden page without any further event.
    document.addEventListener('visibilitychange', () => document.hidden && this.saveNow())
    for (const failure of ['htmx:error', 'htmx:response:error'])
      this.$root.addEventListener(failure, ({ target }) => this.failed(target))
    for (const type of ['htmx:before:request', 'htmx:finally:request'])
      this.$root.addEventListener(type, ({ target }) => target.matches('.suggest') && this.suggesting(type))
    this.$root.addEventListener('change', ({ target: { dataset } }) => {
      if (dataset.placeholder) this.field().placeholder = dataset.placeholder
    })
  },

  field() {
    return this.$root.querySelector('#words')
  },

  note() {
    return this.$root.querySelector('#steering')
  },

  typing() {
    this.isSaved = false
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.save(), DEBOUNCE)
  },

  save() {
    this.isSaved = true
    this.field().dispatchEvent(new CustomEvent('save-draft'))
  },

  // Text that no turn took is a draft again. A draft that could not be saved is tried once more when the page goes.
  failed(target) {
    if (target === this.$root) this.typing()
    else this.isSaved = false
  },

  // A page that goes away cannot wait for a response. If it stays after all, the timer saves as usual.
  saveNow() {
    if (!this.isSaved) navigator.sendBeacon(this.field().getAttribute('hx-post'), new FormData(this.$root))
  },

  // A reload may fetch the page before the server has the draft, so it takes along what is typed.
  leaving() {
    const { type, text, steering } = Object.fromEntries(new FormData(this.$root))
    if (!this.isSaved) history.replaceState({ typed: { type, text, steering } }, '')
    else if (history.state?.typed) history.replaceState(null, '')
    this.saveNow()
  },

  restore() {
    const typed = history.state?.typed
    const [navigation] = performance.getEntriesByType('navigation')
    if (!typed || navigation.type !== 'reload') return
    for (const [name, value] of Object.entries(typed)) this.$root.elements[name].value = value
    this.typing()
  },

  // The turn stores what is sent; saving it as a draft too would bring it back afterwards.
  sending({ submitter }) {
    clearTimeout(this.timer)
    this.isSaved = true
    // The other buttons leave the text in the box.
    this.sent = submitter?.name ? null : this.field().value
    // Rewriting a part does not use the note.
    this.sentNote = submitter?.name === 'rewrite' ? null : this.note().value
  },

  // Text typed since then stays.
  stored() {
    if (this.field().value === this.sent) this.field().value = ''
    // Do not take the focus from elsewhere.
    const { activeElement } = document
    if (activeElement !== document.body && !this.$root.contains(activeElement)) return
    // The keyboard of a touch screen would cover the new text.
    if (matchMedia('(hover: none) and (pointer: coarse)').matches) this.field().blur()
    else this.field().focus()
  },

  // The details open after the click. A suggestion goes into the box, behind what is typed.
  pressed(event) {
    if (event.target.closest('#steer > summary')) setTimeout(() => this.note().focus())
    const suggestion = event.target.closest('[name="suggestion"]')
    if (!suggestion) return
    event.preventDefault()
    const field = this.field()
    field.value = [field.value.trim(), suggestion.value].filter(Boolean).join('\n')
    this.$root.querySelector('[value="do"]').checked = true
    this.typing()
    field.focus()
  },

  // A turn, which goes first, may say something else there meanwhile.
  suggesting(type) {
    const phase = document.querySelector('#phase')
    if (type === 'htmx:before:request') phase.textContent = SUGGESTING
    else if (phase.textContent === SUGGESTING) phase.textContent = ''
  },

  // A note is for one passage only; one written since then is for the next.
  ended({ detail }) {
    if (detail.data !== 'told' || this.note().value !== this.sentNote) return
    this.note().value = ''
    this.note().closest('details').open = false
  },

  keydown(event) {
    const isField = event.target === this.field()
    if (!isField || event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
    event.preventDefault()
    // A line is on its way, or the narrator is still writing: the text stays in the box.
    if (this.$root.matches('.htmx-request') || document.querySelector('#telling')) return
    this.$root.requestSubmit(this.$root.querySelector('button.main'))
  },
})

/** Whether a key belongs to an input method. Safari ends the composition before it reports the key that ended it. */
export function isComposing({ isComposing, keyCode }) {
  return isComposing || keyCode === 229
}
