import type { TurnType } from '../domain/action.ts'
import type { Reader, Writer } from './database.ts'

/** What stands in a composer and is not sent yet. */
export interface Draft {
  type: TurnType
  text: string
}

export function findDraft(reader: Reader, adventureId: number): Draft | null {
  return reader.get<Draft>('SELECT type, text FROM drafts WHERE adventure_id = ?', adventureId)
}

/** Keeps a draft in place of the last one; blank text keeps none. */
export function keepDraft(tx: Writer, adventureId: number, draft: Draft): void {
  tx.run('DELETE FROM drafts WHERE adventure_id = ?', adventureId)
  if (draft.text.trim() !== '') tx.insert('drafts', { adventure_id: adventureId, ...draft })
}

/** Forgets a draft that has become an action. What was typed since then is kept. */
export function dropDraft(tx: Writer, adventureId: number, text: string): void {
  tx.run('DELETE FROM drafts WHERE adventure_id = ? AND trim(text) = trim(?)', adventureId, text)
}
