import { type Place, readBack } from '../db/actions.ts'
import { getAdventure } from '../db/adventures.ts'
import type { Reader } from '../db/database.ts'
import { listCards } from '../db/story-cards.ts'
import { HISTORY_ACTIONS, layOut, type Prompt } from '../domain/prompt/layout.ts'
import type { Settings } from '../domain/settings.ts'

/** The prompt for the story before a place, or for its next turn. Throws prompt_too_large. */
export function promptFor(
  reader: Reader,
  adventureId: number,
  settings: Settings,
  before: Place | null,
): Prompt {
  return layOut({
    settings,
    adventure: getAdventure(reader, adventureId),
    cards: listCards(reader, { adventure_id: adventureId }),
    history: readBack(reader, adventureId, before, HISTORY_ACTIONS),
  })
}
