import type { Reader } from '../../../src/db/database.ts'

type Row = Record<string, unknown>

/**
 * All data of a story, except what must differ between a story and its copy: ids, the time of the copy, its title, and the
 * start of its prompt window.
 */
export function dumpOf(reader: Reader, id: number): Record<string, Row[]> {
  const rows = (table: string, order: string) =>
    reader.all<Row>(`SELECT * FROM ${table} WHERE adventure_id = ? ORDER BY ${order}`, id).map(withoutIds)
  const memories = reader.all<{ id: number }>(
    'SELECT id FROM memories WHERE adventure_id = ? ORDER BY id',
    id,
  )
  const places = new Map(memories.map((memory, i) => [memory.id, i]))
  const [adventure] = reader.all<Row>('SELECT * FROM adventures WHERE id = ?', id)
  const {
    title: _t,
    created_at: _c,
    epoch_start: _e,
    epoch_summary: _s,
    epoch_static: _m,
    ...own
  } = adventure ?? {}
  return {
    adventure: [withoutIds(own)],
    actions: rows('actions', '"index", id').map((row) => ({
      ...row,
      // Memories by position instead of id.
      prompt_notes:
        typeof row.prompt_notes === 'string'
          ? withPlaces(JSON.parse(row.prompt_notes) as { memories: [number, string][] }, places)
          : row.prompt_notes,
    })),
    story_cards: rows('story_cards', 'id'),
    memories: rows('memories', 'id'),
    prompt_parts: reader.all<Row>(
      `SELECT hash, since, coalesce(shared.text, own.text) AS text
         FROM prompt_parts own LEFT JOIN shared_prompt_parts shared USING (hash)
        WHERE adventure_id = ? ORDER BY hash`,
      id,
    ),
    summaries: rows('summaries', 'id'),
    world_breaks: rows('world_breaks', 'since'),
  }
}

function withoutIds({ id: _, adventure_id: __, ...row }: Row): Row {
  return row
}

function withPlaces(notes: { memories: [number, string][] }, places: ReadonlyMap<number, number>) {
  return { ...notes, memories: notes.memories.map(([id, mark]) => [places.get(id), mark]) }
}
