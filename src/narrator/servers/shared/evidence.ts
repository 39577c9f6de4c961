import { field } from '../../json-fields.ts'
import type { Fingerprint, ServerPath } from '../server.ts'

/** A page that identifies a server by one field. */
export function fieldPage(page: ServerPath, path: string, pattern: RegExp): Fingerprint {
  return { ...page, evidence: ({ json }) => fieldEvidence(json, path, pattern) }
}

/**
 * A field of a page as evidence, such as `software.name "TabbyAPI"`. Null when the field is not a text or number, or
 * does not match the pattern.
 */
export function fieldEvidence(json: unknown, path: string, pattern: RegExp): string | null {
  const value = path.split('.').reduce<unknown>((object, name) => field(object, name), json)
  if (typeof value !== 'string' && typeof value !== 'number') return null
  return pattern.test(String(value)) ? `${path} ${JSON.stringify(value)}` : null
}
