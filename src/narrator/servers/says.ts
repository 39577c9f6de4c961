import { field } from '../json.ts'

/**
 * What a field of a page says, in words that a player can find there: `software.name "TabbyAPI"`. Dots lead inwards.
 * Null when it is no text or number, or says something else than the sign.
 */
export function says(json: unknown, at: string, sign: RegExp): string | null {
  const value = at.split('.').reduce<unknown>((outer, name) => field(outer, name), json)
  if (typeof value !== 'string' && typeof value !== 'number') return null
  return sign.test(String(value)) ? `${at} ${JSON.stringify(value)}` : null
}
