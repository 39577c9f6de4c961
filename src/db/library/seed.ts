import type { Database } from 'bun:sqlite'
import type { StarterScenario } from '../../domain/scenario.ts'
import { writerFor } from '../database.ts'
import { insertScenario } from '../tables/scenarios.ts'
import { insertSettings } from '../tables/settings.ts'
import { insertCard } from '../tables/story-cards.ts'
import { insertOwner } from '../tables/users.ts'

export function seed(db: Database, starters: readonly StarterScenario[]): void {
  const tx = writerFor(db)
  const now = new Date()
  db.transaction(() => {
    const owner = insertOwner(tx, now)
    insertSettings(tx, owner)
    for (const { story_cards, ...fields } of [...starters].reverse()) {
      const id = insertScenario(tx, owner, { ...fields, image: '' }, now)
      for (const card of story_cards) insertCard(tx, { scenario_id: id }, card, null)
    }
  }).immediate()
}
