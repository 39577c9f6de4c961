import type { Reader, Writer } from './database.ts'
import { readObject } from './stored.ts'

/** A schema that is being written and cannot be used yet; null when there is none. */
export function findSchemaDraft(reader: Reader, scenarioId: number): Record<string, unknown> | null {
  const row = reader.get<{ text: string }>('SELECT text FROM schema_drafts WHERE scenario_id = ?', scenarioId)
  return readObject(row?.text ?? null)
}

export function keepSchemaDraft(tx: Writer, scenarioId: number, schema: unknown): void {
  tx.run(
    'INSERT INTO schema_drafts (scenario_id, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text',
    scenarioId,
    JSON.stringify(schema),
  )
}

export function dropSchemaDraft(tx: Writer, scenarioId: number): void {
  tx.run('DELETE FROM schema_drafts WHERE scenario_id = ?', scenarioId)
}
