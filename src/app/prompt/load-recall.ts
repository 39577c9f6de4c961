import type { Reader } from '../../db/database.ts'
import { documentFrequencies } from '../../db/search/memory-search.ts'
import { passageVectors } from '../../db/search/passage-vectors.ts'
import { recallable } from '../../db/search/recallable.ts'
import { storyOrder } from '../../db/search/story-order.ts'
import { findAnswers, getAdventure } from '../../db/tables/adventures.ts'
import { queryWords } from '../../domain/recall/query.ts'
import { loadPromptCards } from './prompt-cards.ts'
import { newestTexts } from './recall.ts'
import { toldStory } from './told-story.ts'

/** Reads the cards of a story for its next prompt alone: see {@link loadRecall}. */
export function loadCards(reader: Reader, adventureId: number, signal: AbortSignal): Promise<void> {
  return inPieces(loadPromptCards(reader, adventureId, findAnswers(reader, adventureId) ?? {}), signal)
}

/**
 * Reads the cards and memories of a story and the vectors of its passages for its next prompt, unless they are in memory, and
 * lets other work run between two pieces. Throws not_found, and the signal's reason.
 */
export async function loadRecall(reader: Reader, adventureId: number, signal: AbortSignal): Promise<void> {
  await loadCards(reader, adventureId, signal)
  if (!getAdventure(reader, adventureId).memory_bank_enabled) return
  for (const cache of [recallable, passageVectors]) await inPieces(cache.load(reader, adventureId), signal)
}

async function inPieces(steps: Generator<void, unknown>, signal: AbortSignal): Promise<void> {
  while (!steps.next().done) {
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
  }
}

/**
 * The same while the player reads, with the order of the passages, and the words of the newest passages: the next turn needs
 * them.
 */
export async function recallAhead(reader: Reader, adventureId: number, signal: AbortSignal): Promise<void> {
  await loadRecall(reader, adventureId, signal)
  if (getAdventure(reader, adventureId).memory_bank_enabled) storyOrder(reader, adventureId)
  documentFrequencies(reader, adventureId, queryWords(newestTexts(toldStory(reader, adventureId, null))))
}
