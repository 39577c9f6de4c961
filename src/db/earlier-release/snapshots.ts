import type { Database } from 'bun:sqlite'
import { deflateSync, inflateSync } from 'node:zlib'

/**
 * Puts every kept prompt into the column beside it, compressed, and reads each back before its text may go. The bytes are
 * those that stood there, whether they are JSON or not. Throws when one does not come back as it was.
 */
export function compressSnapshots(db: Database): void {
  const rows = db.query<{ id: number }, []>(
    "SELECT id FROM actions WHERE context_snapshot IS NOT NULL AND context_snapshot <> 'null'",
  )
  // One at a time: together they are most of the file.
  const textOf = db.query<{ bytes: Uint8Array }, [number]>(
    'SELECT CAST(context_snapshot AS BLOB) AS bytes FROM actions WHERE id = ?',
  )
  const keep = db.query('UPDATE actions SET context_snapshot_z = ? WHERE id = ?')
  const keptIn = db.query<{ kept: Uint8Array }, [number]>(
    'SELECT context_snapshot_z AS kept FROM actions WHERE id = ?',
  )
  for (const { id } of rows.all()) {
    const bytes = textOf.get(id)?.bytes ?? new Uint8Array()
    const known = inflated(bytes)
    keep.run(known ? bytes : deflateSync(bytes), id)
    const kept = inflated(keptIn.get(id)?.kept ?? new Uint8Array())
    if (kept?.equals(known ?? bytes) !== true)
      throw new Error(`the prompt that is kept with action ${id} could not be compressed`)
  }
}

/** What a zlib stream holds; null for anything else. */
function inflated(bytes: Uint8Array): Buffer | null {
  if (bytes[0] !== 0x78) return null
  try {
    return inflateSync(bytes)
  } catch {
    return null
  }
}
