import { cutTo } from '../../lib/text.ts'
import { LIMITS } from '../limits.ts'
import { type Variant, wasEditedElsewhere } from '../variant.ts'
import { headingMark } from './prose-lines.ts'
import { withoutMarkup } from './prose-markup.ts'

export interface Chapter {
  action_id: number
  index: number
  name: string
}

/** Characters of a passage that are enough to name its chapter. */
export const CHAPTER_SAMPLE = 1_000

/** Signs of the headings that begin a chapter: # and ##. */
const MAX_SIGNS = 2

/** Null for a passage that does not begin a chapter. */
export function chapterName(text: string): string | null {
  const [line = ''] = text.slice(0, CHAPTER_SAMPLE).trimStart().split('\n', 1)
  const mark = headingMark(line)
  if (mark === null || mark.signs > MAX_SIGNS) return null
  return cutTo(withoutMarkup(line.trim()), LIMITS.name)
}

/** True for a heading of the player or the author. `live` is the version of a reply that counts. */
export function isAuthored(type: string, live: Variant | undefined): boolean {
  return type !== 'ai' || live === undefined || wasEditedElsewhere(live)
}
