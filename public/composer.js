import { REST } from './rest.js'

/** The composer: sends with Enter, keeps drafts, and empties its field only when the words are stored. */
export const composer = () => ({
  sent: '',
  timer: 0,
  /** What stands in the field is with the server, or on its way. */
  isKept: true,

  init() {
    addEventListener('pagehide', () => this.keepNow())
    for (const failure of ['htmx:error', 'htmx:response:error'])
      this.$root.addEventListener(failure, ({ target }) => this.failed(target))
  },

  field() {
    return this.$root.querySelector('#words')
  },

  typing() {
    this.isKept = false
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.keep(), REST)
  },

  keep() {
    this.isKept = true
    this.field().dispatchEvent(new CustomEvent('keep-draft'))
  },

  // Words that no turn has taken are a draft again; a draft that could not be kept is tried once more at the end.
  failed(target) {
    if (target === this.$root) this.typing()
    else this.isKept = false
  },

  // A page that goes away has no time for an answer.
  keepNow() {
    if (this.isKept) return
    clearTimeout(this.timer)
    navigator.sendBeacon(this.field().getAttribute('hx-post'), new FormData(this.$root))
  },

  // What is sent is kept by the turn; a draft of it would come back from the dead.
  sending() {
    clearTimeout(this.timer)
    this.isKept = true
    this.sent = this.field().value
  },

  // Words typed since then stay.
  stored() {
    if (this.field().value === this.sent) this.field().value = ''
    // Who has gone elsewhere meanwhile is left there.
    const { activeElement } = document
    if (activeElement === document.body || this.$root.contains(activeElement)) this.field().focus()
  },

  keydown(event) {
    const isField = event.target === this.field()
    if (!isField || event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    // The narrator is still speaking: the words wait in the field.
    if (document.querySelector('#telling')) return
    this.$root.requestSubmit(this.$root.querySelector('button.main'))
  },
})
