import { foldQuote } from '../../../lib/fold-text.ts'
import { isSpeech, typedWords } from '../../text/player-line.ts'
import { sentenceTexts } from '../../text/sentence-spans.ts'

/** What was told before a reply. */
interface ToldTexts {
  /** The narrations in the window. */
  passages: readonly string[]
  /** The player's lines that wait for the reply, as they were sent. */
  lines: readonly string[]
  /** Lore and other notes. */
  notes: readonly string[]
}

/** Letters of a sentence that two texts do not share by chance: “Who are you?” may be anybody's. */
const MIN_SHARED = 12
/** Letters around what the player said: “The woman in the ball gown says”. */
const MAX_AROUND = { say: 40, do: 3 }
/** The share of a reply that is new and tells nothing: “Dawn.” */
const MAX_NEW = 0.15

/** The text that a complete reply tells again: sentences of it, and nothing new but who says them. Null for none. */
export function toldBefore(reply: string, { passages, lines, notes }: ToldTexts): keyof ToldTexts | null {
  const text = foldQuote(reply)
  if (text === '') return null
  const told = passages.map(foldQuote)
  if (told.includes(text)) return 'passages'
  const noted = notes.map(foldQuote)
  const sentences = sentenceTexts(reply).map(foldQuote)
  const isIn = (texts: readonly string[]) => (sentence: string) =>
    sentence.length >= MIN_SHARED && texts.some((one) => one.includes(sentence))
  const added = sentences.filter((sentence) => !isIn([...told, ...noted])(sentence)).join('')
  if (lines.some((line) => saysBack(added, line))) return 'lines'
  if (added.length > MAX_NEW * text.length) return null
  return sentences.some(isIn(told)) ? 'passages' : 'notes'
}

function saysBack(added: string, line: string): boolean {
  const type = isSpeech(line) ? 'say' : 'do'
  const said = foldQuote(typedWords(type, line))
  return said.length >= MIN_SHARED && added.includes(said) && added.length - said.length <= MAX_AROUND[type]
}
