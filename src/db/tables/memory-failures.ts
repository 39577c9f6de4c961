import type { Reader, Writer } from '../database.ts'

/** What goes wrong while a story is remembered: how often in a row, and for how many turns it rests. */
export interface Trouble {
  failures: number
  rests: number
  detail: string
}

export function findTrouble(reader: Reader, adventureId: number): Trouble | null {
  return reader.get<Trouble>(
    'SELECT failures, rests, detail FROM remember_troubles WHERE adventure_id = ?',
    adventureId,
  )
}

/** Null takes it away. A story that was deleted meanwhile has none. */
export function keepTrouble(tx: Writer, adventureId: number, trouble: Trouble | null): void {
  tx.run('DELETE FROM remember_troubles WHERE adventure_id = ?', adventureId)
  if (!trouble) return
  tx.run(
    `INSERT INTO remember_troubles (adventure_id, failures, rests, detail)
      SELECT id, ?, ?, ? FROM adventures WHERE id = ?`,
    trouble.failures,
    trouble.rests,
    trouble.detail,
    adventureId,
  )
}
