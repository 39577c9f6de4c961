import { parseObjectColumn } from '../column-values.ts'
import type { Reader, Writer } from '../database.ts'

/** An incomplete schema that is not in use; null if there is none. */
export function findSchemaDraft(reader: Reader, scenarioId: number): Record<string, unknown> | null {
  return parseObjectColumn(reader.value('SELECT text FROM schema_drafts WHERE scenario_id = ?', scenarioId))
}

export function upsertSchemaDraft(tx: Writer, scenarioId: number, schema: unknown): void {
  tx.run(
    'INSERT INTO schema_drafts (scenario_id, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text',
    scenarioId,
    JSON.stringify(schema),
  )
}

export function deleteSchemaDraft(tx: Writer, scenarioId: number): void {
  tx.run('DELETE FROM schema_drafts WHERE scenario_id = ?', scenarioId)
}
