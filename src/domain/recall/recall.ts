import { estimateTokens } from '../prompt/tokens.ts'
import { contentWords, stem, stemsOf } from './content-words.ts'
import type { QueryTerm } from './query.ts'

/** A memory that may be recalled. `bm25` is SQLite's score, below 0; lower is better. */
export interface MemoryCandidate {
  id: number
  text: string
  source_end: number | null
  pinned: boolean
  bm25: number
}

/** A memory and why it is recalled. */
export interface RecalledText {
  id: number
  text: string
  source_end: number | null
  pinned: boolean
  /** The words that it shares with the newest turn, heaviest first. */
  terms: string[]
  /** Between 0 and about 1; comparable only within one turn. */
  score: number
  via: 'words' | 'vector' | 'both' | 'pinned' | 'change'
  /** It is no longer so. */
  isPast: boolean
}

/** A memory in a ranking by vectors. */
export interface VectorHit {
  id: number
  /** 1 for the nearest. */
  rank: number
  /** It is recalled even if no word found it. */
  standsOut: boolean
  /** It is recalled if words found it. */
  fits: boolean
}

const NAME_BONUS = 0.3
/** A memory that scores less than this share of the best one is left out. */
const FLOOR = 0.35
/** The share of common words above which two memories are near duplicates. */
const DUPLICATE_OVERLAP = 0.6
/** This many of its words in the player's own line speak for a memory, whatever its vector says. */
const ASKED_WORDS = 2
/** How much of the score depends on BM25, which takes the length of a memory into account. */
const BM25_SHARE = 0.25

interface StemmedTerm extends QueryTerm {
  stem: string
}

interface ScoredCandidate {
  candidate: MemoryCandidate
  shared: StemmedTerm[]
  names: number
  score: number
}

/** The memories worth considering, best first; pinned ones whatever their score. */
export function scoreMemories(candidates: MemoryCandidate[], terms: QueryTerm[]): RecalledText[] {
  const scored = scoredCandidates(candidates, terms)
  const floor = FLOOR * Math.max(0, ...scored.map(({ score }) => score))
  return scored
    .filter(
      ({ candidate, shared, names, score }) =>
        candidate.pinned || (score > 0 && score >= floor && (shared.length >= 2 || names >= 1)),
    )
    .map(
      ({ candidate, shared, score }): RecalledText => ({
        ...foundByVector(candidate),
        terms: shared.map(({ word }) => word),
        score,
        via: candidate.pinned ? 'pinned' : 'words',
      }),
    )
    .sort(betterFirst)
}

function scoredCandidates(candidates: MemoryCandidate[], terms: QueryTerm[]): ScoredCandidate[] {
  const best = Math.min(...candidates.map(({ bm25 }) => bm25), -Number.MIN_VALUE)
  const newest = Math.max(1, ...candidates.map(({ source_end }) => source_end ?? 0))
  const stemmed = terms.map((term) => ({ ...term, stem: stem(term.word) }))
  const total = terms.reduce((sum, { weight }) => sum + weight, 0) || 1
  return candidates.map((candidate) => {
    const shared = sharedTerms(candidate.text, stemmed)
    const overlap = shared.reduce((sum, { weight }) => sum + weight, 0) / total
    const names = shared.filter(({ isName }) => isName).length
    const score =
      overlap *
      (1 - BM25_SHARE + BM25_SHARE * (candidate.bm25 / best)) *
      (1 + NAME_BONUS * names) *
      recency(candidate.source_end, newest)
    return { candidate, shared, names, score }
  })
}

/** Pinned memories first, without near duplicates; at most `k`, and at most `tokens` altogether. */
export function pickMemories(
  ranked: RecalledText[],
  { k, tokens }: { k: number; tokens: number },
): RecalledText[] {
  const picked: RecalledText[] = []
  let remaining = tokens
  for (const memory of [...ranked.filter(isPinned), ...ranked.filter((one) => !isPinned(one))]) {
    if (picked.length >= k) break
    const cost = estimateTokens(memory.text)
    if (cost > remaining || picked.some(({ text }) => areAlike(text, memory.text))) continue
    picked.push(memory)
    remaining -= cost
  }
  return picked
}

