import type { Reader } from '../../db/database.ts'
import type { Library } from '../../db/library.ts'
import {
  findInterrupted,
  getInterrupted,
  hashOfEnd,
  type NewInterrupted,
  upsertInterrupted,
} from '../../db/tables/interrupted-replies.ts'
import type { InterruptedReply } from '../../domain/interrupted-reply.ts'

/**
 * The interrupted replies that the library could not take, because the disk is full or failing. They are held until it can,
 * and are lost if the service ends before.
 */
export class UnsavedReplies {
  private readonly held = new Map<number, NewInterrupted & { end: string }>()

  hold(reader: Reader, adventureId: number, reply: NewInterrupted): void {
    this.held.set(adventureId, { ...reply, end: hashOfEnd(reader, adventureId) })
  }

  /** The interrupted reply of a story, saved or not. */
  find(reader: Reader, adventureId: number): InterruptedReply | null {
    const held = this.held.get(adventureId)
    if (held === undefined || held.end !== hashOfEnd(reader, adventureId))
      return findInterrupted(reader, adventureId)
    return { text: held.text, retry: held.retry, unsaved: true }
  }

  /** Throws not_found. */
  get(reader: Reader, adventureId: number): InterruptedReply {
    return this.find(reader, adventureId) ?? getInterrupted(reader, adventureId)
  }

  /** Saves the held reply of a story, before a change that reads it. Throws storage_full, library_busy. */
  save(library: Library, adventureId: number): void {
    const held = this.held.get(adventureId)
    if (held === undefined) return
    const { end, ...reply } = held
    if (end === hashOfEnd(library.reader, adventureId))
      library.write((tx) => upsertInterrupted(tx, adventureId, reply))
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
