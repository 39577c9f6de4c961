import { median, shareOf } from './numbers.ts'
import type { ScoredReplies } from './score-ask.ts'
import { sentencesOf } from './score-record.ts'
import { isLoop, notProseIn } from './shown-text.ts'

/** A reply by the columns of the table. */
export interface ReplyScore {
  words: number
  /** Words in sentences that are neither the player's line nor of an earlier passage. */
  own: number
  copiesLine: boolean
  copiesEarlier: boolean
  actsForPlayer: boolean
  /** Null if the reply has no block of changes. */
  blockIsValid: boolean | null
  good: boolean
}

/** From this share of its words on, a sentence is the player's line again. */
const SAME_AS_LINE = 0.7
/** A shorter sentence may be the same by chance. */
const MIN_COPY = 4
/** With fewer words of its own a reply moves nothing. */
const MIN_OWN = 8

const BLOCK = /\n?\s*(?:```\w*\s*\n?\s*\{|\{\s*"|```(?:state|json)|\bstate_delta\b)[\s\S]*$/

export function scoreReply(
  { text, finish }: ScoredReplies['replies'][number],
  { line, earlier }: Pick<ScoredReplies, 'line' | 'earlier'>,
): ReplyScore {
  const prose = text.replace(BLOCK, '').trim()
  const sentences = sentencesOf(prose)
  const told = new Set(earlier.flatMap(sentencesOf).map(folded))
  const isCopy = (one: string) => wordsOf(one).length >= MIN_COPY && told.has(folded(one))
  const isLine = (one: string) => likeness(one, line) >= SAME_AS_LINE
  const own = sentences.filter((one) => !isLine(one) && !told.has(folded(one)))
  const words = own.flatMap(wordsOf).length
  const copiesEarlier = sentences.some(isCopy)
  const copiesLine = sentences.length > 0 && sentences.every(isLine)
  const actsForPlayer = own.some((one) => isPlayersAct(one, line))
  const isWhole = finish === 'length' || /[.!?…]["”’')*\]]*$/.test(prose)
  return {
    words: wordsOf(prose).length,
    own: words,
    copiesLine,
    copiesEarlier,
    actsForPlayer,
    blockIsValid: blockOf(text, finish),
    good:
      words >= MIN_OWN &&
      isWhole &&
      !copiesEarlier &&
      !actsForPlayer &&
      !isLoop(prose) &&
      notProseIn(prose).length === 0 &&
      !/^[[>]/m.test(prose) &&
      !/\bI\b/.test(withoutSpeech(prose)),
  }
}

function blockOf(text: string, finish: string): boolean | null {
  const start = /```(?:state_delta|state|json)?\s*(\{[\s\S]*?\})\s*```/.exec(text)?.[1]
  if (start === undefined) return BLOCK.test(text) && finish !== 'length' ? false : null
  try {
    const paths = Object.keys(JSON.parse(start))
    return paths.every((path) => /^(world|player|npc|flags|milestones)\./.test(path))
  } catch {
    return false
  }
}

/** Verbs by which a passage acts or speaks for the player; not those of the senses. */
const ACTS =
  'say|ask|tell|reply|answer|shout|whisper|call|decide|choose|agree|refuse|promise|nod|shrug|smile|laugh|take|pick|grab|give|hand|put|place|turn|walk|run|go|climb|enter|leave|follow|open|close|pull|push|reach|start|begin|continue|head|make|use|try|thank|step|move|sit|stand|jump|throw|hold|lift|ring|wind|hide|read|write|bring|return|set|show|approach|examine|search|offer|explain|help'
const ACT = new RegExp(`\\byou (?:\\w+ly )?(${ACTS})\\b`, 'gi')

function isPlayersAct(sentence: string, line: string): boolean {
  const said = new Set(wordsOf(line))
  const spoken = withoutSpeech(sentence)
  // What the player's own line says may be told again.
  return [...spoken.matchAll(ACT)].some(([, verb = '']) => !said.has(verb.toLowerCase()))
}

function withoutSpeech(text: string): string {
  return text.replace(/["“][^"”]*(["”]|$)/g, ' … ')
}

/** The share of the words of a sentence that are words of the player's line. */
function likeness(sentence: string, line: string): number {
  const ofLine = new Set(['you', 'say', 'your', ...wordsOf(line)].flatMap((word) => [word, `${word}s`]))
  const words = wordsOf(sentence)
  return shareOf(words.filter((word) => ofLine.has(word)).length, words.length) ?? 1
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []
}

function folded(sentence: string): string {
  return wordsOf(sentence).join(' ')
}

/** One row of the table: medians and percentages over all replies. */
export function rowOf(answered: readonly ScoredReplies[]) {
  const scores = answered.flatMap((one) => one.replies.map((reply) => scoreReply(reply, one)))
  const percent = (is: (score: ReplyScore) => boolean) =>
    Math.round(100 * (shareOf(scores.filter(is).length, scores.length) ?? 0))
  return {
    replies: scores.length,
    words: median(scores.map(({ words }) => words)),
    'own words': median(scores.map(({ own }) => own)),
    'nothing of its own %': percent(({ own }) => own === 0),
    'copies the line only %': percent(({ copiesLine }) => copiesLine),
    'copies earlier passages %': percent(({ copiesEarlier }) => copiesEarlier),
    'acts for the player %': percent(({ actsForPlayer }) => actsForPlayer),
    'block valid %': percent(({ blockIsValid }) => blockIsValid === true),
    'good %': percent(({ good }) => good),
    'prompt tokens': median(answered.map(({ promptTokens }) => promptTokens)),
  }
}
