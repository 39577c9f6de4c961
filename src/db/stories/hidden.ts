import type { Reader, Step, Writer } from '../database.ts'
import { unindexForSearch } from '../search/story-index.ts'
import { FIRST_POSITION, listPositions } from '../tables/actions/position.ts'
import { deleteAdventure } from '../tables/adventures.ts'
import { deleteScenario } from '../tables/scenarios.ts'

interface Hidden {
  adventures: number[]
  scenarios: number[]
}

const TABLES = ['adventures', 'scenarios'] as const

/** Hides an adventure or scenario: a new one until {@link show}, or one that is being deleted. */
export function hide(tx: Writer, table: keyof Hidden, id: number): void {
  tx.update(table, id, { importing: 1 })
}

export function show(tx: Writer, complete: Hidden): void {
  for (const table of TABLES) for (const id of complete[table]) tx.update(table, id, { importing: null })
}

/** Imports and copies that are not complete, and what is being deleted. */
export function listHidden(reader: Reader): Hidden {
  const [adventures = [], scenarios = []] = TABLES.map((table) =>
    reader.column<number>(`SELECT id FROM ${table} WHERE importing = 1`),
  )
  return { adventures, scenarios }
}

export function hasHidden(reader: Reader): boolean {
  const { adventures, scenarios } = listHidden(reader)
  return adventures.length + scenarios.length > 0
}

/** Deletes only hidden rows: a failed write may have freed an id that is in use again. */
export function deleteHidden(tx: Writer, { adventures, scenarios }: Hidden): void {
  const hidden = listHidden(tx)
  for (const id of adventures) if (hidden.adventures.includes(id)) deleteAdventure(tx, id)
  for (const id of scenarios) if (hidden.scenarios.includes(id)) deleteScenario(tx, id)
}

/** Actions that are deleted in one step. */
const CHUNK = 50

/** Deletes hidden adventures with long stories in small steps. */
export function* deleteSteps({ adventures, scenarios }: Hidden): Generator<Step, void> {
  for (const adventure of adventures)
    for (let left = true; left; )
      yield (tx) => {
        left = deleteSomeActions(tx, adventure)
      }
  yield (tx) => deleteHidden(tx, { adventures, scenarios })
}

function deleteSomeActions(tx: Writer, adventureId: number): boolean {
  if (!listHidden(tx).adventures.includes(adventureId)) return false
  const positions = listPositions(tx, adventureId, FIRST_POSITION, CHUNK)
  for (const { id } of positions) {
    unindexForSearch(tx, 'action', id)
    tx.run('DELETE FROM actions WHERE id = ?', id)
  }
  return positions.length > 0
}
