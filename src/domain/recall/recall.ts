import { contentWords, namesIn, stem } from './content-words.ts'

/** Where the words of a query come from: the actions before the newest line, newest last, and that line. */
export interface Texts {
  newest: string[]
  line: string
}

/** Words that are looked up, the newest first: each is a look into the index. */
const MOST_WORDS = 120

/** A word to look for. `weight` says how much a memory that has it gains. */
export interface Term {
  word: string
  weight: number
  isName: boolean
}

/** A memory that may be recalled; `bm25` as SQLite gives it, below 0. */
export interface Candidate {
  id: number
  text: string
  source_end: number | null
  pinned: boolean
  bm25: number
}

/** A memory with the reason for which it is recalled. */
export interface Recalled {
  id: number
  text: string
  source_end: number | null
  pinned: boolean
  /** The words that it shares with the newest turn, the weightiest first. */
  terms: string[]
  /** Between 0 and about 1; only good to compare within one turn. */
  score: number
  via: 'words' | 'vector' | 'both' | 'pinned'
}

/** A memory found by its vector. */
export type VectorHit = Omit<Candidate, 'bm25'> & { cosine: number }

export interface QueryOptions {
  /** The triggers of the story cards. */
  cardKeys: string[]
  /** In how many memories of the story a word stands. */
  frequency: (word: string) => number
  /** How many memories the story has. */
  total: number
}

export interface PickOptions {
  k: number
  /** The most tokens that all texts together may take. */
  tokens?: number
  estimate?: (text: string) => number
}

/** The words of which `queryTerms` wants to know the frequency. */
export function queryWords({ newest, line }: Texts): string[] {
  return contentWords([line, ...newest.slice(-ACTIONS).reverse()].join('\n')).slice(0, MOST_WORDS)
}

/** The words by which the newest turn looks for memories, the weightiest first. Words that no memory has are out. */
export function queryTerms(texts: Texts, { cardKeys, frequency, total }: QueryOptions): Term[] {
  const names = queryNames(texts, cardKeys)
  const places = placeWeights(texts)
  const terms = queryWords(texts)
    .map((word) => ({ word, isName: names.has(word), count: frequency(word) }))
    .filter(({ count }) => count > 0)
    .map(({ word, isName, count }) => ({
      word,
      isName,
      weight: (places.get(word) ?? 0) * rarity(count, total),
    }))
  return onePerStem(terms.sort(heavierFirst)).slice(0, MOST_TERMS)
}

/** The query in the syntax of FTS5. Each term is a quoted string, so that nothing in it can be an operator. */
export function matchExpression(terms: { word: string }[]): string {
  return terms.map(({ word }) => `"${word.replaceAll('\0', '').replaceAll('"', '""')}"`).join(' OR ')
}

/** The memories that go into the prompt, in the order of their worth. */
export function rankMemories(candidates: Candidate[], terms: Term[], options: PickOptions): Recalled[] {
  return pickMemories(scoreMemories(candidates, terms), options)
}

/** All memories that are worth a thought, best first; pinned ones whatever their score. */
export function scoreMemories(candidates: Candidate[], terms: Term[]): Recalled[] {
  const best = Math.min(...candidates.map(({ bm25 }) => bm25), -Number.MIN_VALUE)
  const newest = Math.max(1, ...candidates.map(({ source_end }) => source_end ?? 0))
  const stemmed = terms.map((term) => ({ ...term, stem: stem(term.word) }))
  const all = terms.reduce((sum, { weight }) => sum + weight, 0) || 1
  const scored = candidates.map((candidate) => {
    const shared = sharedTerms(candidate.text, stemmed)
    const overlap = shared.reduce((sum, { weight }) => sum + weight, 0) / all
    const names = shared.filter(({ isName }) => isName).length
    const score =
      overlap *
      (1 - BM25_SHARE + BM25_SHARE * (candidate.bm25 / best)) *
      (1 + NAME_BONUS * names) *
      recency(candidate.source_end, newest)
    return { candidate, shared, names, score }
  })
  const floor = FLOOR * Math.max(0, ...scored.map(({ score }) => score))
  return scored
    .filter(
      ({ candidate, shared, names, score }) =>
        candidate.pinned || (score > 0 && score >= floor && (shared.length >= 2 || names >= 1)),
    )
    .map(({ candidate: { id, text, source_end, pinned }, shared, score }): Recalled => {
      const via = pinned ? 'pinned' : 'words'
      return { id, text, source_end, pinned, terms: shared.map(({ word }) => word), score, via }
    })
    .sort(betterFirst)
}

