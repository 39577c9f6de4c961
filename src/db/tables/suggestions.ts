import { type Suggestion, suggestionsFrom } from '../../domain/model/suggestions.ts'
import { hashOf } from '../../lib/hash.ts'
import { parseObjectColumn } from '../column-values.ts'
import type { Reader, Writer } from '../database.ts'
import { findNewest } from './actions/list.ts'

interface StoryEnd {
  action_id: number
  text_hash: string
}

/** Null in an empty story. */
export function findStoryEnd(reader: Reader, adventureId: number): StoryEnd | null {
  const newest = findNewest(reader, adventureId)
  return newest && { action_id: newest.id, text_hash: hashOf(newest.text) }
}

/** [] if there are none, or the story has moved on. */
export function listSuggestions(reader: Reader, adventureId: number): Suggestion[] {
  const stored = parseObjectColumn(
    reader.value('SELECT suggestions FROM adventures WHERE id = ?', adventureId),
  )
  return stored && isSameEnd(stored, findStoryEnd(reader, adventureId)) ? suggestionsFrom(stored.items) : []
}

/** Does nothing if the story has moved on. */
export function updateSuggestions(tx: Writer, adventureId: number, end: StoryEnd, items: Suggestion[]): void {
  if (isSameEnd(end, findStoryEnd(tx, adventureId)))
    tx.update('adventures', adventureId, { suggestions: JSON.stringify({ ...end, items }) })
}

function isSameEnd(one: Partial<Record<keyof StoryEnd, unknown>>, other: StoryEnd | null): boolean {
  return other !== null && one.action_id === other.action_id && one.text_hash === other.text_hash
}
