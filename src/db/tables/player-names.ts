import { answersFrom, asksForReader } from '../../domain/text/placeholder.ts'
import { isBlank } from '../../lib/text.ts'
import { parseObjectColumn } from '../column-values.ts'
import type { Reader } from '../database.ts'

/** The most stories that are searched, newest first, and the most names that are offered. */
const [MAX_STORIES, MAX_NAMES] = [200, 12]

/** The names of the player in earlier stories, the last one first. */
export function listPlayerNames(reader: Reader): string[] {
  const stories = reader.column<string | null>(
    'SELECT placeholders FROM adventures WHERE importing IS NULL ORDER BY id DESC LIMIT ?',
    MAX_STORIES,
  )
  const names = stories.flatMap((placeholders) =>
    Object.entries(answersFrom(parseObjectColumn(placeholders) ?? {})).flatMap(([question, answer]) =>
      asksForReader(question) && !isBlank(answer) && !asksForReader(answer) ? [answer.trim()] : [],
    ),
  )
  return [...new Set(names)].slice(0, MAX_NAMES)
}
