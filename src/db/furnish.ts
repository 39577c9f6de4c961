import type { Database } from 'bun:sqlite'
import { NARRATOR_PROMPT, NOTHING_MORE, READ_TIMEOUT, type Settings } from '../domain/settings.ts'
import { STARTERS } from '../domain/starters.ts'
import { Writer } from './database.ts'
import { followElsewhere } from './elsewhere.ts'
import { keepMemoryIndex } from './search/memory-search.ts'
import { insertScenario, pictureHash } from './tables/scenarios.ts'
import { keepSearchIndex } from './search.ts'
import { hasSettings, insertSettings } from './tables/settings.ts'
import { insertCard } from './tables/story-cards.ts'
import { findOwner, insertOwner } from './tables/users.ts'

/** Settings of a library that nobody has touched: no endpoint, so the practice narrator tells. */
const FRESH: Settings = {
  endpoint_url: '',
  model: '',
  api_mode: 'chat',
  temperature: 0.8,
  max_output_tokens: 800,
  reasoning_max_tokens: 0,
  context_token_budget: 16_384,
  read_timeout_seconds: READ_TIMEOUT.default,
  narrator_prompt: NARRATOR_PROMPT,
  summary_model: '',
  embedding_model: '',
  memory_bank_capacity: 80,
  memory_top_k: 5,
  ...NOTHING_MORE,
}

/** Puts into a fresh library what it begins with: its owner, the settings, the starter scenarios. */
export function furnish(db: Database): void {
  const tx = new Writer(db, () => {})
  const now = new Date()
  db.transaction(() => {
    const owner = insertOwner(tx, now)
    insertSettings(tx, owner, FRESH)
    for (const { story_cards, ...fields } of [...STARTERS].reverse()) {
      const id = insertScenario(tx, owner, { ...fields, image: '' }, now)
      for (const card of story_cards) insertCard(tx, { scenario_id: id }, card, null)
    }
  }).immediate()
}

/** Sets right at every opening what the earlier release does not keep up, and adds what a file must have. */
export function setRight(db: Database): void {
  const tx = new Writer(db, () => {})
  db.transaction(() => {
    const owner = findOwner(tx) ?? insertOwner(tx, new Date())
    if (!hasSettings(tx)) insertSettings(tx, owner, FRESH)
    for (const [table, columns] of Object.entries(TEXTS)) textsFromBytes(tx, table, columns)
    // Begun by the earlier release since we were here: it keeps references together with answers.
    tx.run(
      "UPDATE adventures SET cards_adopted = 1 WHERE NOT cards_adopted AND stat_schema IS NULL AND coalesce(placeholders, 'null') <> 'null'",
    )
    tx.run(
      `UPDATE adventures SET action_count = (SELECT count(*) FROM actions WHERE adventure_id = adventures.id)
        WHERE action_count <> (SELECT count(*) FROM actions WHERE adventure_id = adventures.id)`,
    )
    const unknown = tx.all<{ id: number; image: string }>(
      "SELECT id, image FROM scenarios WHERE image_hash = '' AND image LIKE 'data:%'",
    )
    for (const { id, image } of unknown)
      tx.run('UPDATE scenarios SET image_hash = ? WHERE id = ?', pictureHash(image), id)
    followElsewhere(tx, new Date())
    keepMemoryIndex(tx)
    keepSearchIndex(tx)
  }).immediate()
}

/** The texts that are shown, searched or told. */
const TEXTS = {
  settings: ['endpoint_url', 'model', 'api_mode', 'narrator_prompt', 'summary_model', 'embedding_model'],
  scenarios: [
    'title',
    'description',
    'prompt',
    'memory',
    'authors_note',
    'ai_instructions',
    'tags',
    'image',
    'icon',
  ],
  adventures: ['title', 'memory', 'authors_note', 'ai_instructions', 'story_summary'],
  actions: ['type', 'text', 'reasoning'],
  memories: ['text'],
  story_cards: ['type', 'name', 'keys', 'entry', 'notes'],
}

// What a program reads in from a file stands there as bytes. They stay the same bytes.
function textsFromBytes(tx: Writer, table: string, columns: readonly string[]): void {
  tx.run(
    `UPDATE ${table} SET ${columns.map((name) => `${name} = CAST(${name} AS TEXT)`).join(', ')}
      WHERE 'blob' IN (${columns.map((name) => `typeof(${name})`).join(', ')})`,
  )
}
