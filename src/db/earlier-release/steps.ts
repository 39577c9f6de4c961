import type { Database } from 'bun:sqlite'
import { vectorToBytes } from '../../domain/recall/vectors.ts'
import { zlib } from '../../lib/bytes.ts'
import { parseListColumn } from '../column-values.ts'
import { hasColumn } from '../declared-columns.ts'

type Step =
  | { version: number; table: string; column: string; as: string }
  | { version: number; sql: string }
  | { version: number; work: (db: Database) => void }

export const FIRST_VERSION = 12

const OWNER = 'INTEGER REFERENCES users (id) ON DELETE CASCADE'
const TO_THE_OWNER = 'SET user_id = (SELECT min(id) FROM users)'

/** The migrations of the earlier release itself. Missing tables are created before they run. */
export const STEPS: readonly Step[] = [
  {
    version: 13,
    sql: `INSERT INTO users (id, is_guest, created_at, demo_turns_used, demo_turns_date)
      SELECT 1, 0, strftime('%Y-%m-%d %H:%M:%f000', 'now'), 0, '' WHERE NOT EXISTS (SELECT 1 FROM users)`,
  },
  { version: 14, table: 'scenarios', column: 'user_id', as: OWNER },
  { version: 15, sql: `UPDATE scenarios ${TO_THE_OWNER}` },
  { version: 16, table: 'scenarios', column: 'is_public', as: 'BOOLEAN NOT NULL DEFAULT 0' },
  { version: 17, table: 'scripts', column: 'user_id', as: OWNER },
  { version: 18, sql: `UPDATE scripts ${TO_THE_OWNER}` },
  { version: 19, table: 'adventures', column: 'user_id', as: OWNER },
  { version: 20, sql: `UPDATE adventures ${TO_THE_OWNER}` },
  { version: 21, table: 'settings', column: 'user_id', as: OWNER },
  { version: 22, sql: `UPDATE settings ${TO_THE_OWNER}` },
  { version: 23, sql: 'CREATE UNIQUE INDEX IF NOT EXISTS ix_settings_user_id ON settings (user_id)' },
  {
    version: 24,
    table: 'adventure_scripts',
    column: 'source_script_id',
    as: 'INTEGER REFERENCES scripts (id) ON DELETE SET NULL',
  },
  { version: 25, table: 'actions', column: 'state_before', as: 'JSON' },
  { version: 26, table: 'scenarios', column: 'stat_schema', as: 'JSON' },
  { version: 27, table: 'adventures', column: 'world_state', as: 'JSON' },
  { version: 28, table: 'actions', column: 'world_state_before', as: 'JSON' },
  {
    version: 29,
    sql: 'UPDATE settings SET context_token_budget = 16384 WHERE context_token_budget = 4096',
  },
  { version: 30, table: 'scenarios', column: 'image', as: "TEXT NOT NULL DEFAULT ''" },
  { version: 31, table: 'scenarios', column: 'icon', as: "VARCHAR(16) NOT NULL DEFAULT ''" },
  { version: 32, table: 'adventures', column: 'placeholders', as: 'JSON' },
  { version: 33, table: 'story_cards', column: 'source_ref', as: 'VARCHAR(64)' },
  { version: 34, table: 'actions', column: 'variants', as: 'JSON' },
  { version: 35, table: 'actions', column: 'variant_index', as: 'INTEGER NOT NULL DEFAULT 0' },
  { version: 36, table: 'actions', column: 'world_delta', as: 'JSON' },
  // Snapshots that contain NaN are read as JSON5. Those that are unreadable even so are skipped.
  {
    version: 36,
    sql: `UPDATE actions SET world_delta = json_object(
            'delta', json_extract(context_snapshot, '$.world_state.delta'),
            'applied', json_extract(context_snapshot, '$.world_state.report.applied'))
          WHERE CASE WHEN typeof(context_snapshot) = 'text' AND json_valid(context_snapshot, 2)
            THEN json_type(context_snapshot, '$.world_state') IS NOT NULL END`,
  },
  { version: 37, table: 'actions', column: 'variant_count', as: 'INTEGER NOT NULL DEFAULT 0' },
  {
    version: 37,
    sql: 'UPDATE actions SET variant_count = CASE WHEN json_valid(variants, 2) THEN json_array_length(variants) ELSE 0 END',
  },
  { version: 38, table: 'memories', column: 'embedding_blob', as: 'BLOB' },
  { version: 38, work: packVectors },
  { version: 39, table: 'memories', column: 'embedded', as: 'BOOLEAN NOT NULL DEFAULT false' },
  { version: 40, sql: 'UPDATE memories SET embedded = 1 WHERE embedding_blob IS NOT NULL' },
  { version: 41, sql: 'UPDATE settings SET memory_bank_capacity = 80 WHERE memory_bank_capacity = 200' },
  { version: 42, work: dropVectors },
  { version: 43, table: 'actions', column: 'context_snapshot_z', as: 'BLOB' },
  { version: 43, work: compressSnapshots },
  { version: 44, sql: 'ALTER TABLE actions DROP COLUMN context_snapshot' },
  { version: 45, sql: 'ALTER TABLE actions RENAME COLUMN context_snapshot_z TO context_snapshot' },
]

