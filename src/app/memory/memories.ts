import type { Reader } from '../../db/database.ts'
import { getAdventure } from '../../db/tables/adventures.ts'
import {
  deleteMemory,
  getMemory,
  insertMemory,
  listMemories,
  updateMemory,
} from '../../db/tables/memory/memories.ts'
import { findMemoryFailure, upsertMemoryFailure } from '../../db/tables/memory/memory-failures.ts'
import type { CardProposal } from '../../domain/cards/proposals.ts'
import { StoryError } from '../../domain/errors.ts'
import type { Memory } from '../../domain/memory.ts'
import { isBlank } from '../../lib/text.ts'
import type { Deps } from '../deps.ts'
import { proposalsOf } from './card-proposals.ts'

/** The memory bank of a story, the cards proposed for it, and the state of the work on it. */
export interface MemoryBank {
  memories: Memory[]
  proposals: CardProposal[]
  /** The work that runs right now; '' for none. */
  busy: string
  /** The error of the last attempt, and the turns of its pause; null when all is well. */
  failure: { detail: string; rests: number } | null
}

/** Throws not_found. */
export function memoryBank(deps: Deps, adventureId: number): MemoryBank {
  const { reader } = deps.library
  getAdventure(reader, adventureId)
  const failure = findMemoryFailure(reader, adventureId)
  return {
    memories: listMemories(reader, adventureId),
    proposals: proposalsOf(reader, adventureId),
    busy: deps.idle.busyWith(adventureId),
    failure: failure && { detail: failure.detail, rests: failure.rests },
  }
}

/** Throws not_found. */
export function memoriesOf(reader: Reader, adventureId: number): Memory[] {
  getAdventure(reader, adventureId)
  return listMemories(reader, adventureId)
}

/** Adds a memory that the player wrote. Throws not_found, malformed_body. */
export function createMemory(deps: Deps, adventureId: number, text: string): Memory {
  getAdventure(deps.library.reader, adventureId)
  const trimmed = requireText(text)
  const id = deps.library.write((tx) =>
    insertMemory(tx, adventureId, { text: trimmed, source: null }, deps.now()),
  )
  return getMemory(deps.library.reader, adventureId, id)
}

type MemoryChange = {
  [Name in 'text' | 'no_longer' | 'pinned' | 'forgotten']?: Memory[Name] | undefined
}

/** Throws not_found, malformed_body. */
export function changeMemory(
  deps: Deps,
  adventureId: number,
  id: number,
  { text, no_longer, pinned, forgotten }: MemoryChange,
): Memory {
  const memory = getMemory(deps.library.reader, adventureId, id)
  const trimmed = text === undefined ? undefined : requireText(text)
  deps.library.write((tx) =>
    updateMemory(tx, id, {
      ...(trimmed === undefined || trimmed === memory.text ? {} : { text: trimmed }),
      ...(no_longer === undefined ? {} : { no_longer: no_longer.trim() }),
      ...(pinned === undefined ? {} : { pinned }),
      ...(forgotten === undefined ? {} : { forgotten }),
    }),
  )
  return getMemory(deps.library.reader, adventureId, id)
}

/** Throws not_found. */
export function removeMemory(deps: Deps, adventureId: number, id: number): void {
  getMemory(deps.library.reader, adventureId, id)
  deps.library.write((tx) => deleteMemory(tx, id))
}

/** Retries failed work at once, without the pause. Throws not_found. */
export function rememberNow(deps: Deps, adventureId: number): void {
  getAdventure(deps.library.reader, adventureId)
  deps.library.write((tx) => upsertMemoryFailure(tx, adventureId, null))
  deps.idle.wake(adventureId)
}

function requireText(text: string): string {
  if (isBlank(text)) throw new StoryError('malformed_body', 'A memory cannot be empty.')
  return text.trim()
}
