import { type Place, storyBefore } from '../db/actions.ts'
import type { Reader } from '../db/database.ts'
import { countIndexed, documentFrequencies, listPinnedMemories, searchMemories } from '../db/search/memory-search.ts'
import { nearestMemories } from '../db/memory-vectors.ts'
import { isPlayerLine } from '../domain/action.ts'
import type { Adventure } from '../domain/adventure.ts'
import { estimateTokens } from '../domain/prompt/tokens.ts'
import type { Told } from '../domain/prompt/window.ts'
import {
  fuse,
  matchExpression,
  pickMemories,
  queryTerms,
  queryWords,
  type Recalled,
  scoreMemories,
  type Texts,
} from '../domain/recall/recall.ts'
import type { Query } from '../domain/recall/vectors.ts'
import type { Settings } from '../domain/settings.ts'

/** Memories that are weighed against each other, and passages whose words look for them. */
const CANDIDATES = 100
const NEAREST = 50
const NEWEST = 4

/** Looks for what is worth remembering at a place of a story, by the words of its newest passages. */
export function recallFor(
  reader: Reader,
  { id, memory_bank_enabled }: Adventure,
  { memory_top_k }: Settings,
  before: Place | null,
  query: Query | null,
): (endingBefore: number, triggers: string[]) => Recalled[] {
  return (endingBefore, triggers) => {
    const total = memory_bank_enabled ? countIndexed(reader, id) : 0
    if (total === 0) return []
    const texts = newestTexts(reader, id, before)
    const frequencies = documentFrequencies(reader, id, queryWords(texts))
    const terms = queryTerms(texts, {
      cardKeys: triggers,
      frequency: (word) => frequencies.get(word) ?? 0,
      total,
    })
    const found = [
      ...listPinnedMemories(reader, id, endingBefore),
      ...searchMemories(reader, id, matchExpression(terms), endingBefore, CANDIDATES),
    ]
    const once = [...new Map(found.map((memory) => [memory.id, memory])).values()]
    const byWords = scoreMemories(once, terms)
    const near = query ? nearestMemories(reader, id, query.model, query.vector, endingBefore, NEAREST) : []
    return pickMemories(query ? fuse(byWords, near) : byWords, { k: memory_top_k, estimate: estimateTokens })
  }
}

/** The newest passages and the player's line that waits, as memories are looked for by them. */
export function newestTexts(reader: Reader, adventureId: number, before: Place | null): Texts {
  const newest: Told[] = []
  for (const action of storyBefore(reader, adventureId, before).back()) {
    newest.unshift(action)
    if (newest.length > NEWEST) break
  }
  const last = newest.at(-1)
  const line = last && isPlayerLine(last.type) ? last.text : ''
  return { newest: (line === '' ? newest : newest.slice(0, -1)).map(({ text }) => text), line }
}
