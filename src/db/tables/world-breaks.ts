import type { WorldBreak } from '../../domain/world/audit/auditor.ts'
import type { Reader, Writer } from '../database.ts'

export function listBreaks(reader: Reader, adventureId: number): WorldBreak[] {
  return reader.all<WorldBreak>(
    'SELECT since, what FROM world_breaks WHERE adventure_id = ? ORDER BY since',
    adventureId,
  )
}

export function insertBreak(tx: Writer, adventureId: number, { since, what }: WorldBreak): void {
  tx.run('INSERT INTO world_breaks (adventure_id, since, what) VALUES (?, ?, ?)', adventureId, since, what)
}

/** Moves breaks after the last action back to it, because the story has become shorter. */
export function moveBreaksBackTo(tx: Writer, adventureId: number, lastIndex: number): void {
  tx.run('UPDATE world_breaks SET since = ?1 WHERE adventure_id = ?2 AND since > ?1', lastIndex, adventureId)
}
