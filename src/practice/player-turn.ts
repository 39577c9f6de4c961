import { BEGIN_REQUEST, CONTINUE_REQUEST, LORE } from '../domain/prompt/phrases.ts'
import { mayBeEnglish } from '../domain/text/english.ts'
import { sentenceTexts } from '../domain/text/sentence-spans.ts'
import type { LEADS } from './paragraphs.ts'

export type Slots = Readonly<Record<string, string>>

export interface PlayerTurn {
  kind: keyof typeof LEADS
  slots: Slots
}

const MAX_READ = 1_000
const MAX_WORDS = 12

const SPEECH = /^> (?:You (?:say|[^"]{1,80},) )?"([^"]*)/
const ATTEMPT = '> You try: '
const DEED = '> You '

export function readTurn(message: string, hasBegun: boolean): PlayerTurn {
  const line = playerLine(message).slice(0, MAX_READ)
  if (line === BEGIN_REQUEST || (line === CONTINUE_REQUEST && !hasBegun)) return { kind: 'begin', slots: {} }
  if (line === CONTINUE_REQUEST || line === '') return { kind: 'continue', slots: {} }
  const speech = SPEECH.exec(line)?.[1]
  if (speech !== undefined) return readSpeech(speech)
  if (line.startsWith(ATTEMPT)) return turnOf('attempt', 'words', plain(line.slice(ATTEMPT.length)), line)
  if (line.startsWith(DEED)) return turnOf('deed', 'did', clauseIn(line.slice(DEED.length)), line)
  return turnOf('story', 'thing', thingsIn(line)[0] ?? '', line)
}

function playerLine(message: string): string {
  const blocks = message.split(/\n\n+/)
  const marked = blocks.findLast((block) => block.startsWith('> '))
  return (marked ?? withoutNotes(blocks).at(-1) ?? '').trim()
}

function withoutNotes(blocks: readonly string[]): string[] {
  let isNote = false
  return blocks.filter((block) => {
    const wasNote = isNote || block.startsWith('[')
    isNote = wasNote && !block.trimEnd().endsWith(']')
    return !wasNote && !block.startsWith(LORE)
  })
}

function readSpeech(speech: string): PlayerTurn {
  const sentences = sentenceTexts(speech)
  const question = sentences.findLast((sentence) => /[?？؟]/.test(sentence))
  const words = plain(question ?? sentences[0] ?? '')
  return turnOf(question ? 'question' : 'speech', 'words', isShort(words) ? words : '', question ?? speech)
}

function turnOf(kind: PlayerTurn['kind'], slot: string, value: string, line: string): PlayerTurn {
  if (value !== '') return { kind, slots: { [slot]: value } }
  const [word] = wordsIn(line.replace(/^> (?:You )?/, '')).toSorted((a, b) => b.length - a.length)
  return word === undefined ? { kind: 'wordless', slots: {} } : { kind: 'word', slots: { word } }
}

/** First clause of an action, to follow "you"; '' if too long or not English. */
function clauseIn(action: string): string {
  const [clause = ''] = plain(action.split(/[,;:.!?…—–()"“”]/, 1)[0] ?? '').split(
    /(?<=\S) (?:and then|then|because|while|until|so that) /,
  )
  const whole = isShort(clause) ? clause : (clause.split(' and ')[0] ?? '')
  const ended = whole.replace(/ (?:and|or|the|an?|my|your)$/i, '')
  if (!isShort(ended) || !mayBeEnglish(ended)) return ''
  return ended === ended.toUpperCase() ? ended.toLowerCase() : ended
}

function isShort(text: string): boolean {
  return text.length <= 80 && text.split(' ').length <= MAX_WORDS
}

/** Keeps letters, digits, commas, hyphens and apostrophes: no markup and no sentence end. */
function plain(text: string): string {
  const words = text.replace(/[^\p{L}\p{M}\p{N}\s,'’-]/gu, '')
  const spaced = words.replace(/\s+/g, ' ').replace(/ ?,[ ,]*/g, ', ')
  const bare = spaced.replace(/^[ ,'’-]+|(?<![ ,-])[ ,-]+$/g, '')
  return /\p{L}/u.test(bare) ? bare : ''
}

function wordsIn(text: string): string[] {
  return (text.match(/\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*/gu) ?? []).filter(
    (word) => word.length <= 20,
  )
}

const THING =
  /(?<![\p{L}])(?:the|an?|your|my) ((?:\p{Ll}+ )?\p{Ll}{3,})(?=[.,;:!?]|$| (?:of|in|on|at|by|with|from|to|for|and|or|is|was|that|who|under|over|behind)\b)/giu
/** Words that are not things: endings of verbs and adverbs, and the vaguest nouns. */
const NO_THING =
  /(?:[^s]s|ed|ing|ly)$|(?:^| )(?:other|same|rest|way|time|night|day|one|end|side|first|last|moment|word|thing|lot|bit|kind|left|right)$/

/** Things named in an English text: "a small key in" gives "the small key". */
export function thingsIn(text: string): string[] {
  const names = [...text.matchAll(THING)].map(([, name = '']) => name.toLowerCase())
  return names.filter((name) => !NO_THING.test(name)).map((name) => `the ${name}`)
}
