import type { Reader, Writer } from './database.ts'
import { storedTime } from './stored.ts'

/**
 * The one owner of everything: the lowest local user, else the lowest of any kind (specification 1.1). Null only in
 * a file that has none yet.
 */
export function findOwner(reader: Reader): number | null {
  const row = reader.get<{ id: number }>(
    'SELECT id FROM users ORDER BY (email IS NOT NULL OR is_guest <> 0), id LIMIT 1',
  )
  return row?.id ?? null
}

export function insertOwner(tx: Writer, now: Date): number {
  return tx.insert('users', { is_guest: 0, created_at: storedTime(now) })
}
