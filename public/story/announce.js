import { completeIn, seemsEnded, sentencesIn } from './sentences.js'

// Announces new text to screen readers, sentence by sentence, in a live region of its own. If the passage itself were the
// live region, every streamed chunk would be read out.

/** Milliseconds between two announcements. */
const PAUSE = 1_000
/** Milliseconds after which the region is emptied, so that the text is found only in the story. */
const CLEAR = 7_000
/** Milliseconds without new text after which text that looks like a sentence is one; it may have been “3.” of “3.5”. */
const SETTLE = 2_500

const region = document.querySelector('#said')
const queue = []
let timer = 0
let settleTimer = 0
let clearTimer = 0
/** The passage that is streaming, and how many of its characters were announced. */
let passage = null
let used = 0
/** The newest passage: its id, which of its versions is shown, and whether its changes are being recorded. */
let newest = {}
/** The turn ended well, and its stat changes are about to be shown. */
let isDone = false

if (region) {
  const column = document.querySelector('.column')
  new MutationObserver(listen).observe(column, { childList: true, characterData: true, subtree: true })
  document.addEventListener('turn-ended', ({ detail }) => ended(detail.data))
  // A page that comes back to a turn goes on where it is.
  passage = document.querySelector('#told')
  if (passage) used = textOf(passage).length
  newest = newestOf()
  document.addEventListener('htmx:after:swap', () => {
    const before = newest
    newest = newestOf()
    if (newest.id !== before.id) return
    if (newest.version !== before.version) say([newest.version])
    if (before.isRecording && !newest.isRecording) say(inNewest('.changes li'))
  })
}

function listen() {
  const current = document.querySelector('#told')
  if (!current && isDone) {
    isDone = false
    say(inNewest('.changes li'))
  }
  if (!current) return
  if (turnOf(current) !== turnOf(passage)) used = 0
  passage = current
  const text = textOf(passage)
  // Text that turned out to be reasoning was removed.
  used = Math.min(used, text.length)
  // With streaming off, the passage is announced when it is complete.
  if (!passage.checkVisibility()) return
  announce(completeIn(text.slice(used)))
  clearTimeout(settleTimer)
  settleTimer = setTimeout(() => {
    const left = passage.isConnected ? textOf(passage).slice(used) : ''
    if (seemsEnded(left)) announce({ sentences: sentencesIn(left), used: left.length })
  }, SETTLE)
}

function announce({ sentences, used: more }) {
  used += more
  say(sentences)
}

function ended(outcome) {
  clearTimeout(settleTimer)
  isDone = passage !== null && outcome === 'told'
  if (!isDone) return
  const left = textOf(passage).slice(used)
  announce({ sentences: sentencesIn(left), used: left.length })
}

function say(words) {
  if (getComputedStyle(document.documentElement).getPropertyValue('--announce').trim() === 'off') return
  queue.push(...words.filter((one) => one !== ''))
  if (timer === 0) speak()
}

// All at once, then a pause, so that a fast narrator does not flood the reader.
function speak() {
  timer = 0
  if (queue.length === 0) return
  region.replaceChildren(
    ...queue.splice(0).map((words) => Object.assign(document.createElement('p'), { textContent: words })),
  )
  timer = setTimeout(speak, PAUSE)
  clearTimeout(clearTimer)
  clearTimer = setTimeout(() => region.replaceChildren(), CLEAR)
}

/** Emphasis and rules: they disappear when a paragraph is complete, so positions are counted without them. */
const MARKUP = /\*|[-_]{3,}/g

function textOf(element) {
  return [...element.children]
    .flatMap((block) => (block.matches('ul, ol, blockquote') ? [...block.children] : [block]))
    .map(({ textContent }) => textContent.replace(MARKUP, '').trim())
    .filter((text) => text !== '')
    .join('\n\n')
}

function turnOf(told) {
  return told?.closest('#telling')?.dataset.turn ?? null
}

function newestOf() {
  const { id } = document.querySelector('#story > article:last-of-type') ?? {}
  return { id, version: inNewest('.pager').join(' '), isRecording: inNewest('#recording').length > 0 }
}

function inNewest(selector) {
  const article = document.querySelector('#story > article:last-of-type')
  return [...(article?.querySelectorAll(selector) ?? [])].map(spoken)
}

/** An element's text as a screen reader would read it. */
function spoken(element) {
  const copy = element.cloneNode(true)
  for (const unheard of copy.querySelectorAll('[aria-hidden], button, i')) unheard.remove()
  return copy.textContent.replace(/\s+/g, ' ').trim()
}
