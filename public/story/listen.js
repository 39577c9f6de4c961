// Reads a story aloud, sentence by sentence, with a voice that is on the device: others would send the text elsewhere. Its
// controls are shown only while there is such a voice.

import { blocksOf, sentencesIn } from './sentences.js'

/** The share of the window's height at which a sentence stands that was out of sight. */
const HIGH = 1 / 3

const controls = document.querySelector('#listening')
const [pauseButton, stopButton] = controls?.querySelectorAll('button') ?? []
const speed = controls?.querySelector('select')

/** The passage that is read, and the block and character in it at which the next sentence begins; null when silent. */
let place = null
/** The utterance that is heard, and where its sentence begins; null while more is waited for. */
let current = null
let begun = null
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
    if (place && !current && !isPaused) next()
    else if (current && marked.collapsed) markAgain()
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
  place = { passage, block: 0, at: 0 }
  begun = null
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
  if (begun) place = begun
  next()
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

/** Reads the next sentence; at the end of what there is, waits for more. */
function next() {
  current = null
  const sentence = findSentence()
  mark(sentence?.range ?? null)
  if (!sentence) {
    begun = null
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

/** The sentence at the place, which moves behind it; null where there is none yet. */
function findSentence() {
  followSwaps()
  for (let { passage } = place; passage; passage = passage.nextElementSibling) {
    if (!passage.matches('article')) continue
    const before = place
    if (passage !== before.passage) place = { passage, block: 0, at: 0 }
    const found = sentenceIn(passage.querySelector('.prose'), passage.id === 'telling')
    if (found) return found
    // A line may still come before a passage that is being written.
    if (passage !== before.passage) place = before
  }
  return null
}

function sentenceIn(prose, isGrowing) {
  // A reply that is shown when it is whole is read when it is shown.
  const blocks = prose?.checkVisibility() ? blocksOf(prose) : []
  for (; place.block < blocks.length; place = { ...place, block: place.block + 1, at: 0 }) {
    const { at, block } = place
    const [found, more] = sentencesIn(blocks[block].textContent.slice(at), prose.lang)
    if (isGrowing && block === blocks.length - 1 && !more) return null
    if (!found) continue
    begun = { ...place, at: at + found.start }
    place = { ...place, at: at + found.end }
    return { words: found.words, language: prose.lang, range: rangeOf(blocks[block], begun.at, place.at) }
  }
  return null
}

/** A streaming block is replaced while one of its sentences is read. */
function markAgain() {
  followSwaps()
  const block = blocksOf(place.passage.querySelector('.prose'))[place.block]
  if (block && place.at > begun.at) mark(rangeOf(block, begun.at, place.at))
}

/** Finds the passage again when it was swapped. Another text in its place is read from its beginning. */
function followSwaps() {
  const { passage } = place
  if (passage.isConnected) return
  const story = document.querySelector('#story')
  const now = document.getElementById(passage.id) ?? story.querySelector(':scope > article:last-of-type')
  const isSame = passage.id === 'telling' ? now.id !== 'telling' : textOf(now) === textOf(passage)
  place = isSame ? { ...place, passage: now } : { passage: now, block: 0, at: 0 }
}

function textOf(passage) {
  return passage.querySelector('.prose')?.textContent
}

function rangeOf(element, from, to) {
  const range = new Range()
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
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
function mark(range) {
  const follows = marked && isInSight(marked)
  marked = range
  if (!range) return CSS.highlights?.delete('spoken')
  CSS.highlights?.set('spoken', new Highlight(range))
  if (follows && !isInSight(range))
    scrollBy({ top: range.getBoundingClientRect().top - innerHeight * HIGH, behavior: 'instant' })
}

function isInSight(range) {
  const { top, bottom } = range.getBoundingClientRect()
  const desk = document.querySelector('.desk')?.getBoundingClientRect().top ?? innerHeight
  return top >= 0 && bottom <= desk
}
