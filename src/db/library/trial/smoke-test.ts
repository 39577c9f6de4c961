import type { Database } from 'bun:sqlite'
import { EMPTY_ADVENTURE } from '../../../domain/adventure.ts'
import { EMPTY_SCENARIO } from '../../../domain/scenario.ts'
import { writerFor } from '../../database.ts'
import { insertAction } from '../../tables/actions/write.ts'
import { insertAdventure, type NewAdventure } from '../../tables/adventures.ts'
import { insertMemory } from '../../tables/memory/memories.ts'
import { insertScenario } from '../../tables/scenarios.ts'
import { insertCard } from '../../tables/story-cards.ts'
import { findOwner } from '../../tables/users.ts'

/**
 * Stores two of everything in a throwaway copy. A file with constraints that another program added (unique, not null)
 * fails here rather than in the player's first turn.
 */
export function smokeTest(copy: Database): void {
  const tx = writerFor(copy)
  const [owner, now] = [findOwner(tx) ?? 0, new Date(0)]
  copy.transaction(() => {
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
