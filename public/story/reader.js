// The story page: follows new text while its reader is at the end, holds the scroll position otherwise, and loads earlier
// passages.

import { anchorIn, HEAD, movedFrom } from './scroll-anchor.js'

/** Pixels from the end within which the page scrolls along with new text. */
const NEAR_THE_END = 120
/** Pixels above the first passage at which earlier ones are fetched. */
const NEAR_THE_TOP = 400
/** Pixels that only an on-screen keyboard covers. */
const KEYBOARD = 80

const NO_RESPONSE = 'Inglenook is not responding. Nothing was sent. Check that it is running, then try again.'

/** Pixels of the page below the window. */
const leftBelow = () => document.body.scrollHeight - innerHeight - scrollY
const isNearTheEnd = () => leftBelow() < NEAR_THE_END
const toTheEnd = () => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })

/** The line that a passage answers has come to the top: the page stays there until the next turn. */
let isHeld = false
/** The reader went to the end of that passage, and is taken along again. */
let isFree = false

/** Scrolls along with new text, until the line that it answers is at the top. */
function follow() {
  const telling = document.querySelector('#telling')
  const line = telling?.previousElementSibling
  const first = isFree ? null : line?.matches('.line') ? line : telling
  const above = first ? first.getBoundingClientRect().top - HEAD : Number.POSITIVE_INFINITY
  isHeld = above <= leftBelow()
  scrollBy({ top: Math.min(leftBelow(), above), behavior: 'instant' })
}

/** The current swap is streamed text, and the page scrolls along. */
let follows = false
/** Where the streaming passage was in the window before the current message. */
let toldTop = null
const topOf = (passage) => passage?.querySelector('.prose')?.getBoundingClientRect().top ?? null

/** The status above the text box goes when a passage is complete: its room stays empty, so that no line moves down. */
function holdTold() {
  if (toldTop === null) return
  const moved = topOf(storyNow().querySelector(':scope > article:last-of-type.narration')) - toldTop
  // What failed is followed by what can be done about it.
  if (moved < 0 && hasInterrupted()) return
  if (moved > 0) fill(filled + moved)
  scrollBy({ top: moved, behavior: 'instant' })
}

export const reader = () => ({
  /** The turn whose passage is being written, or was last. */
  turn: null,
  /** Its passage is there, or is growing. */
  isNew: false,

  init() {
    const story = this.$root
    openAtInterrupted()
    // Browsers that do not know this property (app.css) get there now.
    if (
      !CSS.supports('scroll-initial-target', 'nearest') &&
      !location.hash &&
      story.querySelector('.opens-here')
    )
      toTheEnd()
    // Chunks that arrived while the page was busy come together: give key presses a turn between them.
    story.addEventListener('htmx:sse:before:message', ({ detail }) => detail.waitUntil(nextTask()))
    story.addEventListener('htmx:sse:after:message', () => {
      const telling = document.querySelector('#telling')
      if (telling && telling.dataset.turn !== this.turn) this.begun(telling)
      if (follows && telling) follow()
      else if (follows) holdTold()
      toldTop = null
      const newer = this.newer()
      if (newer) newer.hidden = isNearTheEnd() || (telling ? !isTelling() : !this.isNew)
      follows = false
    })
    story.addEventListener('turn-ended', ({ detail }) => (this.isNew = detail.data !== 'failed'))
    document.addEventListener('htmx:error', ({ target }) => this.unanswered(target))
    story.addEventListener('htmx:before:request', ({ target, detail }) => {
      if (!target.matches('form')) return
      // What it says is of the last action; while a turn runs, it is of the turn.
      if (this.phase() && !document.querySelector('#telling')) this.phase().textContent = ''
      // The player's line will be at the end, so that is where they look now.
      if (!detail.ctx.request.action.endsWith('/turns')) return
      isHeld = false
      isFree = false
      this.toEnd()
    })
    addEventListener('scroll', () => isNearTheEnd() && this.seen(), { passive: true })
    keepInPlace()
    keepWhenResized()
    fetchEarlier(story)
    followDesk(story.querySelector('.desk'))
    liftDesk()
  },

  phase() {
    return this.$root.querySelector('#phase')
  },

  /** The button that jumps to new text below. */
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

  // The button disappears, so the focus goes to the passage it led to.
  toNewest() {
    isFree = isHeld
    isHeld = false
    this.toEnd()
    storyNow().querySelector(':scope > article:last-of-type').focus({ preventScroll: true })
  },

  begun({ dataset }) {
    this.turn = dataset.turn
    this.isNew = true
    isHeld = false
    isFree = false
  },

  // Nothing came back, not even a refusal.
  unanswered(target) {
    if (!target.matches('form, a')) return
    // The menu would cover it.
    target.closest(':popover-open')?.hidePopover()
    this.$root.querySelector('#notice')?.replaceChildren(NO_RESPONSE)
  },
})

/** Whether the streaming passage shows any text yet. */
function isTelling() {
  return document.querySelector('#told > :not(:empty)')?.checkVisibility() ?? false
}

function isStream({ response }) {
  return response?.raw?.headers.get('Content-Type')?.includes('event-stream') ?? false
}

const tasks = new MessageChannel()
tasks.port1.start()

/** Resolves in a task of its own; timers are throttled in background pages. */
function nextTask() {
  return new Promise((resolve) => {
    tasks.port1.addEventListener('message', resolve, { once: true })
    tasks.port2.postMessage(null)
  })
}

const storyNow = () => document.querySelector('#story')

