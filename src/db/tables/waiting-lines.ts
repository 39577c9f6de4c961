import type { ComposerType } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import type { InterruptedReply } from '../../domain/interrupted-reply.ts'
import { hashOf } from '../../lib/hash.ts'
import { isBlank } from '../../lib/text.ts'
import type { ColumnValue } from '../column-values.ts'
import type { Reader, Writer } from '../database.ts'
import { findNewest } from './actions/list.ts'
import { getAdventure } from './adventures.ts'

/** Typed but not sent yet. */
export interface Draft {
  type: ComposerType
  text: string
  /** The note to the narrator about the next passage. */
  steering: string
}

const NO_DRAFT: Draft = { type: 'do', text: '', steering: '' }

export function findDraft(reader: Reader, adventureId: number): Draft {
  const sql = "SELECT iif(text = '', 'do', type) AS type, text, steering FROM waiting_lines WHERE id = ?"
  return reader.get<Draft>(sql, adventureId) ?? NO_DRAFT
}

export function upsertDraft(tx: Writer, adventureId: number, draft: Partial<Draft>): void {
  const { text, steering } = draft
  upsert(tx, adventureId, {
    ...draft,
    ...(text !== undefined && { text: isBlank(text) ? '' : text }),
    ...(steering !== undefined && { steering: isBlank(steering) ? '' : steering.trim() }),
  })
}

/** Deletes the note that a passage used, unless it has been changed since. */
export function deleteSteering(tx: Writer, adventureId: number, text: string): void {
  tx.run("UPDATE waiting_lines SET steering = '' WHERE id = ? AND steering = ?", adventureId, text)
}

/** The hash of the form whose line was stored last; '' if it is not known. */
export function findSent(reader: Reader, adventureId: number): string {
  return reader.value('SELECT sent FROM waiting_lines WHERE id = ?', adventureId) ?? ''
}

/** Deletes the draft that was stored as an action, unless it has been changed since. `form` is the hash of its form. */
export function updateSent(tx: Writer, adventureId: number, text: string, form: string): void {
  tx.run("UPDATE waiting_lines SET text = '' WHERE id = ? AND trim(text) = trim(?)", adventureId, text)
  tx.update('waiting_lines', adventureId, { sent: form })
}

/** Makes what was removed with a turn the draft again, unless something else is typed. */
export function restoreDraft(tx: Writer, adventureId: number, removed: Partial<Draft>): void {
  const { text, steering } = findDraft(tx, adventureId)
  const isFree = text === '' && removed.text !== undefined
  upsertDraft(tx, adventureId, {
    ...(isFree && { type: removed.type, text: removed.text }),
    steering: steering || (removed.steering ?? ''),
  })
  tx.update('waiting_lines', adventureId, { sent: '' })
}

/** An interrupted reply with everything that is needed to store it in the story, as JSON. */
export interface StoredReply extends Omit<InterruptedReply, 'unsaved'> {
  reply: string
  /** See {@link storyEnd}. */
  story_end: string
}

/** Null if there is none, or the end of the story has changed since. */
export function findInterrupted(reader: Reader, adventureId: number): InterruptedReply | null {
  const row = reader.get<{ text: string; retry: number; reason: string; story_end: string }>(
    'SELECT prose AS text, retry, reason, story_end FROM waiting_lines WHERE id = ? AND reply IS NOT NULL',
    adventureId,
  )
  if (row === null || row.story_end !== storyEnd(reader, adventureId)) return null
  return { text: row.text, retry: row.retry !== 0, reason: row.reason }
}

/** Throws not_found. */
export function getInterrupted(reader: Reader, adventureId: number): Pick<StoredReply, 'retry' | 'reply'> {
  getAdventure(reader, adventureId)
  const interrupted = findInterrupted(reader, adventureId)
  const reply = reader.value<string>('SELECT reply FROM waiting_lines WHERE id = ?', adventureId)
  if (interrupted && reply !== null) return { ...interrupted, reply }
  throw new StoryError(
    'not_found',
    'The interrupted reply is gone: it was kept or discarded, or the story has changed since. Nothing was changed.',
  )
}

export function upsertInterrupted(
  tx: Writer,
  adventureId: number,
  { text: prose, ...stored }: StoredReply,
): void {
  upsert(tx, adventureId, { ...stored, prose })
}

/** Returns whether there was one. */
export function deleteInterrupted(tx: Writer, adventureId: number): boolean {
  const rows = tx.run(
    `UPDATE waiting_lines SET reply = NULL, prose = '', retry = 0, reason = '', story_end = ''
      WHERE id = ? AND reply IS NOT NULL`,
    adventureId,
  )
  return rows > 0
}

/** A hash, because ids of undone actions are reused and another program may have changed the story. */
export function storyEnd(reader: Reader, adventureId: number): string {
  const { id, created_at, variant_index, text } = findNewest(reader, adventureId) ?? {}
  return hashOf(JSON.stringify([id, created_at, variant_index, text]))
}

function upsert(tx: Writer, adventureId: number, fields: Record<string, ColumnValue>): void {
  tx.run('INSERT OR IGNORE INTO waiting_lines (id) VALUES (?)', adventureId)
  tx.update('waiting_lines', adventureId, fields)
}
