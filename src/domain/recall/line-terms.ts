import { foldSearch } from '../../lib/fold-text.ts'
import { type PlacedWord, wordsOf } from '../search/words.ts'

/** Search term of a line: a word of letters, or neighbouring characters of another script. */
export interface LineTerm {
  /** Folded for search. */
  words: [string, ...string[]]
  /** The beginning of its other forms; null if it has none. */
  beginning: string | null
}

/** The terms of a player's line, each once. Words that say nothing in particular are left out. */
export function lineTerms(line: string): LineTerm[] {
  const words = wordsOf(foldSearch(line))
  const terms = words.flatMap((one, i) => (isLetters(one.word) ? wordTerm(one.word) : pairs(words, i)))
  return [...new Map(terms.map((term) => [term.words.join(' '), term])).values()]
}

export function isQuestion(text: string): boolean {
  return QUESTION_MARK.test(text)
}

/** True for a word of the index that goes on for at most so many letters after a common beginning. */
export function isFormOf(word: string, { words: [own], beginning }: LineTerm): boolean {
  if (word === own) return true
  if (beginning === null) return false
  const common = commonLength(word, own)
  return common >= MIN_COMMON && word.length - common <= MAX_OWN && own.length - common <= MAX_OWN
}

/** Any form counts. `words` are folded for search. */
export function hasTerm(words: readonly string[], term: LineTerm): boolean {
  const rest = term.words.slice(1)
  return words.some((word, i) => isFormOf(word, term) && rest.every((next, j) => words[i + j + 1] === next))
}

/** The question marks of the scripts that have one of their own (Greek has a semicolon). */
const QUESTION_MARK = /[?\uff1f\u061f\u2e2e\u055e\u1367]/u

/** Letters that two forms of a word begin with, and the most that each may have behind them. */
const MIN_COMMON = 4
const MAX_OWN = 4

function wordTerm(word: string): LineTerm[] {
  if (!isContentWord(word.toLowerCase()) && !/^\p{N}+$/u.test(word)) return []
  // Another number is another thing: "A1204" is no form of "A1205".
  const hasForms = word.length >= MIN_COMMON && !/\p{N}/u.test(word)
  const beginning = word.slice(0, Math.max(MIN_COMMON, word.length - MAX_OWN))
  return [{ words: [word], beginning: hasForms ? beginning : null }]
}

// One character of a script without words says little, two that stand together mostly are one.
function pairs(words: readonly PlacedWord[], i: number): LineTerm[] {
  const touches = (one: PlacedWord | undefined, other: PlacedWord | undefined) =>
    one !== undefined &&
    other !== undefined &&
    one.at + one.word.length === other.at &&
    !isLetters(other.word)
  const [before, own, after] = [words[i - 1], words[i], words[i + 1]]
  if (own === undefined) return []
  if (after && touches(own, after)) return [{ words: [own.word, after.word], beginning: null }]
  const isAlone = !(before && !isLetters(before.word) && touches(before, own))
  return isAlone ? [{ words: [own.word], beginning: null }] : []
}

function isLetters(word: string): boolean {
  return word.length > 1 || SEPARATED.test(word)
}

function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** A letter or digit of a script that separates its words. */
const SEPARATED = /[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{scx=Armn}\p{scx=Geor}\p{N}]/u

/** True for a lower-case word that can be the subject of a text. */
function isContentWord(word: string): boolean {
  return word.length >= 3 && !STOP_WORDS.has(word)
}

const STOP_WORDS = new Set(
  `about above across after again against all almost along already also although always among and another any anybody
  anyone anything are aren around away because been before behind being below beside between beyond both but
  can cannot come comes could couldn did didn does doesn doing don done down during each either else enough even
  ever every everybody everyone everything few for from get gets getting goes going gone got had
  hadn has hasn have haven having her here hers herself him himself his how however into isn its itself just
  later least less let lets like many may maybe might mine more most much must
  myself near neither never next nobody none nor not nothing now off often once one only onto other others our ours
  out over own perhaps quite rather really said same say says seem seems seen several shall she should shouldn
  since some somebody somehow someone something soon still such take takes than that the their theirs them themselves
  then there these they thing things this those though through too took toward towards under until upon use used very
  want wants was wasn way went were weren what whatever when where whether which while who whole whom whose why
  will with within without would wouldn yes yet you your yours yourself
  ask asked asks look looked looking looks tell tells told try tries tried know knows knew think thinks`.split(
    /\s+/,
  ),
)

/** The sentences of a text, with what stands between them. */
export function sentencesOf(text: string): string[] {
  return text.split(SENTENCE_END)
}

const SENTENCE_END = /(?<=[.!?\u2026\u3002\uff01\uff1f\u061f\u0964\u055e][^\p{L}\p{N}\s]*)(?=[\s\p{L}\p{N}])/u
