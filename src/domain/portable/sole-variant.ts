import { chapterName } from '../text/chapter.ts'
import type { PortableAction } from './portable.ts'

const MIRRORED: ReadonlySet<string> = new Set(['text', 'reasoning', 'created_at', 'cut'])

/**
 * An action without its only version, if that holds no more than the action itself: then an empty list says the same. But for
 * a heading at the beginning, of which the version tells that it is not the player's.
 */
export function withoutSoleVariant(action: PortableAction): PortableAction {
  const [sole, another] = action.variants
  if (!sole || another || Object.keys(sole).some((key) => !MIRRORED.has(key))) return action
  const isMirrored = sole.text === action.text && sole.reasoning === action.reasoning
  const isOfThen = sole.created_at === null || sole.created_at === action.created_at
  return isMirrored && isOfThen && chapterName(action.text) === null ? { ...action, variants: [] } : action
}
