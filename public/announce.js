import { completeIn, seemsEnded, sentencesIn } from './sentences.js'

// Says what is told, sentence by sentence, in a place of its own: a screen reader that listened to the passage itself
// would be told of every piece of a word.

/** Milliseconds between two times that something is said. */
const PAUSE = 1_000
/** Milliseconds after which a reader has taken what was said, and finds it in the story alone. */
const SAID = 7_000
/** Milliseconds of silence after which what looks like a whole sentence is one: the narrator may be counting. */
const REST = 2_500

const place = document.querySelector('#said')
const waiting = []
let timer = 0
let rest = 0
let taken = 0
/** The passage that is being told, and how much of it has been said. */
let told = null
let used = 0
/** The turn has ended well, and what came of it is about to be shown. */
let isTold = false

if (place) {
  const column = document.querySelector('.column')
  new MutationObserver(listen).observe(column, { childList: true, characterData: true, subtree: true })
  document.addEventListener('turn-ended', ({ detail }) => ended(detail.data))
  document.addEventListener('htmx:after:swap', ({ detail }) => {
    if (detail.ctx.sourceElement?.matches('.pager')) say([wordsOf('.pager')])
  })
}

function listen() {
  const now = document.querySelector('#told')
  if (!now && isTold) {
    isTold = false
    say([...newest('.changes li')].map(spoken))
  }
  if (!now) return
  if (now !== told) {
    told = now
    used = 0
  }
  const text = textOf(told)
  // What turned out to be a thought was taken back.
  used = Math.min(used, text.length)
  // What is shown only when it is finished is said then.
  if (!told.checkVisibility()) return
  take(completeIn(text.slice(used)))
  clearTimeout(rest)
  rest = setTimeout(() => {
    const left = told.isConnected ? textOf(told).slice(used) : ''
    if (seemsEnded(left)) take({ sentences: sentencesIn(left), used: left.length })
  }, REST)
}

function take({ sentences, used: more }) {
  used += more
  say(sentences)
}

function ended(how) {
  clearTimeout(rest)
  isTold = told !== null && how === 'told'
  if (!isTold) return
  const left = textOf(told).slice(used)
  take({ sentences: sentencesIn(left), used: left.length })
}

function say(words) {
  if (getComputedStyle(document.documentElement).getPropertyValue('--announce').trim() === 'off') return
  waiting.push(...words.filter((one) => one !== ''))
  if (timer === 0) speak()
}

// All at once, and then a pause: a fast narrator is not a flood.
function speak() {
  timer = 0
  if (waiting.length === 0) return
  place.replaceChildren(
    ...waiting.splice(0).map((words) => Object.assign(document.createElement('p'), { textContent: words })),
  )
  timer = setTimeout(speak, PAUSE)
  clearTimeout(taken)
  taken = setTimeout(() => place.replaceChildren(), SAID)
}

/** Marks and rules, which are gone from a paragraph that is whole: what has been said is counted without them. */
const UNSAID = /\*|[-_]{3,}/g

function textOf(passage) {
  return [...passage.children]
    .map(({ textContent }) => textContent.replace(UNSAID, '').trim())
    .filter((text) => text !== '')
    .join('\n\n')
}

function newest(selector) {
  return document.querySelector('#story > article:last-of-type')?.querySelectorAll(selector) ?? []
}

function wordsOf(selector) {
  return [...newest(selector)].map(spoken).join(' ')
}

/** What a screen reader would read of an element. */
function spoken(element) {
  const copy = element.cloneNode(true)
  for (const unheard of copy.querySelectorAll('[aria-hidden], button')) unheard.remove()
  return copy.textContent.replace(/\s+/g, ' ').trim()
}
