import { getAdventure } from '../../db/tables/adventures.ts'
import type { Reader } from '../../db/database.ts'
import { deleteMemory, getMemory, insertMemory, listMemories, updateMemory } from '../../db/tables/memories.ts'
import { findTrouble, keepTrouble } from '../../db/tables/memory-failures.ts'
import { StoryError } from '../../domain/errors.ts'
import type { Memory } from '../../domain/memory.ts'
import { isBlank } from '../../lib/text.ts'
import type { Deps } from '../deps.ts'

/** The memory bank of a story, and what becomes of it just now. */
export interface MemoryBank {
  memories: Memory[]
  /** What is being remembered at this moment; '' for nothing. */
  busy: string
  /** Why the last try failed, and for how many turns it rests; null when all is well. */
  trouble: { detail: string; rests: number } | null
}

/** Throws not_found. */
export function memoryBank(deps: Deps, adventureId: number): MemoryBank {
  const { reader } = deps.library
  getAdventure(reader, adventureId)
  const trouble = findTrouble(reader, adventureId)
  return {
    memories: listMemories(reader, adventureId),
    busy: deps.idle.busyWith(adventureId),
    trouble: trouble && { detail: trouble.detail, rests: trouble.rests },
  }
}

/** Throws not_found. */
export function memoriesOf(reader: Reader, adventureId: number): Memory[] {
  getAdventure(reader, adventureId)
  return listMemories(reader, adventureId)
}

/** Keeps a memory of the player's own. Throws not_found, malformed_body. */
export function createMemory(deps: Deps, adventureId: number, text: string): Memory {
  getAdventure(deps.library.reader, adventureId)
  const words = demandWords(text)
  const id = deps.library.write((tx) => insertMemory(tx, adventureId, words, null, deps.now()))
  return getMemory(deps.library.reader, adventureId, id)
}

/** What a player may change of a memory. */
export interface MemoryChange {
  text?: string | undefined
  pinned?: boolean | undefined
  forgotten?: boolean | undefined
}

/** Throws not_found, malformed_body. */
export function changeMemory(
  deps: Deps,
  adventureId: number,
  id: number,
  { text, pinned, forgotten }: MemoryChange,
): Memory {
  const memory = getMemory(deps.library.reader, adventureId, id)
  const words = text === undefined ? undefined : demandWords(text)
  deps.library.write((tx) =>
    updateMemory(tx, adventureId, id, {
      ...(words === undefined || words === memory.text ? {} : { text: words }),
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

/** Tries again what failed, without waiting. Throws not_found. */
export function rememberNow(deps: Deps, adventureId: number): void {
  getAdventure(deps.library.reader, adventureId)
  deps.library.write((tx) => keepTrouble(tx, adventureId, null))
  deps.idle.wake(adventureId)
}

function demandWords(text: string): string {
  if (isBlank(text)) throw new StoryError('malformed_body', 'A memory needs words.')
  return text.trim()
}
