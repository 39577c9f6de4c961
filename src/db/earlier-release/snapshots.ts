import type { Database } from 'bun:sqlite'
import { zlib } from '../../lib/zlib.ts'

/**
 * Compresses every stored prompt into its new column and reads it back, before the old column is dropped. Keeps the exact
 * bytes, whether they are JSON or not. Throws if a prompt does not come back unchanged.
 */
export function compressSnapshots(db: Database): void {
  const rows = db.query<{ id: number }, []>(
    "SELECT id FROM actions WHERE context_snapshot IS NOT NULL AND context_snapshot <> 'null'",
  )
  // One at a time, because together they are most of the file.
  const textOf = db.query<{ bytes: Uint8Array }, [number]>(
    'SELECT CAST(context_snapshot AS BLOB) AS bytes FROM actions WHERE id = ?',
  )
  const update = db.query('UPDATE actions SET context_snapshot_z = ? WHERE id = ?')
  const storedIn = db.query<{ stored: Uint8Array }, [number]>(
    'SELECT context_snapshot_z AS stored FROM actions WHERE id = ?',
  )
  for (const { id } of rows.all()) {
    const bytes = textOf.get(id)?.bytes ?? new Uint8Array()
    const decompressed = inflated(bytes)
    update.run(decompressed ? bytes : zlib().deflateSync(bytes), id)
    const stored = inflated(storedIn.get(id)?.stored ?? new Uint8Array())
    if (stored?.equals(decompressed ?? bytes) !== true)
      throw new Error(`the stored prompt of action ${id} could not be compressed`)
  }
}

/** The content of a zlib stream; null for anything else. */
function inflated(bytes: Uint8Array): Buffer | null {
  if (bytes[0] !== 0x78) return null
  try {
    return zlib().inflateSync(bytes)
  } catch {
    return null
  }
}
