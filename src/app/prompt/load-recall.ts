import type { Reader } from '../../db/database.ts'
import { storyOrder } from '../../db/search/story-order.ts'
import { textVectors } from '../../db/search/text-vectors.ts'
import { findAnswers, getAdventure } from '../../db/tables/adventures.ts'
import { loadPromptCards } from './prompt-cards.ts'

/** Reads the cards of a story for its next prompt alone: see {@link loadRecall}. */
export function loadCards(reader: Reader, adventureId: number, signal: AbortSignal): Promise<void> {
  return inPieces(loadPromptCards(reader, adventureId, findAnswers(reader, adventureId) ?? {}), signal)
}

/**
 * Reads the cards of a story and the vectors of its texts for its next prompt, unless they are in memory, and lets other work
 * run between two pieces. Throws not_found, and the signal's reason.
 */
export async function loadRecall(reader: Reader, adventureId: number, signal: AbortSignal): Promise<void> {
  await loadCards(reader, adventureId, signal)
  if (!getAdventure(reader, adventureId).memory_bank_enabled) return
  await inPieces(textVectors.load(reader, adventureId), signal)
}

async function inPieces(steps: Generator<void, unknown>, signal: AbortSignal): Promise<void> {
  while (!steps.next().done) {
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
  }
}

/** The same while the player reads, with the order of the passages: the next turn needs it. */
export async function recallAhead(reader: Reader, adventureId: number, signal: AbortSignal): Promise<void> {
  await loadRecall(reader, adventureId, signal)
  if (getAdventure(reader, adventureId).memory_bank_enabled) storyOrder(reader, adventureId)
}
