import { foldQuote } from '../../lib/fold-text.ts'
import { isSpeech, typedWords } from '../text/player-line.ts'
import { newSentences, sentenceTexts } from '../text/sentence-spans.ts'

/** Fewer letters may be somebody's answer: “Who are you?” */
const MIN_SAID = 12
/** Letters around what the player said: “The woman in the ball gown says”. */
const MAX_AROUND = { say: 40, do: 3 }

/**
 * Whether a reply says a line of the player back and nothing else, except who says it and sentences of `earlier` passages:
 * `The boy says, "What sings in your cage?"` after `You say "What sings in your cage?"`.
 */
export function onlySaysBack(
  reply: string,
  playerLines: readonly string[],
  earlier: readonly string[],
): boolean {
  const lines = playerLines.map(foldedLine).filter(({ said }) => said.length >= MIN_SAID)
  const text = foldQuote(reply)
  if (!lines.some(({ said }) => text.includes(said))) return false
  const known = earlier.map(foldQuote)
  const added = sentenceTexts(reply)
    .map(foldQuote)
    .filter((sentence) => sentence.length < MIN_SAID || !known.some((passage) => passage.includes(sentence)))
    .join('')
  return lines.some(({ said, around }) => added.includes(said) && added.length - said.length <= around)
}

/** Letters of a reply that only repeats. “You wait. Nothing happens.” may be told twice; in a longer one the loop guard finds the loop. */
const MIN_REPEATED = 30
const MAX_REPEATED = 300

/** Whether every sentence of a reply is one of `earlier` passages. */
export function onlyRepeats(reply: string, earlier: readonly string[]): boolean {
  const { length } = foldQuote(reply)
  if (length < MIN_REPEATED || length > MAX_REPEATED) return false
  return newSentences(reply, earlier).length === 0
}

function foldedLine(line: string): { said: string; around: number } {
  const type = isSpeech(line) ? 'say' : 'do'
  return { said: foldQuote(typedWords(type, line)), around: MAX_AROUND[type] }
}
