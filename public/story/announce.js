import { blocksOf, sentencesIn } from './sentences.js'

// Announces new text to screen readers, sentence by sentence, in a live region of its own. If the passage itself were the
// live region, every streamed piece would be read out.

/** Milliseconds after which a sentence is removed, so that the text is found only in the story. */
const CLEAR = 7_000

const region = document.querySelector('#said')
/** Announced characters of the streaming passage. */
let used = 0
/** The newest passage: its id, which of its versions is shown, and whether its changes are being recorded. */
let newest = {}
/** The turn ended well, and its passage is about to be shown. */
let isTold = false

if (region) {
  // A page that comes back to a turn goes on where it is.
  const told = document.querySelector('#told')
  if (told) used = textOf(told).length
  newest = newestOf()
  document.addEventListener('turn-ended', ({ detail }) => (isTold = detail.data === 'told'))
  document.addEventListener('htmx:after:swap', listen)
}

function listen() {
  const before = newest
  newest = newestOf()
  const told = document.querySelector('#told')
  // With streaming off, the passage is announced when it is complete.
  if (told) return told.checkVisibility() && announce(told, true)
  const prose = isTold && newest.passage?.querySelector('.prose')
  if (prose) announce(prose, false)
  if (newest.id === before.id && newest.version !== before.version) say([newest.version])
  const isRecorded = newest.id === before.id && before.isRecording && !newest.isRecording
  if (isTold || isRecorded) say(inPassage(newest.passage, '.changes li'))
  used = 0
  isTold = false
}

function announce(prose, isGrowing) {
  const text = textOf(prose)
  // Text that was no story was removed.
  if (text.length < used) used = 0
  const sentences = sentencesIn(text.slice(used), prose.lang)
  if (isGrowing) used += sentences.pop()?.start ?? 0
  say(sentences.map(({ words }) => words))
}

function say(words) {
  if (getComputedStyle(document.documentElement).getPropertyValue('--announce').trim() === 'off') return
  for (const one of words.filter(Boolean)) {
    const said = Object.assign(document.createElement('p'), { textContent: one })
    region.append(said)
    setTimeout(() => said.remove(), CLEAR)
  }
}

/** Open emphasis shows no marks until it turns out to be none, so positions are counted without them. */
function textOf(prose) {
  return blocksOf(prose)
    .map(({ textContent }) => textContent.replaceAll('*', ''))
    .join('\n\n')
}

function newestOf() {
  const passage = document.querySelector('#story > article:last-of-type')
  const isRecording = inPassage(passage, '#recording').length > 0
  return { passage, id: passage?.id, version: inPassage(passage, '.pager').join(' '), isRecording }
}

/** The texts of elements in a passage as a screen reader would read them. */
function inPassage(passage, selector) {
  return [...(passage?.querySelectorAll(selector) ?? [])].map((element) => {
    const copy = element.cloneNode(true)
    for (const unheard of copy.querySelectorAll('[aria-hidden], button, i')) unheard.remove()
    return copy.textContent.replace(/\s+/g, ' ').trim()
  })
}
