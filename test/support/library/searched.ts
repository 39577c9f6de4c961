import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { searchLibrary } from '../../../src/app/search-library.ts'
import type { Writer } from '../../../src/db/database.ts'
import type { Library } from '../../../src/db/library.ts'
import { insertAction } from '../../../src/db/tables/actions/write.ts'
import { insertAdventure } from '../../../src/db/tables/adventures.ts'
import { temporaryFolder } from '../temporary.ts'

/** The path of a new library. */
export const place = () => join(temporaryFolder(), 'library.db')
export const now = new Date('2026-01-01')

/** Begins a story. */
export function begin(tx: Writer, title: string): number {
  const texts = {
    title,
    memory: '',
    authors_note: '',
    ai_instructions: '',
    example_dialogue: '',
    story_summary: '',
  }
  const rest = {
    auto_summarize: true,
    memory_bank_enabled: true,
    propose_cards: false,
    language: '',
    scenario_id: null,
    placeholders: {},
  }
  return insertAdventure(tx, 1, { ...texts, ...rest, world_state: {}, stat_schema: {} }, now)
}

/** Adds a passage. Returns its id. */
export function tell(tx: Writer, adventure_id: number, index: number, text: string): number {
  return insertAction(tx, { adventure_id, index, type: 'ai', text, world_state_before: null }, now)
}

/** What a search finds, as kind and id. */
export const found = (library: Library, typed: string, range = {}) =>
  searchLibrary(library.reader, typed, range).items.map(({ kind, id }) => `${kind} ${id}`)

/** Writes to a closed library as another program. */
export function elsewhere(path: string, ...statements: string[]): void {
  using db = new Database(path)
  for (const statement of statements) db.run(statement)
}
