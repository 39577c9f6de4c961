import type { Reader } from '../../db/database.ts'
import {
  countIndexed,
  documentFrequencies,
  listPinnedMemories,
  searchMemories,
} from '../../db/search/memory-search.ts'
import { rankByVectors } from '../../db/search/memory-vectors.ts'
import { endsBefore, listCandidates } from '../../db/search/recallable.ts'
import { isPlayerLine } from '../../domain/action.ts'
import type { Adventure } from '../../domain/adventure.ts'
import type { Story, StoryEntry } from '../../domain/prompt/window.ts'
import { type ChangeNote, presentOf } from '../../domain/recall/changes.ts'
import { matchExpression, queryTerms, queryWords, type RecallTexts } from '../../domain/recall/query.ts'
import {
  mergeRankings,
  pickMemories,
  presentFirst,
  type RecalledText,
  scoreMemories,
} from '../../domain/recall/recall.ts'
import type { VectorQuery } from '../../domain/recall/vectors.ts'

/** How many memories are scored, and the passages that supply words. */
const MAX_CANDIDATES = 100
const NEWEST_PASSAGES = 4
/** Tokens that recalled memories may take together. */
const MAX_TOKENS = 350

export interface RecallOptions {
  /** The most to recall. */
  topK: number
  /** The end of the story before the turn that is recalled for. */
  texts: RecallTexts
  query: VectorQuery | null
  /** What memories say is no longer so. */
  changes: () => readonly ChangeNote[]
}

/** A function that finds the memories worth recalling now, by the words of the newest passages and by `query`. */
export function recallFor(
  reader: Reader,
  { id, memory_bank_enabled }: Adventure,
  { topK, texts, query, changes }: RecallOptions,
): (endingBefore: number, triggers: string[], present: readonly number[]) => RecalledText[] {
  return (endingBefore, triggers, present) => {
    const total = memory_bank_enabled ? countIndexed(reader, id) : 0
    if (total === 0) return []
    const frequencies = documentFrequencies(reader, id, queryWords(texts))
    const terms = queryTerms(texts, {
      cardKeys: triggers,
      frequency: (word) => frequencies.get(word) ?? 0,
      total,
    })
    const candidates = [
      ...listPinnedMemories(reader, id, endingBefore),
      ...searchMemories(reader, id, { query: matchExpression(terms), endingBefore, limit: MAX_CANDIDATES }),
    ]
    const unique = [...new Map(candidates.map((memory) => [memory.id, memory])).values()]
    const byWords = scoreMemories(unique, terms)
    const ranked = query
      ? withMeaning(reader, id, byWords, query, { endingBefore, line: texts.line })
      : byWords
    const picked = pickMemories(ranked, { k: topK, tokens: MAX_TOKENS })
    return presentFirst(
      picked,
      ({ text, source_end }) => presentOf(text, source_end, changes())?.id ?? null,
      (ids) =>
        listCandidates(reader, id, [...present, ...ids]).filter((one) => endsBefore(one, endingBefore)),
    )
  }
}

/** Adds what the vectors of a query find to the memories found by words. */
function withMeaning(
  reader: Reader,
  adventureId: number,
  byWords: RecalledText[],
  query: VectorQuery,
  { endingBefore, line }: { endingBefore: number; line: string },
): RecalledText[] {
  const ids = byWords.map(({ id }) => id)
  const rankings = rankByVectors(reader, adventureId, query, { endingBefore, ids })
  const outstanding = rankings.flat().filter(({ standsOut }) => standsOut)
  const candidates = listCandidates(
    reader,
    adventureId,
    outstanding.map(({ id }) => id),
  )
  return mergeRankings(byWords, { rankings, outstanding: candidates, line })
}

/** The newest passages, and the player's line if it still waits for a reply. Memories are recalled by their words. */
export function newestTexts(story: Story): RecallTexts {
  const newest: StoryEntry[] = []
  for (const action of story.back()) {
    newest.unshift(action)
    if (newest.length > NEWEST_PASSAGES) break
  }
  const last = newest.at(-1)
  const line = last && isPlayerLine(last.type) ? last.text : ''
  return { newest: (line === '' ? newest : newest.slice(0, -1)).map(({ text }) => text), line }
}
