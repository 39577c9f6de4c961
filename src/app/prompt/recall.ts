import type { Reader } from '../../db/database.ts'
import { type FoundText, searchStory } from '../../db/search/recall-search.ts'
import { memoryIdOf } from '../../db/search/story-texts.ts'
import { listCovering, listPinned, listRecallable } from '../../db/tables/memory/recallable.ts'
import { isPlayerLine } from '../../domain/action.ts'
import type { Adventure } from '../../domain/adventure.ts'
import { filledPassage } from '../../domain/prompt/filled-texts.ts'
import type { Recalled } from '../../domain/prompt/prompt.ts'
import type { Story } from '../../domain/prompt/window.ts'
import { type Change, presentOf } from '../../domain/recall/changes.ts'
import { isQuestion, type LineTerm, lineTerms } from '../../domain/recall/line-terms.ts'
import { pickMemories, presentFirst, type RecalledText } from '../../domain/recall/memories.ts'
import { quoteOf, type RecalledPassage } from '../../domain/recall/passage-notes.ts'
import { foundBy, leastScore, worthRecalling } from '../../domain/recall/ranking.ts'
import type { VectorQuery } from '../../domain/recall/vectors.ts'
import type { Answers } from '../../domain/text/placeholder.ts'

/** Tokens that recalled memories may take together. */
const MAX_TOKENS = 350

interface RecallOptions {
  /** The most memories, and the most passages, to recall. */
  topK: number
  /** The player's line that is recalled for; '' on a turn without one. */
  line: string
  query: VectorQuery | null
  /** Notes of memories on what is no longer so. */
  changes: () => readonly Change[]
  /** The opening is quoted with its placeholders filled. */
  answers: Answers
}

/**
 * A function that finds the passages before an index that the player's line speaks of, and memories: those of these passages,
 * notes that it speaks of, and pinned ones.
 */
export function recallFor(
  reader: Reader,
  { id, memory_bank_enabled }: Pick<Adventure, 'id' | 'memory_bank_enabled'>,
  options: RecallOptions,
): (endingBefore: number) => Recalled {
  const { topK, line, query, changes } = options
  const terms = lineTerms(line)
  const asks = isQuestion(line)
  return (endingBefore) => {
    if (!memory_bank_enabled) return { memories: [], passages: [] }
    const search = { terms, endingBefore, least: leastScore(asks), query }
    const worth = terms.length === 0 ? [] : worthRecalling(searchStory(reader, id, search), asks)
    const best = worth.filter(({ index }) => index !== null).slice(0, topK)
    const passages = best.map((passage) => quoted(passage, terms, options))
    const hits = worth.filter((hit) => hit.index === null || best.includes(hit))
    const picked = pickMemories(memoriesOf(reader, id, hits, endingBefore), { k: topK, tokens: MAX_TOKENS })
    const present = passages.flatMap(({ changedBy }) => changedBy ?? [])
    const memories = presentFirst(
      picked,
      ({ text, source_end }) => presentOf(text, source_end, changes())?.id ?? null,
      (ids) => listRecallable(reader, id, [...present, ...ids], endingBefore),
    )
    return { memories, passages }
  }
}

function quoted(passage: FoundText, terms: readonly LineTerm[], options: RecallOptions): RecalledPassage {
  const { answers, changes } = options
  const index = passage.index ?? 0
  const quote = quoteOf(filledPassage(passage, () => answers).text, terms)
  return {
    index,
    text: passage.text,
    quote,
    changedBy: presentOf(quote, index, changes())?.id ?? null,
    terms: passage.terms,
    via: foundBy(passage),
  }
}

/** The memories of what was found, best first, then the other pinned ones. */
function memoriesOf(
  reader: Reader,
  adventureId: number,
  hits: readonly FoundText[],
  endingBefore: number,
): RecalledText[] {
  const found = new Map<number, FoundText>()
  for (const hit of hits) {
    const ids = hit.index === null ? [memoryIdOf(hit.id)] : listCovering(reader, adventureId, hit.index)
    for (const id of ids) if (!found.has(id)) found.set(id, hit)
  }
  const memories = [
    ...listRecallable(reader, adventureId, [...found.keys()], endingBefore),
    ...listPinned(reader, adventureId, endingBefore).filter(({ id }) => !found.has(id)),
  ]
  return memories.map((memory) => {
    const hit = found.get(memory.id)
    const via = memory.pinned || !hit ? 'pinned' : foundBy(hit)
    return { ...memory, terms: hit?.terms ?? [], via, isPast: false }
  })
}

/** The player's line that still waits for a reply; '' without one. */
export function newestLine(story: Story): string {
  for (const { type, text } of story.back()) return isPlayerLine(type) ? text : ''
  return ''
}
