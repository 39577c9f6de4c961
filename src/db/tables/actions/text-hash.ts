import { hashOf } from '../../../lib/hash.ts'

/**
 * Whether the columns that we store for a passage still belong to its text. The earlier release edits, retries and switches
 * passages without updating them.
 */
export function isCurrentText(hash: string | null, text: string): boolean {
  return hash === null || hash === hashOf(text)
}
