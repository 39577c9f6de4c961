import { contentWords, namesIn, stem } from './content-words.ts'

/** The texts that a query is built from: the actions before the newest line, newest last, and that line. */
export interface RecallTexts {
  newest: string[]
  line: string
}

/** A word to search for. `weight` is how much a memory that contains it gains. */
export interface QueryTerm {
  word: string
  weight: number
  isName: boolean
}

interface QueryOptions {
  /** The triggers of the story cards. */
  cardKeys: string[]
  /** How many memories of the story contain a word. */
  frequency: (word: string) => number
  /** How many memories the story has. */
  total: number
}

/** Each word costs one index lookup. */
const MAX_WORDS = 120
const MAX_TERMS = 24
/** How many of the newest actions contribute words. */
const ACTIONS = 4
const LINE_WEIGHT = 3
/** An action counts half once this many words have followed it. */
const HALF_LIFE_WORDS = 20
/** This many words of a text count in full. */
const FULL_WEIGHT_WORDS = 10

/** The words whose frequency `queryTerms` needs, newest first. */
export function queryWords({ newest, line }: RecallTexts): string[] {
  return contentWords([line, ...newest.slice(-ACTIONS).reverse()].join('\n')).slice(0, MAX_WORDS)
}

/** The words that the newest turn searches memories for, heaviest first. Words that no memory contains are left out. */
export function queryTerms(texts: RecallTexts, { cardKeys, frequency, total }: QueryOptions): QueryTerm[] {
  const names = queryNames(texts, cardKeys)
  const weights = positionWeights(texts)
  const terms = queryWords(texts)
    .map((word) => ({ word, isName: names.has(word), count: frequency(word) }))
    .filter(({ count }) => count > 0)
    .map(({ word, isName, count }) => ({
      word,
      isName,
      weight: (weights.get(word) ?? 0) * rarity(count, total),
    }))
  return onePerStem(terms.sort(heavierFirst)).slice(0, MAX_TERMS)
}

/** The query in FTS5 syntax. Each term is a quoted string, so that none of it is read as an operator. */
export function matchExpression(terms: { word: string }[]): string {
  return terms.map(({ word }) => `"${word.replaceAll('\0', '').replaceAll('"', '""')}"`).join(' OR ')
}

/**
 * How much each word counts by where it appears: three times in the line, and in an action less the more text follows
 * it. The words of a long text share its weight, so that a long reply does not drown out the line.
 */
function positionWeights({ newest, line }: RecallTexts): Map<string, number> {
  const weights = new Map<string, number>()
  const add = (words: string[], weight: number) => {
    const each = weight * Math.sqrt(FULL_WEIGHT_WORDS / Math.max(FULL_WEIGHT_WORDS, words.length))
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + each)
  }
  let wordsAfter = 0
  for (const words of newest.slice(-ACTIONS).reverse().map(contentWords)) {
    add(words, HALF_LIFE_WORDS / (HALF_LIFE_WORDS + wordsAfter))
    wordsAfter += words.length
  }
  add(contentWords(line), LINE_WEIGHT)
  return weights
}

/** Capitalised words, and the words of card triggers that occur in full. */
function queryNames({ newest, line }: RecallTexts, cardKeys: string[]): Set<string> {
  const text = [...newest.slice(-ACTIONS), line].join('\n')
  const words = ` ${contentWords(text).join(' ')} `
  const keys = cardKeys.map((key) => contentWords(key)).filter((key) => key.length > 0)
  const matching = keys.filter((key) => key.every((word) => words.includes(` ${word} `)))
  return new Set([...namesIn(text), ...matching.flat()])
}

/** The weight of a word by how few texts contain it. */
export function rarity(count: number, total: number): number {
  return Math.log(1 + (Math.max(total, count) - count + 0.5) / (count + 0.5))
}

/** Keeps the heaviest form of each word. */
function onePerStem(terms: QueryTerm[]): QueryTerm[] {
  const byStem = new Map<string, QueryTerm>()
  for (const term of terms) {
    const key = stem(term.word)
    if (!byStem.has(key)) byStem.set(key, term)
  }
  return [...byStem.values()]
}

function heavierFirst(one: QueryTerm, other: QueryTerm): number {
  return other.weight - one.weight || (one.word < other.word ? -1 : 1)
}
