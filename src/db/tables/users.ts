import { storedTime } from '../column-values.ts'
import type { Reader, Writer } from '../database.ts'

export const OWNER = 'SELECT id FROM users ORDER BY (email IS NOT NULL OR is_guest <> 0), id LIMIT 1'

/** The local user with the lowest id, else any user's. Null only in a file that has no users yet. */
export function findOwner(reader: Reader): number | null {
  return reader.value(OWNER)
}

export function insertOwner(tx: Writer, now: Date): number {
  return tx.insert('users', { is_guest: 0, created_at: storedTime(now) })
}
