import type { Reader } from '../../db/database.ts'
import { findNewest } from '../../db/tables/actions/list.ts'
import type { ActionPosition } from '../../db/tables/actions/position.ts'
import { findRolledLine } from '../../db/tables/actions/rolls.ts'
import { findTimingRecord } from '../../db/tables/actions/timing-records.ts'
import { getVariants } from '../../db/tables/actions/variants.ts'
import { getAdventure, getWorld } from '../../db/tables/adventures.ts'
import { isPlayerLine } from '../../domain/action.ts'
import { scannedEnd } from '../../domain/cards/scanned-text.ts'
import { presentCharacters } from '../../domain/prompt/present-characters.ts'
import type { Story } from '../../domain/prompt/window.ts'
import type { StoryCard } from '../../domain/story-card.ts'
import type { StoryMoment } from '../../domain/timing/due-cards.ts'
import { asksWhoIsPresent, callForChecks, hasTiming } from '../../domain/timing/record.ts'
import { reconciledState } from '../../domain/world/reconcile.ts'
import { readRules } from '../../domain/world/rules.ts'

/** The cards of a story, and its position: before a passage, or at its end. */
interface TimedStory {
  adventureId: number
  before: ActionPosition | null
  cards: readonly StoryCard[]
  story: Story
}

/** The facts that timed cards depend on; null without any. A retry has the moment of the passage that it retells. */
export function timedMoment(
  reader: Reader,
  { adventureId, before, cards, story }: TimedStory,
): StoryMoment | null {
  if (!hasTiming(cards)) return null
  const { schema, state } = getWorld(reader, adventureId)
  const start = before === null ? state : (getVariants(reader, before.id).world_state_before ?? state)
  const rules = readRules(schema)
  const { record, turn } = findTimingRecord(reader, adventureId, before)
  return {
    record,
    turn,
    seed: record?.seed || getAdventure(reader, adventureId).created_at,
    rules,
    state: reconciledState(schema, start),
    present: asksWhoIsPresent(cards) ? presentCharacters(rules, scannedEnd(story).all) : new Set(),
    callers: callForChecks(cards) ? findCallers(reader, adventureId, before) : null,
  }
}

/** A retry throws nothing: only the card that called for the roll of its line may do so again. */
function findCallers(
  reader: Reader,
  adventureId: number,
  before: ActionPosition | null,
): StoryMoment['callers'] {
  const roll = findRolledLine(reader, adventureId, before)?.roll
  if (roll) return roll.called_by === undefined ? null : { key: roll.called_by }
  return before === null && isPlayerLine(findNewest(reader, adventureId)?.type ?? 'start') ? 'all' : null
}
