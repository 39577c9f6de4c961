import type { Database } from 'bun:sqlite'
import { PLOT_FIELDS } from '../../domain/scenario.ts'
import { type Writer, writerFor } from '../database.ts'
import { repairSearchIndex } from '../search/story-index.ts'
import { convertMemoryVectors } from '../search/text-vectors.ts'
import { deleteHidden, listHidden } from '../stories/hidden.ts'
import { pictureHash } from '../tables/scenarios.ts'
import { hasSettings, insertSettings } from '../tables/settings.ts'
import { findOwner, insertOwner } from '../tables/users.ts'
import { applyExternalChanges } from './external-changes.ts'

/**
 * Brings a library up to date after it was checked and `migrated`: adds required rows, and whatever the earlier release does
 * not maintain. Returns how many rows the search index still lacks.
 */
export function repair(db: Database, migrated: readonly string[] = []): number {
  const tx = writerFor(db)
  return db
    .transaction(() => {
      const left = repairRows(tx)
      if (migrated.includes('0048-text-vectors.sql')) convertMemoryVectors(tx)
      return left
    })
    .exclusive()
}

function repairRows(tx: Writer): number {
  const owner = findOwner(tx) ?? insertOwner(tx, new Date())
  if (!hasSettings(tx)) insertSettings(tx, owner)
  convertBlobsToText(tx)
  deleteHidden(tx, listHidden(tx))
  // Adventures begun by the earlier release in the meantime: it stores card references together with answers.
  tx.run(
    "UPDATE adventures SET cards_adopted = 1 WHERE NOT cards_adopted AND stat_schema IS NULL AND coalesce(placeholders, 'null') <> 'null'",
  )
  tx.run(
    `UPDATE adventures SET action_count = (SELECT count(*) FROM actions WHERE adventure_id = adventures.id)
        WHERE action_count <> (SELECT count(*) FROM actions WHERE adventure_id = adventures.id)`,
  )
  const unhashed = tx.all<{ id: number; image: string }>(
    "SELECT id, image FROM scenarios WHERE image_hash = '' AND image LIKE 'data:%'",
  )
  for (const { id, image } of unhashed)
    tx.run('UPDATE scenarios SET image_hash = ? WHERE id = ?', pictureHash(image), id)
  applyExternalChanges(tx, new Date())
  return repairSearchIndex(tx, MAX_INDEXED).left
}

/** Rows that are indexed while the library is opened. More are left to the running service. */
const MAX_INDEXED = 500

const TEXT_COLUMNS = {
  settings: [
    'endpoint_url',
    'model',
    'model_file',
    'api_mode',
    'narrator_prompt',
    'summary_model',
    'embedding_model',
    'embedding_endpoint_url',
  ],
  scenarios: ['title', 'description', 'prompt', ...PLOT_FIELDS, 'tags', 'image', 'icon'],
  adventures: ['title', ...PLOT_FIELDS, 'story_summary'],
  actions: ['type', 'text', 'reasoning'],
  memories: ['text'],
  story_cards: ['type', 'name', 'keys', 'entry', 'notes'],
}

// Programs that import values from files may store text as a blob. The cast does not change its bytes.
export function convertBlobsToText(tx: Writer): void {
  for (const [table, columns] of Object.entries(TEXT_COLUMNS))
    tx.run(
      `UPDATE ${table} SET ${columns.map((name) => `${name} = CAST(${name} AS TEXT)`).join(', ')}
        WHERE 'blob' IN (${columns.map((name) => `typeof(${name})`).join(', ')})`,
    )
}
