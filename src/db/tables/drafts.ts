import type { TurnType } from '../../domain/action.ts'
import { isBlank } from '../../lib/text.ts'
import type { Reader, Writer } from '../database.ts'

/** Text that was typed but not sent yet. */
export interface Draft {
  type: TurnType
  text: string
}

export function findDraft(reader: Reader, adventureId: number): Draft | null {
  return reader.get<Draft>('SELECT type, text FROM drafts WHERE adventure_id = ?', adventureId)
}

/** Replaces the draft of a story; blank text deletes it. */
export function upsertDraft(tx: Writer, adventureId: number, draft: Draft): void {
  tx.run('DELETE FROM drafts WHERE adventure_id = ?', adventureId)
  if (draft.text.trim() !== '')
    tx.insert('drafts', { adventure_id: adventureId, type: draft.type, text: draft.text })
}

/** Deletes the draft that was sent as an action, unless it has been changed since. */
export function deleteDraft(tx: Writer, adventureId: number, text: string): void {
  tx.run('DELETE FROM drafts WHERE adventure_id = ? AND trim(text) = trim(?)', adventureId, text)
}

/** The player's pending note about the next passage; '' if there is none. */
export function findSteering(reader: Reader, adventureId: number): string {
  return reader.value('SELECT steering FROM adventures WHERE id = ?', adventureId) ?? ''
}

/** Replaces the note about the next passage; blank text deletes it. */
export function updateSteering(tx: Writer, adventureId: number, text: string): void {
  tx.update('adventures', adventureId, { steering: isBlank(text) ? null : text.trim() })
}

/** Deletes the note that a passage used, unless it has been changed since. */
export function deleteSteering(tx: Writer, adventureId: number, text: string): void {
  tx.run('UPDATE adventures SET steering = NULL WHERE id = ? AND steering = ?', adventureId, text)
}
