import { notesFrom, notesFromStored, type StoredNotes, type TurnNotes } from '../../../domain/prompt/notes.ts'
import { memoryLine, steeringNotes } from '../../../domain/prompt/turn-notes.ts'
import type { Story, StoryEntry } from '../../../domain/prompt/window.ts'
import { hashOf } from '../../../lib/hash.ts'
import { parseObjectColumn } from '../../column-values.ts'
import type { Reader } from '../../database.ts'
import { listPromptParts } from '../prompt-parts.ts'
import { type ActionPosition, LAST_POSITION } from './position.ts'

/** The story before a position, or all of it, as prompts read it. */
export function storyBefore(reader: Reader, adventureId: number, before: ActionPosition | null): Story {
  const end = before ?? LAST_POSITION
  return {
    since: (index) =>
      withNotes(
        reader,
        adventureId,
        reader.all<EntryRow>(
          `${SELECT_ENTRIES} WHERE adventure_id = ? AND "index" >= ? AND ("index", id) < (?, ?) ORDER BY "index", id`,
          adventureId,
          index,
          end.index,
          end.id,
        ),
      ),
    back: () => readBack(reader, adventureId, end),
  }
}

const SELECT_ENTRIES = `SELECT id, "index", type, CASE WHEN hidden THEN '' ELSE text END AS text, prompt_notes, steering
   FROM actions`

type EntryRow = Pick<StoryEntry, 'id' | 'index' | 'type' | 'text'> &
  Record<'prompt_notes' | 'steering', string | null>

/** Rows that are read at first: recall needs five. */
const FIRST_CHUNK = 6
const MAX_CHUNK = 24

/** Yields entries backwards and reads rows in chunks, so that only as many are read as are needed. */
function* readBack(reader: Reader, adventureId: number, from: ActionPosition): Generator<StoryEntry> {
  let position = from
  for (let chunk = FIRST_CHUNK; ; chunk = MAX_CHUNK) {
    const rows = reader.all<EntryRow>(
      `${SELECT_ENTRIES} WHERE adventure_id = ? AND ("index", id) < (?, ?) ORDER BY "index" DESC, id DESC LIMIT ?`,
      adventureId,
      position.index,
      position.id,
      chunk,
    )
    yield* withNotes(reader, adventureId, rows)
    const last = rows.at(-1)
    if (last === undefined || rows.length < chunk) return
    position = last
  }
}

function withNotes(reader: Reader, adventureId: number, rows: readonly EntryRow[]): StoryEntry[] {
  const stored = rows.map(({ prompt_notes }) => notesFrom(parseObjectColumn(prompt_notes)))
  const hashes = stored.flatMap((notes) =>
    [...(notes?.before ?? []), ...(notes?.after ?? [])].map(([, hash]) => hash),
  )
  const texts = listPromptParts(reader, adventureId, hashes)
  for (const hash of listOutdatedHashes(reader, adventureId, stored)) texts.delete(hash)
  return rows.map((row, i) => {
    const { id, index, type, text } = row
    const notes = stored[i] ?? null
    return {
      ...{ id, index, type, text },
      notes:
        notes &&
        withSteering(
          notesFromStored(notes, (hash) => texts.get(hash)),
          row.steering,
        ),
    }
  })
}

/** Variants differ in the player's note. */
function withSteering(notes: TurnNotes, steering: string | null): TurnNotes {
  const others = notes.after.filter(({ label }) => label !== 'steering')
  return { ...notes, after: [...steeringNotes(steering ?? ''), ...others] }
}

/** Hashes of notes that no longer apply, because their subject was deleted or rewritten. */
function listOutdatedHashes(
  reader: Reader,
  adventureId: number,
  stored: readonly (StoredNotes | null)[],
): string[] {
  const memories = stored.flatMap((notes) => notes?.memories ?? [])
  const passages = stored.flatMap((notes) => notes?.passages ?? [])
  return [
    ...listOutdatedMemories(reader, adventureId, memories),
    ...listOutdatedPassages(reader, adventureId, passages),
  ]
}

/** Hashes of memories that were deleted or rewritten, or are about passages that have changed. */
function listOutdatedMemories(
  reader: Reader,
  adventureId: number,
  memories: StoredNotes['memories'],
): string[] {
  if (memories.length === 0) return []
  const rows = reader.all<{ id: number; text: string }>(
    'SELECT id, text FROM memories WHERE +adventure_id = ? AND NOT stale AND id IN (SELECT value FROM json_each(?))',
    adventureId,
    JSON.stringify([...new Set(memories.map(([id]) => id))]),
  )
  const lines = rows.flatMap(({ id, text }) =>
    [false, true].map((isPast) => `${id} ${hashOf(memoryLine({ text, isPast }))}`),
  )
  const valid = new Set(lines)
  return memories.filter(([id, hash]) => !valid.has(`${id} ${hash}`)).map(([, hash]) => hash)
}

/** Hashes of quotes from passages that were deleted, rewritten or hidden since. */
function listOutdatedPassages(
  reader: Reader,
  adventureId: number,
  passages: StoredNotes['passages'],
): string[] {
  if (passages.length === 0) return []
  const rows = reader.all<{ index: number; text: string }>(
    `SELECT "index", text FROM actions
      WHERE adventure_id = ? AND hidden <> 1 AND "index" IN (SELECT value FROM json_each(?))`,
    adventureId,
    JSON.stringify([...new Set(passages.map(([index]) => index))]),
  )
  const valid = new Set(rows.map(({ index, text }) => `${index} ${hashOf(text)}`))
  return passages
    .filter(([index, , passageHash]) => !valid.has(`${index} ${passageHash}`))
    .map(([, hash]) => hash)
}

/** The notes that were in the prompt of an action, as far as they still apply; null if there are none. */
export function findTurnNotes(reader: Reader, adventureId: number, actionId: number): TurnNotes | null {
  const column = reader.value<string>('SELECT prompt_notes FROM actions WHERE id = ?', actionId)
  const stored = notesFrom(parseObjectColumn(column))
  if (stored === null) return null
  const texts = listPromptParts(
    reader,
    adventureId,
    [...stored.before, ...stored.after].map(([, hash]) => hash),
  )
  for (const hash of listOutdatedHashes(reader, adventureId, [stored])) texts.delete(hash)
  return notesFromStored(stored, (hash) => texts.get(hash))
}
