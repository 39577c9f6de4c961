import type { Reader } from '../../db/database.ts'
import { documentFrequencies } from '../../db/search/memory-search.ts'
import { passageVectors } from '../../db/search/passage-vectors.ts'
import { recallable } from '../../db/search/recallable.ts'
import { storyOrder } from '../../db/search/story-order.ts'
import { findAnswers, getAdventure } from '../../db/tables/adventures.ts'
import { queryWords } from '../../domain/recall/query.ts'
import { promptCards } from './prompt-cards.ts'
import { newestTexts } from './recall.ts'
import { toldStory } from './told-story.ts'

/**
 * Reads the memories of a story and the vectors of its passages for its next prompt, unless they are in memory, and lets
 * other work run between two pieces. Throws not_found, and the signal's reason.
 */
export async function loadRecall(reader: Reader, adventureId: number, signal: AbortSignal): Promise<void> {
  if (!getAdventure(reader, adventureId).memory_bank_enabled) return
  for (const cache of [recallable, passageVectors]) {
    const steps = cache.load(reader, adventureId)
    while (!steps.next().done) {
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
    }
  }
}

/**
 * The same while the player reads, with the cards, the order of the passages, and the words of the newest passages: the next
 * turn needs them.
 */
export async function recallAhead(reader: Reader, adventureId: number, signal: AbortSignal): Promise<void> {
  await loadRecall(reader, adventureId, signal)
  promptCards(reader, adventureId, findAnswers(reader, adventureId) ?? {})
  if (getAdventure(reader, adventureId).memory_bank_enabled) storyOrder(reader, adventureId)
  documentFrequencies(reader, adventureId, queryWords(newestTexts(toldStory(reader, adventureId, null))))
}
