import type { Reader, Writer } from '../../database.ts'

/** Failures in a row, and the turns to pause. */
interface MemoryFailure {
  failures: number
  rests: number
  detail: string
}

export function findMemoryFailure(reader: Reader, adventureId: number): MemoryFailure | null {
  return reader.get<MemoryFailure>(
    'SELECT failures, rests, detail FROM remember_troubles WHERE adventure_id = ?',
    adventureId,
  )
}

/** Replaces the failure of a story; null deletes it. Does nothing if the story was deleted in the meantime. */
export function upsertMemoryFailure(tx: Writer, adventureId: number, failure: MemoryFailure | null): void {
  tx.run('DELETE FROM remember_troubles WHERE adventure_id = ?', adventureId)
  if (!failure) return
  tx.run(
    `INSERT INTO remember_troubles (adventure_id, failures, rests, detail)
      SELECT id, ?, ?, ? FROM adventures WHERE id = ?`,
    failure.failures,
    failure.rests,
    failure.detail,
    adventureId,
  )
}
