/** Pixels from the end within which a reader is taken along by what is told. */
const NEAR_THE_END = 120

/** The story: follows what is told while its reader is near the end, and reads again what broke off. */
export const reader = () => ({
  follows: false,
  ended: true,

  init() {
    if (!location.hash && !location.search) scrollTo(0, document.body.scrollHeight)
    const story = this.$root
    story.addEventListener('htmx:sse:before:message', () => {
      this.follows = innerHeight + scrollY > document.body.scrollHeight - NEAR_THE_END
    })
    story.addEventListener('htmx:sse:after:message', () => {
      if (this.follows) scrollTo(0, document.body.scrollHeight)
    })
    story.addEventListener('htmx:sse:before:connection', () => {
      this.ended = false
      // The words that were sent stand at the end: there the reader looks now.
      scrollTo(0, document.body.scrollHeight)
    })
    story.addEventListener('turn-ended', () => {
      this.ended = true
    })
    story.addEventListener('htmx:sse:close', () => this.lookAgain())
    story.addEventListener('htmx:error', () => this.lookAgain())
  },

  // A stream that closed without its end says nothing of how the turn went: the library knows.
  lookAgain() {
    if (this.ended) return
    this.ended = true
    this.$root.querySelector('#look-again').dispatchEvent(new CustomEvent('look-again'))
  },
})
