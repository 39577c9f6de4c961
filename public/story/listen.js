// Reads a story aloud, sentence by sentence, with a voice that is on the device: others would send the text elsewhere. Its
// controls are shown only while there is such a voice.

import { blocksOf, sentencesIn } from './sentences.js'

/** The share of the window's height at which a sentence stands that was out of sight. */
const HIGH = 1 / 3

const controls = document.querySelector('#listening')
const [pauseButton, stopButton] = controls?.querySelectorAll('button') ?? []
const speed = controls?.querySelector('select')

/** The passage that is read, and which of its sentences; null when silent. */
let place = null
/** The utterance that is heard; null while more is waited for. */
let current = null
let isPaused = false

if (controls && 'speechSynthesis' in window) {
  speechSynthesis.addEventListener('voiceschanged', look)
  look()
  document.addEventListener('click', ({ target }) => {
    const passage = target.closest?.('.listen')?.closest('article')
    if (passage) start(passage)
  })
  pauseButton.addEventListener('click', () => (isPaused ? resume() : pause()))
  stopButton.addEventListener('click', () => {
    place.passage.focus({ preventScroll: true })
    stop()
  })
  speed.addEventListener('change', () => current && again())
  // A passage that grows has more to read, and one that was swapped is read on in its new form.
  document.addEventListener('htmx:after:swap', () => {
    if (place && !current && !isPaused) speak()
    // A streaming block is replaced while one of its sentences is read.
    else if (current && marked?.collapsed && followSwaps()) mark(sentencesOf(place.passage)[place.index])
  })
  // Some browsers go on reading a page that was left.
  addEventListener('pagehide', stop)
}

function voices() {
  return speechSynthesis.getVoices().filter(({ localService }) => localService)
}

function look() {
  document.documentElement.classList.toggle('voices', voices().length > 0)
}

/** The voice for a language, as the reader's own system has it if it can; undefined where there is none at all. */
function voiceFor(language) {
  const all = voices()
  const alike = all.filter(({ lang }) => lang.split(/[-_]/)[0].toLowerCase() === language)
  const fit = alike.length > 0 ? alike : all
  return (
    fit.find((voice) => voice.default) ??
    fit.find(({ lang }) => lang.replace('_', '-') === navigator.language) ??
    fit[0]
  )
}

function start(passage) {
  place = { passage, index: 0 }
  controls.hidden = false
  resume()
}

function pause() {
  silence()
  setPaused(true)
}

/** The sentence in which it was paused is heard again. */
function resume() {
  setPaused(false)
  again()
}

function again() {
  silence()
  speak()
}

function stop() {
  silence()
  place = null
  mark(null)
  controls.hidden = true
}

function silence() {
  current = null
  speechSynthesis.cancel()
}

function setPaused(is) {
  isPaused = is
  pauseButton.textContent = is ? 'Resume' : 'Pause'
}

/** Reads the sentence at the place and those after it; at the end of what there is, waits for more. */
function speak() {
  current = null
  const sentence = findSentence()
  mark(sentence)
  if (!sentence) {
    // A page of earlier passages gets no more.
    if (!document.querySelector('.desk')) stop()
    return
  }
  const voice = voiceFor(sentence.language)
  // Without a voice of its own the browser would choose one, perhaps of a server.
  if (!voice) return stop()
  const utterance = new SpeechSynthesisUtterance(sentence.words)
  Object.assign(utterance, { voice, lang: voice.lang, rate: Number(speed.value) })
  utterance.onend = () => utterance === current && next()
  utterance.onerror = () => utterance === current && stop()
  current = utterance
  speechSynthesis.speak(utterance)
}

function next() {
  followSwaps()
  place.index++
  speak()
}

/** The sentence at the place, which may be in a later passage; null where there is none yet. */
function findSentence() {
  followSwaps()
  let index = Math.max(place.index, 0)
  for (let { passage } = place; passage; passage = passage.nextElementSibling, index = 0) {
    const sentence = passage.matches('article') && sentencesOf(passage)[index]
    // A line may still come before a passage that is being written.
    if (sentence) place = { passage, index }
    if (sentence) return sentence
  }
  return null
}

function sentencesOf(passage) {
  const prose = passage.querySelector('.prose')
  // A reply that is shown when it is whole is read when it is shown.
  if (!prose?.checkVisibility()) return []
  const sentences = blocksOf(prose).flatMap((block) =>
    sentencesIn(block.textContent, prose.lang).map((one) => ({ ...one, block, language: prose.lang })),
  )
  return passage.id === 'telling' ? sentences.slice(0, -1) : sentences
}

/** Finds the passage again when it was swapped. Another text in its place is read from its beginning. */
function followSwaps() {
  const { passage, index } = place
  if (passage.isConnected) return true
  const story = document.querySelector('#story')
  const now = document.getElementById(passage.id) ?? story.querySelector(':scope > article:last-of-type')
  const isSame = passage.id === 'telling' ? now.id !== 'telling' : textOf(now) === textOf(passage)
  place = { passage: now, index: isSame ? index : -1 }
  return isSame
}

function textOf(passage) {
  return passage.querySelector('.prose')?.textContent
}

function rangeOf({ block, start: from, end: to }) {
  const range = new Range()
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
  let before = 0
  while (texts.nextNode()) {
    const { currentNode: node } = texts
    if (from >= before && from < before + node.length) range.setStart(node, from - before)
    if (to <= before + node.length) {
      range.setEnd(node, to - before)
      break
    }
    before += node.length
  }
  return range
}

let marked = null

/** Marks a sentence, and keeps it in sight for who has followed so far. */
function mark(sentence) {
  const follows = marked && isInSight(marked)
  marked = sentence && rangeOf(sentence)
  if (!marked) return CSS.highlights?.delete('spoken')
  CSS.highlights?.set('spoken', new Highlight(marked))
  if (follows && !isInSight(marked))
    scrollBy({ top: marked.getBoundingClientRect().top - innerHeight * HIGH, behavior: 'instant' })
}

function isInSight(range) {
  const { top, bottom } = range.getBoundingClientRect()
  const desk = document.querySelector('.desk')?.getBoundingClientRect().top ?? innerHeight
  return top >= 0 && bottom <= desk
}