/**
 * Memories that say what is so now, before those that they make past. `presentOf` gives the id of the memory that has
 * changed one, `listPresent` those that are to come along, by their ids.
 */
export function presentFirst(
  picked: readonly RecalledText[],
  presentOf: (memory: RecalledText) => number | null,
  listPresent: (ids: number[]) => Omit<MemoryCandidate, 'bm25'>[],
): RecalledText[] {
  const changed = new Map(picked.map((memory) => [memory.id, presentOf(memory)]))
  const missing = [...changed.values()].filter((id): id is number => id !== null && !changed.has(id))
  const fetched = listPresent(missing).map(
    (memory): RecalledText => ({ ...foundByVector(memory), via: 'change' }),
  )
  const present = new Map([...picked, ...fetched].map((memory) => [memory.id, memory]))
  const ordered = picked.flatMap((memory) => {
    const now = present.get(changed.get(memory.id) ?? 0)
    return now ? [now, { ...memory, isPast: true }] : [{ ...memory, isPast: changed.get(memory.id) !== null }]
  })
  const rest = fetched.filter((memory) => !ordered.includes(memory))
  return [...new Map([...rest, ...ordered].map((memory) => [memory.id, memory])).values()]
}

/** What vectors say about the memories of a story. */
interface Meaning {
  /** Of each ranking, those that words found or that stand out in it. */
  rankings: readonly VectorHit[][]
  /** Those that stand out in one. */
  outstanding: readonly Omit<MemoryCandidate, 'bm25'>[]
  /** The player's line. */
  line: string
}

/**
 * Merges the memories found by words, best first, with rankings by vectors, by reciprocal rank fusion: each gains 1 / (60 +
 * rank) from each list. What words found must also fit a ranking, unless the player asked for it in its own words or it has
 * no vector yet. An outlier needs no words.
 */
export function mergeRankings(
  words: readonly RecalledText[],
  { rankings, outstanding, line }: Meaning,
): RecalledText[] {
  const asked = new Set(contentWords(line).map(stem))
  const isAsked = ({ terms }: RecalledText) =>
    terms.filter((word) => asked.has(stem(word))).length >= ASKED_WORDS
  const hits = rankings.flat()
  const judged = new Set(hits.map(({ id }) => id))
  const fitting = new Set(hits.filter(({ fits }) => fits).map(({ id }) => id))
  const found = words.map((hit, index) => ({ ...hit, score: gain(index + 1) }))
  const kept = found.filter((hit) => hit.pinned || fitting.has(hit.id) || !judged.has(hit.id) || isAsked(hit))
  const fused = new Map([...outstanding.map(foundByVector), ...kept].map((hit) => [hit.id, hit]))
  for (const { id, rank, standsOut } of hits) {
    const known = fused.get(id)
    if (known) known.score += gain(rank)
    if (known?.via === 'words' && standsOut) known.via = 'both'
  }
  return [...fused.values()].sort(betterFirst)
}

function foundByVector({ id, text, source_end, pinned }: Omit<MemoryCandidate, 'bm25'>): RecalledText {
  return {
    id,
    text,
    source_end,
    pinned,
    terms: [],
    score: 0,
    via: pinned ? 'pinned' : 'vector',
    isPast: false,
  }
}

function gain(rank: number): number {
  return 1 / (60 + rank)
}

function sharedTerms(text: string, terms: StemmedTerm[]): StemmedTerm[] {
  const stems = stemsOf(text)
  return terms.filter((term) => stems.has(term.stem))
}

/** Old memories count a little less. One that the player wrote has no age. */
function recency(end: number | null, newest: number): number {
  return end === null ? 1 : 0.9 + (0.1 * Math.max(0, end)) / newest
}

function betterFirst(one: RecalledText, other: RecalledText): number {
  return other.score - one.score || other.id - one.id
}

function isPinned({ pinned }: RecalledText): boolean {
  return pinned
}

function areAlike(one: string, other: string): boolean {
  const [words, others] = [stemsOf(one), stemsOf(other)]
  const shared = [...words].filter((word) => others.has(word)).length
  const total = words.size + others.size - shared
  return total === 0 ? one === other : shared / total > DUPLICATE_OVERLAP
}
