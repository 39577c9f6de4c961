import type { Reader, Writer } from '../database.ts'
import { storedTime } from '../stored.ts'

/** Selects the id of the one owner. */
export const OWNER = 'SELECT id FROM users ORDER BY (email IS NOT NULL OR is_guest <> 0), id LIMIT 1'

/**
 * The one owner of everything: the lowest local user, else the lowest of any kind (specification 1.1). Null only in
 * a file that has none yet.
 */
export function findOwner(reader: Reader): number | null {
  return reader.get<{ id: number }>(OWNER)?.id ?? null
}

export function insertOwner(tx: Writer, now: Date): number {
  return tx.insert('users', { is_guest: 0, created_at: storedTime(now) })
}
