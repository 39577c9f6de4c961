import { estimateTokens } from '../prompt/tokens.ts'
import { foldedWords } from '../search/words.ts'
import type { FoundBy } from './ranking.ts'

export interface MemoryCandidate {
  id: number
  text: string
  /** The index of the last passage that it covers; null for a note. */
  source_end: number | null
  pinned: boolean
}

export interface RecalledText extends MemoryCandidate {
  /** The words that found it, heaviest first. */
  terms: string[]
  via: FoundBy | 'pinned' | 'change'
  /** It is no longer so. */
  isPast: boolean
}

/** The share of common words above which two memories are near duplicates. */
const DUPLICATE_OVERLAP = 0.6

/** Pinned memories first, without near duplicates; at most `k`, and at most `tokens` altogether. */
export function pickMemories(
  found: readonly RecalledText[],
  { k, tokens }: { k: number; tokens: number },
): RecalledText[] {
  const picked: RecalledText[] = []
  let remaining = tokens
  for (const memory of found.toSorted((one, other) => +other.pinned - +one.pinned)) {
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
  listPresent: (ids: number[]) => MemoryCandidate[],
): RecalledText[] {
  const changed = new Map(picked.map((memory) => [memory.id, presentOf(memory)]))
  const missing = [...changed.values()].filter((id): id is number => id !== null && !changed.has(id))
  const fetched = listPresent(missing).map(
    (memory): RecalledText => ({ ...memory, terms: [], via: 'change', isPast: false }),
  )
  const present = new Map([...picked, ...fetched].map((memory) => [memory.id, memory]))
  const ordered = picked.flatMap((memory) => {
    const now = present.get(changed.get(memory.id) ?? 0)
    return now ? [now, { ...memory, isPast: true }] : [{ ...memory, isPast: changed.get(memory.id) !== null }]
  })
  const rest = fetched.filter((memory) => !ordered.includes(memory))
  return [...new Map([...rest, ...ordered].map((memory) => [memory.id, memory])).values()]
}

function areAlike(one: string, other: string): boolean {
  const [words, others] = [new Set(foldedWords(one)), new Set(foldedWords(other))]
  const shared = [...words].filter((word) => others.has(word)).length
  const total = words.size + others.size - shared
  return total === 0 ? one === other : shared / total > DUPLICATE_OVERLAP
}