/** Applies the steps after a version, in the caller's transaction. Skips columns that already exist. */
export function applySteps(db: Database, version: number): void {
  for (const step of STEPS.filter((one) => one.version > version)) apply(db, step)
}

function apply(db: Database, step: Step): void {
  if ('work' in step) step.work(db)
  else if ('sql' in step) db.run(step.sql)
  else if (!hasColumn(db, step.table, step.column))
    db.run(`ALTER TABLE ${step.table} ADD COLUMN ${step.column} ${step.as}`)
}

// If any list could not be packed, the column stays so that nothing is lost.
function dropVectors(db: Database): void {
  if (!hasColumn(db, 'memories', 'embedding')) return
  db.run('UPDATE memories SET embedding = NULL WHERE embedding_blob IS NOT NULL')
  const left = db.query("SELECT 1 FROM memories WHERE embedding NOT IN ('null', '[]', '') LIMIT 1").get()
  if (left === null) db.run('ALTER TABLE memories DROP COLUMN embedding')
}

/** Packs the vectors of memories, which were stored as JSON lists. Skips anything that is not a list of numbers. */
function packVectors(db: Database): void {
  if (!hasColumn(db, 'memories', 'embedding')) return
  const rows = db.query<{ id: number }, []>(
    'SELECT id FROM memories WHERE embedding IS NOT NULL AND embedding_blob IS NULL',
  )
  const listOf = db.query<{ embedding: string }, [number]>('SELECT embedding FROM memories WHERE id = ?')
  const update = db.query('UPDATE memories SET embedding_blob = ? WHERE id = ?')
  for (const { id } of rows.all()) {
    const vector = vectorFrom(listOf.get(id)?.embedding ?? null)
    if (vector) update.run(vectorToBytes(vector), id)
  }
}

function vectorFrom(embedding: string | null): Float32Array | null {
  const list = parseListColumn(embedding)
  if (list.length === 0 || list.some((value) => typeof value !== 'number')) return null
  const vector = Float32Array.from(list as number[])
  return vector.every(Number.isFinite) ? vector : null
}

/**
 * Compresses every stored prompt into its new column and reads it back, before the old column is dropped. Keeps the exact
 * bytes, whether they are JSON or not. Throws if a prompt does not come back unchanged.
 */
function compressSnapshots(db: Database): void {
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

/** Null for anything but a zlib stream. */
function inflated(bytes: Uint8Array): Buffer | null {
  if (bytes[0] !== 0x78) return null
  try {
    return zlib().inflateSync(bytes)
  } catch {
    return null
  }
}
