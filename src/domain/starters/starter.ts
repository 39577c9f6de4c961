import type { ScenarioFields } from '../scenario.ts'
import type { CardFields } from '../story-card.ts'

/** A scenario that a fresh library holds, with its cards. It is the player's to edit or delete (specification 2, "Scenario"). */
export interface StarterScenario extends Omit<ScenarioFields, 'image'> {
  story_cards: readonly CardFields[]
}
