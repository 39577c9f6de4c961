/** Pixels from the end within which a reader is taken along by what is told. */
const NEAR_THE_END = 120
/** Pixels above the first passage from which on the ones before it are fetched. */
const NEAR_THE_TOP = 400
/** Pixels that only a keyboard on the screen takes away. */
const KEYBOARD = 80

const isNearTheEnd = () => innerHeight + scrollY > document.body.scrollHeight - NEAR_THE_END
const toTheEnd = () => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })

/** The story: follows what is told while its reader is near the end, and reads again what broke off. */
export const reader = () => ({
  follows: false,
  ended: true,

  init() {
    if (!location.hash && !location.search) toTheEnd()
    const story = this.$root
    story.addEventListener('htmx:sse:before:message', () => {
      this.follows = isNearTheEnd()
    })
    story.addEventListener('htmx:sse:after:message', () => {
      if (this.follows) toTheEnd()
      else this.newer().hidden = false
    })
    story.addEventListener('htmx:sse:before:connection', () => {
      this.ended = false
      // The words that were sent stand at the end: there the reader looks now.
      this.toEnd()
    })
    story.addEventListener('turn-ended', () => {
      this.ended = true
    })
    story.addEventListener('htmx:sse:close', () => this.lookAgain())
    story.addEventListener('htmx:error', () => this.lookAgain())
    addEventListener('scroll', () => isNearTheEnd() && this.seen(), { passive: true })
    keepInPlace(story)
    fetchEarlier(story)
    liftDesk()
  },

  /** The way to what was told below while the reader looked elsewhere. */
  newer() {
    return this.$root.querySelector('#newer')
  },

  seen() {
    const newer = this.newer()
    if (newer) newer.hidden = true
  },

  toEnd() {
    toTheEnd()
    this.seen()
  },

  // A stream that closed without its end says nothing of how the turn went: the library knows.
  lookAgain() {
    if (this.ended) return
    this.ended = true
    this.$root.querySelector('#look-again').dispatchEvent(new CustomEvent('look-again'))
  },
})

/** What is put in above the line that is being read does not move it. */
function keepInPlace(story) {
  let line = null
  let top = 0
  document.addEventListener('htmx:before:swap', () => {
    line = isNearTheEnd() ? null : firstInSight(story)
    top = line?.getBoundingClientRect().top ?? 0
  })
  document.addEventListener('htmx:after:swap', () => {
    if (line?.isConnected) scrollBy({ top: line.getBoundingClientRect().top - top, behavior: 'instant' })
    line = null
  })
}

function firstInSight(story) {
  return [...story.querySelectorAll('#story .prose > *')].find(
    (one) => one.getBoundingClientRect().bottom > 0,
  )
}

/** Passages of long ago come by themselves when the reader comes near them. */
function fetchEarlier(story) {
  const look = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen)
        if (isIntersecting && scrollY > 0) {
          look.unobserve(target)
          target.click()
        }
    },
    { rootMargin: `${NEAR_THE_TOP}px 0px 0px 0px` },
  )
  const watch = () => {
    const link = story.querySelector('#earlier a')
    if (link) look.observe(link)
  }
  watch()
  document.addEventListener('htmx:after:swap', watch)
}

/** Where a keyboard covers the end of the page, the desk stands on it. */
function liftDesk() {
  const view = window.visualViewport
  if (!view) return
  view.addEventListener('resize', () => {
    const covered = innerHeight - view.height
    const isKeyboard = view.scale === 1 && covered > KEYBOARD
    document.documentElement.style.setProperty('--keyboard', isKeyboard ? `${covered}px` : '0px')
  })
}
