import type { Reader, Writer } from '../database.ts'
import { deleteAdventure } from '../tables/adventures.ts'
import { deleteScenario } from '../tables/scenarios.ts'

/** Adventures and scenarios by their ids. */
interface Unfinished {
  adventures: number[]
  scenarios: number[]
}

const TABLES = ['adventures', 'scenarios'] as const

/** Hides a new adventure or scenario until {@link publishImported}. */
export function hideUntilPublished(tx: Writer, table: keyof Unfinished, id: number): void {
  tx.update(table, id, { importing: 1 })
}

/** Shows what was imported. */
export function publishImported(tx: Writer, imported: Unfinished): void {
  for (const table of TABLES) for (const id of imported[table]) tx.update(table, id, { importing: null })
}

/** What is hidden: of imports that are running, or that were interrupted. */
export function listUnfinished(reader: Reader): Unfinished {
  const [adventures = [], scenarios = []] = TABLES.map((table) =>
    reader.all<{ id: number }>(`SELECT id FROM ${table} WHERE importing = 1`).map(({ id }) => id),
  )
  return { adventures, scenarios }
}

/** Deletes what an interrupted import left. */
export function deleteUnfinished(tx: Writer, { adventures, scenarios }: Unfinished): void {
  for (const id of adventures) deleteAdventure(tx, id)
  for (const id of scenarios) deleteScenario(tx, id)
}

/** Deletes a few hundred passages of a hidden adventure. Returns how many: 0 when there are none left. */
export function deleteSomeActions(tx: Writer, adventureId: number): number {
  return tx.run(
    'DELETE FROM actions WHERE id IN (SELECT id FROM actions WHERE adventure_id = ? LIMIT 300)',
    adventureId,
  )
}