// The frame of a line without a reply has no prose.
const hasInterrupted = () => storyNow().querySelector('#interrupted .prose') !== null

/** A reload must not lead to where the page was before the turn broke off: what to do about it stands below. */
function openAtInterrupted() {
  if (!hasInterrupted() || document.readyState === 'complete') return
  history.scrollRestoration = 'manual'
  addEventListener('load', () => setTimeout(() => (history.scrollRestoration = 'auto')))
  toTheEnd()
}

/** Holds the line being read in place through every swap. */
function keepInPlace() {
  let story = null
  let anchor = null
  let isAtEnd = false
  let wasInterrupted = hasInterrupted()
  document.addEventListener('htmx:before:swap', ({ detail: { ctx } }) => {
    toldTop ??= topOf(document.querySelector('#telling'))
    // One message may be several swaps, and the first of them may be long.
    follows ||= !isHeld && (isStream(ctx) || document.querySelector('#telling')) && isNearTheEnd()
    story = storyNow()
    // Until the reader scrolls, the anchor stays the same, even if its text wrapped differently meanwhile.
    if (follows) anchor = null
    else if (!anchor || movedFrom(anchor, story) !== 0) anchor = anchorIn(story)
    isAtEnd = isNearTheEnd()
    wasInterrupted = hasInterrupted()
  })
  document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
    const now = storyNow()
    if (now !== story) keepEarlier(story, now)
    // The changes of the passage before, while the next turn waits for them.
    if (follows && !isStream(ctx)) {
      follow()
      follows = false
    }
    if (isAtEnd && !wasInterrupted && hasInterrupted()) {
      anchor = null
      toTheEnd()
    }
    if (!anchor) return
    stay(() => movedFrom(anchor, now) ?? 0, isAtEnd)
    // The line is gone.
    if (movedFrom(anchor, now) !== 0) anchor = null
  })
  addEventListener('scroll', () => filled > 0 && fill(filled - leftBelow()), { passive: true })
}

/** Holds the line being read in place when the window, the letters or the gaps between paragraphs get another size. */
function keepWhenResized() {
  let place = null
  let isAtEnd = false
  const sizes = () => {
    const paragraph = storyNow().querySelector('.prose > p') ?? storyNow()
    const { font, letterSpacing, marginBottom, textAlign } = getComputedStyle(paragraph)
    return [font, letterSpacing, marginBottom, textAlign, storyNow().clientWidth, innerHeight].join()
  }
  let before = sizes()
  const note = () => {
    if (sizes() !== before) return
    isAtEnd = isNearTheEnd()
    // Until the reader scrolls, it stays the same, however often the text wraps.
    const moved = place && movedFrom(place, storyNow())
    if (moved === null || Math.abs(moved) >= 1) place = anchorIn(storyNow())
  }
  const restore = () => {
    if (isAtEnd) toTheEnd()
    else if (place) scrollBy({ top: movedFrom(place, storyNow()) ?? 0, behavior: 'instant' })
  }
  const resized = () => {
    const now = sizes()
    if (now !== before) restore()
    before = now
  }
  requestAnimationFrame(note)
  addEventListener('onscrollend' in window ? 'scrollend' : 'scroll', note, { passive: true })
  document.addEventListener('htmx:after:swap', note)
  // Letters of another font are as large, but not as wide.
  document.fonts.addEventListener('loadingdone', restore)
  new ResizeObserver(resized).observe(document.querySelector('.column'))
}

/** The fraction of a pixel that a scroll position, a whole number, cannot express. */
let fraction = 0
/** Pixels of padding below the story in place of removed text, until the reader scrolls away. */
let filled = 0

function stay(moved, isAtEnd) {
  scrollBy({ top: moved(), behavior: 'instant' })
  const left = moved()
  if (Math.abs(left) < 1) {
    fraction -= left
    document.querySelector('.book').style.top = `${fraction}px`
  } else if (left > 0 && !isAtEnd) {
    fill(filled + left)
    stay(moved, true)
  }
}

function fill(pixels) {
  filled = Math.max(0, pixels)
  storyNow().style.marginBottom = `${filled}px`
}

/** A reloaded story is only its newest page: keep the earlier passages that were loaded before. */
function keepEarlier(old, now) {
  const first = old && now?.querySelector(':scope > article')
  const same = first && old.querySelector(`:scope > #${first.id}`)
  if (!same?.previousElementSibling?.matches('article')) return
  const earlier = [...old.childNodes].slice(0, [...old.childNodes].indexOf(same))
  now.querySelector(':scope > #earlier')?.remove()
  now.prepend(...earlier)
  for (const one of earlier) window.htmx.process(one)
}

/** Loads earlier passages when the reader scrolls near them. */
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

/** Keeps the last line visible above the text box as that grows. Chromium does so on its own. */
function followDesk(desk) {
  if (!desk) return
  let height = desk.offsetHeight
  new ResizeObserver(() => {
    const grown = desk.offsetHeight - height
    height += grown
    if (grown > 0 && leftBelow() - grown < NEAR_THE_END) toTheEnd()
  }).observe(desk)
}

/** Lifts the text box above an on-screen keyboard that covers the end of the page. */
function liftDesk() {
  const view = window.visualViewport
  if (!view) return
  view.addEventListener('resize', () => {
    const covered = innerHeight - view.height
    const isKeyboard = view.scale === 1 && covered > KEYBOARD
    document.documentElement.style.setProperty('--keyboard', isKeyboard ? `${covered}px` : '0px')
  })
}
