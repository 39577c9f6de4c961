import type { Database } from 'bun:sqlite'
import { writerFor } from '../../../src/db/database.ts'
import { insertAction } from '../../../src/db/tables/actions/write.ts'
import { insertAdventure, type NewAdventure } from '../../../src/db/tables/adventures.ts'
import { insertMemory } from '../../../src/db/tables/memory/memories.ts'
import { insertScenario } from '../../../src/db/tables/scenarios.ts'
import { insertCard } from '../../../src/db/tables/story-cards.ts'
import { findOwner } from '../../../src/db/tables/users.ts'
import { EMPTY_ADVENTURE } from '../../../src/domain/adventure.ts'
import { EMPTY_SCENARIO } from '../../../src/domain/scenario.ts'

/** Stores two of everything, as a player does. */
export function storeRows(db: Database): void {
  const tx = writerFor(db)
  const [owner, now] = [findOwner(tx) ?? 0, new Date(0)]
  db.transaction(() => {
    for (const _ of [1, 2]) {
      const scenario_id = insertScenario(tx, owner, EMPTY_SCENARIO, now)
      const adventure_id = insertAdventure(tx, owner, { ...BLANK, scenario_id }, now)
      for (const index of [0, 1])
        insertAction(tx, { adventure_id, index, type: 'story', text: '', world_state_before: null }, now)
      insertMemory(tx, adventure_id, { text: '', source: null }, now)
      insertCard(tx, { adventure_id }, { type: '', name: '', keys: '', entry: '', notes: '' }, null)
    }
  })()
}

const BLANK: NewAdventure = {
  ...EMPTY_ADVENTURE,
  scenario_id: null,
  placeholders: {},
  world_state: {},
  stat_schema: {},
}
