import type { Reader, Writer } from '../../db/database.ts'
import { findNewest } from '../../db/tables/actions/list.ts'
import {
  findAnswers,
  getAdventure,
  getWorld,
  hasAdoptedCards,
  pinSchema,
  updateAdventure,
  updateAnswers,
  updateCardsAdopted,
  updateWorldState,
} from '../../db/tables/adventures.ts'
import { findScenario } from '../../db/tables/scenarios.ts'
import {
  deleteCard,
  insertCard,
  listCards,
  listCardsWithSource,
  updateCard,
} from '../../db/tables/story-cards.ts'
import { insertBreak } from '../../db/tables/world-breaks.ts'
import { StoryError } from '../../domain/errors.ts'
import {
  applyPlan,
  planRefresh,
  type Refreshable,
  type RefreshChoices,
  type RefreshPlan,
} from '../../domain/refresh/plan.ts'
import { hashOf } from '../../lib/hash.ts'
import type { Deps } from '../deps.ts'

/** Plans a refresh without a lock and without writing anything. Throws not_found, no_scenario. */
export function refreshPlan(reader: Reader, adventureId: number): RefreshPlan {
  return planRefresh(refreshable(reader, adventureId))
}

/** Hash of a plan, to notice when the story or its scenario has changed since. */
export function planVersion(plan: RefreshPlan): string {
  return hashOf(JSON.stringify(plan))
}

/**
 * Updates a story from its scenario in one transaction. `version` is that of the plan that the player saw; if the plan has
 * changed, nothing happens. Throws not_found, no_scenario, turn_in_progress, changed_elsewhere, invalid.
 */
export function applyRefresh(
  deps: Deps,
  adventureId: number,
  { placeholders = {}, skip = [] }: RefreshChoices,
  version?: string,
): void {
  refreshable(deps.library.reader, adventureId)
  using _ = deps.locks.take(adventureId)
  deps.library.write((tx) => {
    const before = refreshable(tx, adventureId)
    const plan = planRefresh(before)
    if (version !== undefined && version !== planVersion(plan))
      throw new StoryError(
        'changed_elsewhere',
        'The scenario or the story has changed since you opened this page. Here is the new list of changes; nothing has been applied yet.',
      )
    const story = { ...before, answers: { ...before.answers, ...placeholders } }
    refuseUnknown(skip, [...plan.items, ...planRefresh(story).items])
    writeRefresh(tx, adventureId, { story, skip, now: deps.now() })
  })
}

// An unknown ref means that something the player wanted to keep would be overwritten.
function refuseUnknown(skip: readonly string[], items: readonly { ref: string }[]): void {
  const known = new Set(items.map(({ ref }) => ref))
  const unknown = skip.find((ref) => !known.has(ref))
  if (unknown === undefined) return
  throw new StoryError(
    'invalid',
    `There is no change called ${unknown.slice(0, 200)} to skip, so nothing was applied. Get the plan again.`,
  )
}

function writeRefresh(
  tx: Writer,
  adventureId: number,
  { story, skip, now }: { story: Refreshable; skip: readonly string[]; now: Date },
): void {
  const { fields, cards, schema, state } = applyPlan(story, new Set(skip))
  updateAdventure(tx, adventureId, fields, now)
  updateAnswers(tx, adventureId, story.answers)
  for (const { id, source_ref } of cards.adopted) updateCard(tx, id, { source_ref })
  for (const { id, fields } of cards.updated) updateCard(tx, id, { ...fields, timing: fields.timing ?? null })
  for (const id of cards.removed) deleteCard(tx, id)
  for (const { source_ref, ...card } of cards.added)
    insertCard(tx, { adventure_id: adventureId }, card, source_ref)
  updateCardsAdopted(tx, adventureId)
  pinSchema(tx, adventureId, schema)
  // A new schema also changes how an undo or a switch restores values, even if no live value changed.
  if (JSON.stringify([schema, state]) === JSON.stringify([story.schema, story.state])) return
  updateWorldState(tx, adventureId, state)
  insertBreak(tx, adventureId, {
    since: findNewest(tx, adventureId)?.index ?? -1,
    what: 'follows a refresh from the scenario',
  })
}

function refreshable(reader: Reader, adventureId: number): Refreshable {
  const adventure = getAdventure(reader, adventureId)
  const scenario = adventure.scenario_id === null ? null : findScenario(reader, adventure.scenario_id)
  if (scenario === null)
    throw new StoryError(
      'no_scenario',
      'This story has no scenario to update from: the scenario was deleted, or the story started without one.',
    )
  return {
    scenario,
    scenario_cards: listCards(reader, { scenario_id: scenario.id }),
    adventure,
    story_cards: listCardsWithSource(reader, adventureId),
    cards_adopted: hasAdoptedCards(reader, adventureId),
    answers: findAnswers(reader, adventureId) ?? {},
    ...getWorld(reader, adventureId),
  }
}
