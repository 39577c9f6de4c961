import type { Reader } from '../../db/database.ts'
import type { Library } from '../../db/library.ts'
import {
  findInterrupted,
  type StoredReply,
  storyEnd,
  upsertInterrupted,
} from '../../db/tables/waiting-lines.ts'
import type { InterruptedReply } from '../../domain/interrupted-reply.ts'

/**
 * The interrupted replies that the library has not taken yet, because the disk is full or failing. They are held until it can,
 * and are lost if the service ends before.
 */
export class UnsavedReplies {
  private readonly held = new Map<number, StoredReply>()

  hold(adventureId: number, reply: StoredReply): void {
    this.held.set(adventureId, reply)
  }

  /** The interrupted reply of a story, saved or not; null if there is none. */
  find(reader: Reader, adventureId: number): InterruptedReply | null {
    const held = this.held.get(adventureId)
    if (held?.story_end !== storyEnd(reader, adventureId)) return findInterrupted(reader, adventureId)
    const { text, retry, reason } = held
    return { text, retry, reason, unsaved: true }
  }

  /** Saves the held reply of a story, before a change that reads it. Throws storage_full, library_busy. */
  save(library: Library, adventureId: number): void {
    const held = this.held.get(adventureId)
    if (held?.story_end === storyEnd(library.reader, adventureId))
      library.write((tx) => upsertInterrupted(tx, adventureId, held))
    this.held.delete(adventureId)
  }

  /** Saves all held replies that the library can take now. */
  saveAll(library: Library): void {
    for (const adventureId of [...this.held.keys()])
      try {
        this.save(library, adventureId)
      } catch {
        // The reply stays in memory.
      }
  }

  discard(adventureId: number): void {
    this.held.delete(adventureId)
  }
}
