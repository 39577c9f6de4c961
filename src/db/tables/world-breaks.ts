import type { Reader, Writer } from '../database.ts'

/** A place where the numbers of a story begin anew for a reason: behind the action of this index. */
export interface WorldBreak {
  since: number
  what: string
}

/** All of a story's, in order. */
export function listBreaks(reader: Reader, adventureId: number): WorldBreak[] {
  return reader.all<WorldBreak>(
    'SELECT since, what FROM world_breaks WHERE adventure_id = ? ORDER BY since',
    adventureId,
  )
}

export function insertBreak(tx: Writer, adventureId: number, { since, what }: WorldBreak): void {
  tx.run('INSERT INTO world_breaks (adventure_id, since, what) VALUES (?, ?, ?)', adventureId, since, what)
}

/** The story ends earlier now: what happened behind its end stands at its end. */
export function pullBreaksTo(tx: Writer, adventureId: number, lastIndex: number): void {
  tx.run('UPDATE world_breaks SET since = ?1 WHERE adventure_id = ?2 AND since > ?1', lastIndex, adventureId)
}
