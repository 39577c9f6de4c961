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

const play = document.querySelector('#play')
const newer = document.querySelector('#newer')
const storyNow = () => document.querySelector('#story')
const newestNow = () => storyNow().querySelector(':scope > article:last-of-type')
const tellingNow = () => document.querySelector('#telling')
// The frame of a line without a reply has no prose.
const hasInterrupted = () => storyNow().querySelector('#interrupted .prose') !== null

/** Pixels of the page below the window. */
const leftBelow = () => document.body.scrollHeight - innerHeight - scrollY
const isNearTheEnd = () => leftBelow() < NEAR_THE_END
const toTheEnd = () => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })

/** The turn whose passage is being written, or was last; and whether there is text of it. */
let turn = null
let isNew = false
/** The line that a passage answers has come to the top: the page stays there until the next turn. */
let isHeld = false
/** The reader went to the end of that passage, and is taken along again. */
let isFree = false

if (play) {
  openAtInterrupted()
  // Browsers that do not know this property (app.css) get there now.
  const hasTarget = CSS.supports('scroll-initial-target', 'nearest')
  if (!hasTarget && !location.hash && play.querySelector('.opens-here')) toTheEnd()
  // Chunks that arrived while the page was busy come together: give key presses a turn between them.
  play.addEventListener('htmx:sse:before:message', ({ detail }) => detail.waitUntil(nextTask()))
  play.addEventListener('turn-ended', ({ detail }) => (isNew = detail.data !== 'failed'))
  document.addEventListener('htmx:error', ({ target }) => unanswered(target))
  play.addEventListener('htmx:before:request', ({ target, detail }) => sending(target, detail.ctx.request))
  addEventListener('scroll', () => newer && isNearTheEnd() && hideNewer(), { passive: true })
  newer?.addEventListener('click', toNewest)
  keepInPlace()
  keepWhenResized()
  fetchEarlier()
  followDesk(play.querySelector('.desk'))
  liftDesk()
}

/** Scrolls along with new text, until the line that it answers is at the top. */
function follow(telling) {
  const line = telling.previousElementSibling
  const first = isFree ? null : line?.matches('.line') ? line : telling
  const above = first ? first.getBoundingClientRect().top - HEAD : Number.POSITIVE_INFINITY
  isHeld = above <= leftBelow()
  scrollBy({ top: Math.min(leftBelow(), above), behavior: 'instant' })
}

function sending(form, request) {
  if (!form.matches('form')) return
  // The status is of the last action; while a turn runs, it is of the turn.
  if (!tellingNow()) document.querySelector('#phase')?.replaceChildren()
  // The player's line will be at the end, so that is where they look now.
  if (!request.action.endsWith('/turns')) return
  isHeld = false
  isFree = false
  toEnd()
}

function toEnd() {
  fill(0)
  toTheEnd()
  hideNewer()
}

function hideNewer() {
  newer.hidden = true
}

// The button disappears, so the focus goes to the passage it led to.
function toNewest() {
  isFree = isHeld
  isHeld = false
  toEnd()
  newestNow().focus({ preventScroll: true })
}

// Nothing came back, not even a refusal.
function unanswered(target) {
  if (!target.matches('form, a')) return
  // The menu would cover it.
  target.closest(':popover-open')?.hidePopover()
  document.querySelector('#notice')?.replaceChildren(NO_RESPONSE)
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

/** A reload must not lead to where the page was before the turn broke off: what to do about it stands below. */
function openAtInterrupted() {
  if (!hasInterrupted() || document.readyState === 'complete') return
  history.scrollRestoration = 'manual'
  addEventListener('load', () => setTimeout(() => (history.scrollRestoration = 'auto')))
  toTheEnd()
}

/** Scrolls along with a passage that is being written, and otherwise holds the line being read in place through every swap. */
function keepInPlace() {
  let story = null
  let anchor = null
  let follows = false
  let isAtEnd = false
  let isComplete = false
  let wasInterrupted = hasInterrupted()
  document.addEventListener('htmx:before:swap', ({ detail: { ctx, tasks } }) => {
    isAtEnd = isNearTheEnd()
    // The status above the text box goes when a passage is complete: its room stays empty, so that no line moves down.
    isComplete = tasks.some(({ target }) => target?.id === 'telling')
    follows =
      isAtEnd && !isComplete && !isHeld && (ctx.sourceElement?.id === 'events' || tellingNow() !== null)
    story = storyNow()
    // Until the reader scrolls, the anchor stays the same, even if its text wrapped differently meanwhile.
    if (follows) anchor = null
    else if (!anchor || movedFrom(anchor, story) !== 0) anchor = anchorIn(story)
    wasInterrupted = hasInterrupted()
  })
  document.addEventListener('htmx:after:swap', () => {
    const now = storyNow()
    const telling = tellingNow()
    if (now !== story) keepEarlier(story, now)
    if (telling && telling.dataset.turn !== turn) {
      turn = telling.dataset.turn
      isNew = true
      isHeld = isFree = false
    }
    if (follows && telling) follow(telling)
    if (isAtEnd && !wasInterrupted && hasInterrupted()) {
      anchor = null
      toTheEnd()
    }
    const isSilent = telling ? !telling.querySelector('#told > :not(:empty)')?.checkVisibility() : !isNew
    if (newer) newer.hidden = isNearTheEnd() || isSilent
    if (!anchor) return
    stay(() => movedFrom(anchor, now) ?? 0, isAtEnd && !isComplete)
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
function fetchEarlier() {
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
    const link = document.querySelector('#earlier a')
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
