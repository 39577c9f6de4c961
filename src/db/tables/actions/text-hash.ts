import { hashOf } from '../../../lib/hash.ts'

/** False for columns of a passage that the earlier release has edited, retried or switched without updating them. */
export function isCurrentText(hash: string | null, text: string): boolean {
  return hash === null || hash === hashOf(text)
}
