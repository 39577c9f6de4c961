import { movedFrom, placeIn } from './place.js'

/** Pixels from the end within which a reader is taken along by what is told. */
const NEAR_THE_END = 120
/** Pixels above the first passage from which on the ones before it are fetched. */
const NEAR_THE_TOP = 400
/** Pixels that only a keyboard on the screen takes away. */
const KEYBOARD = 80

/** Pixels of the page below what is in sight. */
const leftBelow = () => document.body.scrollHeight - innerHeight - scrollY
const isNearTheEnd = () => leftBelow() < NEAR_THE_END
const toTheEnd = () => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })

/** A stream brings something, and its reader is taken along. */
let follows = false

/** The story: follows what is told while its reader is near the end, and reads again what broke off. */
export const reader = () => ({
  ended: true,
  failed: false,

  init() {
    if (!location.hash && !location.search) toTheEnd()
    const story = this.$root
    // What came while the page was busy comes at once: the keys of a writer go between.
    story.addEventListener('htmx:sse:before:message', ({ detail }) => detail.waitUntil(nextTask()))
    story.addEventListener('htmx:sse:after:message', () => {
      if (follows) toTheEnd()
      this.newer().hidden = this.failed || isNearTheEnd() || (!this.ended && !isTelling())
      follows = false
    })
    story.addEventListener('htmx:sse:before:connection', () => {
      this.ended = false
      this.failed = false
      // The words that were sent stand at the end: there the reader looks now.
      this.toEnd()
    })
    story.addEventListener('turn-ended', ({ detail }) => {
      this.ended = true
      this.failed = detail.data === 'failed'
    })
    story.addEventListener('htmx:sse:close', () => this.lookAgain())
    story.addEventListener('htmx:error', () => this.lookAgain())
    addEventListener('scroll', () => isNearTheEnd() && this.seen(), { passive: true })
    keepInPlace()
    fetchEarlier(story)
    followDesk(story.querySelector('.desk'))
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
    fill(0)
    toTheEnd()
    this.seen()
  },

  // The button goes; who pressed it is at what it led to.
  toNewest() {
    this.toEnd()
    storyNow().querySelector(':scope > article:last-of-type').focus({ preventScroll: true })
  },

  // A stream that closed without its end says nothing of how the turn went: the library knows.
  lookAgain() {
    if (this.ended) return
    this.ended = true
    this.$root.querySelector('#look-again').dispatchEvent(new CustomEvent('look-again'))
  },
})

/** Whether there is anything to read of what is being told. */
function isTelling() {
  return document.querySelector('#told > :not(:empty)')?.checkVisibility() ?? false
}

function isStream({ response }) {
  return response?.raw?.headers.get('Content-Type')?.includes('event-stream') ?? false
}

const tasks = new MessageChannel()
tasks.port1.start()

/** Resolves in a task of its own; a timer would be slowed down in a page that is not looked at. */
function nextTask() {
  return new Promise((resolve) => {
    tasks.port1.addEventListener('message', resolve, { once: true })
    tasks.port2.postMessage(null)
  })
}

const storyNow = () => document.querySelector('#story')

/** Whatever is put in, the line that is being read stays where it is. */
function keepInPlace() {
  let story = null
  let place = null
  let isAtEnd = false
  document.addEventListener('htmx:before:swap', ({ detail: { ctx } }) => {
    follows = isStream(ctx) && isNearTheEnd()
    story = storyNow()
    // As long as the reader stays, the line is the same, however its text was broken meanwhile.
    if (follows) place = null
    else if (!place || movedFrom(place, story) !== 0) place = placeIn(story)
    isAtEnd = isNearTheEnd()
  })
  document.addEventListener('htmx:after:swap', () => {
    const now = storyNow()
    if (now !== story) keepEarlier(story, now)
    if (!place) return
    stay(() => movedFrom(place, now) ?? 0, isAtEnd)
    // What has gone is read no longer.
    if (movedFrom(place, now) !== 0) place = null
  })
  addEventListener('scroll', () => filled > 0 && fill(filled - leftBelow()), { passive: true })
}

/** Pixels that a scroll position, which is a whole number, cannot say. */
let rest = 0
/** Pixels below the story that hold the place of what was taken away, until the reader leaves it. */
let filled = 0

function stay(moved, isAtEnd) {
  scrollBy({ top: moved(), behavior: 'instant' })
  const left = moved()
  if (Math.abs(left) < 1) {
    rest -= left
    document.querySelector('.book').style.top = `${rest}px`
  } else if (left > 0 && !isAtEnd) {
    fill(filled + left)
    stay(moved, true)
  }
}

function fill(pixels) {
  filled = Math.max(0, pixels)
  storyNow().style.marginBottom = `${filled}px`
}

/** A story that is read anew is its newest page: what was fetched before that stays. */
function keepEarlier(old, now) {
  const first = old && now?.querySelector(':scope > article')
  const same = first && old.querySelector(`:scope > #${first.id}`)
  if (!same?.previousElementSibling?.matches('article')) return
  const earlier = [...old.childNodes].slice(0, [...old.childNodes].indexOf(same))
  now.querySelector(':scope > #earlier')?.remove()
  now.prepend(...earlier)
  for (const one of earlier) window.htmx.process(one)
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

/** The desk grows upwards as words are written and notices come: whoever is at the end sees the last line above it. Chromium does so by itself. */
function followDesk(desk) {
  if (!desk) return
  let height = desk.offsetHeight
  new ResizeObserver(() => {
    const grown = desk.offsetHeight - height
    height += grown
    if (grown > 0 && leftBelow() - grown < NEAR_THE_END) toTheEnd()
  }).observe(desk)
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
