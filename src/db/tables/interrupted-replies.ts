import { StoryError } from '../../domain/errors.ts'
import type { InterruptedReply } from '../../domain/interrupted-reply.ts'
import { hashOf } from '../../lib/hash.ts'
import type { Reader, Writer } from '../database.ts'
import { findNewest } from './actions/list.ts'
import { getAdventure } from './adventures.ts'

/** An interrupted reply with everything that is needed to store it in the story, as JSON. */
export interface NewInterrupted extends Pick<InterruptedReply, 'text' | 'retry'> {
  reply: string
}

/** The interrupted reply of a story; null if there is none, or the end of the story has changed since. */
export function findInterrupted(reader: Reader, adventureId: number): InterruptedReply | null {
  const row = reader.get<{ text: string; retry: number; story_end: string }>(
    'SELECT text, retry, story_end FROM interrupted_replies WHERE adventure_id = ?',
    adventureId,
  )
  if (row === null || row.story_end !== hashOfEnd(reader, adventureId)) return null
  return { text: row.text, retry: row.retry !== 0 }
}

/** Throws not_found. */
export function getInterrupted(reader: Reader, adventureId: number): NewInterrupted {
  getAdventure(reader, adventureId)
  const interrupted = findInterrupted(reader, adventureId)
  const reply = reader.value<string>(
    'SELECT reply FROM interrupted_replies WHERE adventure_id = ?',
    adventureId,
  )
  if (interrupted && reply !== null) return { ...interrupted, reply }
  throw new StoryError(
    'not_found',
    'The interrupted reply is gone: it was kept or discarded, or the story has changed since. Nothing was changed.',
  )
}

/** Replaces the interrupted reply of a story. */
export function upsertInterrupted(tx: Writer, adventureId: number, stored: NewInterrupted): void {
  deleteInterrupted(tx, adventureId)
  tx.insert('interrupted_replies', {
    adventure_id: adventureId,
    story_end: hashOfEnd(tx, adventureId),
    ...stored,
  })
}

export function deleteInterrupted(tx: Writer, adventureId: number): void {
  tx.run('DELETE FROM interrupted_replies WHERE adventure_id = ?', adventureId)
}

/**
 * A hash that changes with the end of a story. Ids of undone actions are reused, and another program may have changed the
 * story.
 */
export function hashOfEnd(reader: Reader, adventureId: number): string {
  const { id, created_at, variant_index, text } = findNewest(reader, adventureId) ?? {}
  return hashOf(JSON.stringify([id, created_at, variant_index, text]))
}