/** Pinned memories first; near duplicates are out; at most `k` and at most `tokens`. */
export function pickMemories(
  ranked: Recalled[],
  { k, tokens = 350, estimate = roughTokens }: PickOptions,
): Recalled[] {
  const picked: Recalled[] = []
  let left = tokens
  for (const memory of [...ranked.filter(isPinned), ...ranked.filter((one) => !isPinned(one))]) {
    if (picked.length >= k) break
    const cost = estimate(memory.text)
    if (cost > left || picked.some(({ text }) => areAlike(text, memory.text))) continue
    picked.push(memory)
    left -= cost
  }
  return picked
}

/**
 * Makes one list of the memories found by words and of those found by vectors, both best first: each gains
 * 1 / (60 + rank) from each list. One that only its vector found must come near enough.
 */
export function fuse(words: Recalled[], vectors: VectorHit[]): Recalled[] {
  const fused = new Map<number, Recalled>()
  for (const [index, hit] of words.entries())
    if (!fused.has(hit.id)) fused.set(hit.id, { ...hit, score: gain(index) })
  for (const [index, { cosine, ...hit }] of vectors.entries()) {
    const known = fused.get(hit.id)
    if (known)
      Object.assign(known, { score: known.score + gain(index), via: known.pinned ? 'pinned' : 'both' })
    else if (cosine >= COSINE_FLOOR || hit.pinned) fused.set(hit.id, foundByVector(hit, gain(index)))
  }
  return [...fused.values()].sort(betterFirst)
}

const ACTIONS = 4
const MOST_TERMS = 24
const NAME_BONUS = 0.3
const FLOOR = 0.35
const ALIKE = 0.6
const COSINE_FLOOR = 0.25
/** How much of the score is also weighed with what SQLite says, which knows how long a memory is. */
const BM25_SHARE = 0.25
const LINE_WEIGHT = 3
/** An action after which so many words were told counts half. */
const HALF = 20
/** So many words of a text count in full. */
const SHORT = 10

function foundByVector({ id, text, source_end, pinned }: Omit<VectorHit, 'cosine'>, score: number): Recalled {
  return { id, text, source_end, pinned, terms: [], score, via: pinned ? 'pinned' : 'vector' }
}

function gain(index: number): number {
  return 1 / (60 + index + 1)
}

/**
 * How much each word counts by where it stands: in the line three times, in an action less the more is told after
 * it. The words of a long text share what it may weigh, so that a long reply does not drown the line.
 */
function placeWeights({ newest, line }: Texts): Map<string, number> {
  const weights = new Map<string, number>()
  const add = (words: string[], weight: number) => {
    const each = weight * Math.sqrt(SHORT / Math.max(SHORT, words.length))
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + each)
  }
  let after = 0
  for (const words of newest.slice(-ACTIONS).reverse().map(contentWords)) {
    add(words, HALF / (HALF + after))
    after += words.length
  }
  add(contentWords(line), LINE_WEIGHT)
  return weights
}

function queryNames({ newest, line }: Texts, cardKeys: string[]): Set<string> {
  const text = [...newest.slice(-ACTIONS), line].join('\n')
  const plain = ` ${contentWords(text).join(' ')} `
  const keys = cardKeys.map((key) => contentWords(key)).filter((words) => words.length > 0)
  const told = keys.filter((words) => words.every((word) => plain.includes(` ${word} `)))
  return new Set([...namesIn(text), ...told.flat()])
}

/** The weight of a word by how few memories have it. */
function rarity(count: number, total: number): number {
  return Math.log(1 + (Math.max(total, count) - count + 0.5) / (count + 0.5))
}

/** Keeps the weightiest of the forms of one word. */
function onePerStem(terms: Term[]): Term[] {
  const kept = new Map<string, Term>()
  for (const term of terms) {
    const key = stem(term.word)
    if (!kept.has(key)) kept.set(key, term)
  }
  return [...kept.values()]
}

function heavierFirst(one: Term, other: Term): number {
  return other.weight - one.weight || (one.word < other.word ? -1 : 1)
}

function sharedTerms<T extends Term & { stem: string }>(text: string, terms: T[]): T[] {
  const stems = new Set(contentWords(text).map(stem))
  return terms.filter((term) => stems.has(term.stem))
}

/** Old memories count a little less. One that was typed by hand has no age. */
function recency(end: number | null, newest: number): number {
  return end === null ? 1 : 0.9 + (0.1 * Math.max(0, end)) / newest
}

function betterFirst(one: Recalled, other: Recalled): number {
  return other.score - one.score || other.id - one.id
}

function isPinned({ pinned }: Recalled): boolean {
  return pinned
}

/** Whether two texts share most of their words. */
function areAlike(one: string, other: string): boolean {
  const words = new Set(contentWords(one).map(stem))
  const others = new Set(contentWords(other).map(stem))
  const both = [...words].filter((word) => others.has(word)).length
  const either = words.size + others.size - both
  return either === 0 ? one === other : both / either > ALIKE
}

function roughTokens(text: string): number {
  return Math.ceil(text.length / 4)
}
