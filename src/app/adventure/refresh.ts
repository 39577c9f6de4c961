import { findNewest } from '../../db/actions.ts'
import {
  adoptCards,
  findAnswers,
  findCardsAdopted,
  getAdventure,
  getWorld,
  pinSchema,
  updateAdventure,
  updateAnswers,
  updateWorldState,
} from '../../db/tables/adventures.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { findScenario } from '../../db/tables/scenarios.ts'
import { deleteCard, insertCard, listCards, listCardsWithSource, updateCard } from '../../db/tables/story-cards.ts'
import { insertBreak } from '../../db/tables/world-breaks.ts'
import { StoryError } from '../../domain/errors.ts'
import { markOf } from '../../lib/hash.ts'
import {
  applyPlan,
  planRefresh,
  type Refreshable,
  type RefreshChoices,
  type RefreshPlan,
} from '../../domain/refresh/plan.ts'
import { copyWhole } from './copy-adventure.ts'
import type { Deps } from '../deps.ts'

/** What a refresh would do to a story. Takes no lock and writes nothing. Throws not_found, no_scenario. */
export function refreshPlan(reader: Reader, adventureId: number): RefreshPlan {
  return planRefresh(refreshable(reader, adventureId))
}

/** Stands for a plan: when it differs, something has changed since. */
export function markOfPlan(plan: RefreshPlan): string {
  return markOf(JSON.stringify(plan))
}

/**
 * Brings a story up to date with its scenario, in one piece (specification 3, "Refresh apply"). `seen` is the mark of the
 * plan that the player looked at; another plan is refused. Gives the id of the copy that was kept, or null. Throws not_found, no_scenario, turn_in_progress, changed_elsewhere.
 */
export function applyRefresh(
  deps: Deps,
  adventureId: number,
  { placeholders = {}, skip = [], keep_copy = false }: RefreshChoices,
  seen?: string,
): number | null {
  refreshable(deps.library.reader, adventureId)
  using _ = deps.locks.take(adventureId)
  return deps.library.write((tx) => {
    const before = refreshable(tx, adventureId)
    const plan = planRefresh(before)
    if (seen !== undefined && seen !== markOfPlan(plan))
      throw new StoryError(
        'changed_elsewhere',
        'The scenario or the story has changed since this page was shown. Here is what would change now; nothing was done yet.',
      )
    const answered = { ...before, answers: { ...before.answers, ...placeholders } }
    refuseUnknown(skip, [...plan.items, ...planRefresh(answered).items])
    const copy = keep_copy ? copyWhole(tx, adventureId, deps.now()) : null
    writeRefresh(tx, adventureId, answered, skip, deps.now())
    return copy
  })
}

// What was to be left out and is not found would be taken over after all.
function refuseUnknown(skip: readonly string[], items: readonly { ref: string }[]): void {
  const known = new Set(items.map(({ ref }) => ref))
  const unknown = skip.find((ref) => !known.has(ref))
  if (unknown === undefined) return
  throw new StoryError(
    'invalid',
    `There is nothing called ${unknown.slice(0, 200)} to leave out, so nothing was done. Look at the plan again.`,
  )
}

function writeRefresh(
  tx: Writer,
  adventureId: number,
  story: Refreshable,
  skip: readonly string[],
  now: Date,
): void {
  const { fields, cards, schema, state } = applyPlan(story, new Set(skip))
  updateAdventure(tx, adventureId, fields, now)
  updateAnswers(tx, adventureId, story.answers)
  for (const { id, source_ref } of cards.adopted) updateCard(tx, id, { source_ref })
  for (const { id, fields } of cards.updated) updateCard(tx, id, fields)
  for (const id of cards.removed) deleteCard(tx, id)
  for (const { source_ref, ...card } of cards.added)
    insertCard(tx, { adventure_id: adventureId }, card, source_ref)
  adoptCards(tx, adventureId)
  pinSchema(tx, adventureId, schema)
  // Another schema fits what an undo or a switch puts back otherwise, also where it leaves the live values alone.
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
      'This story has no scenario to take changes from: it was deleted, or the story began without one.',
    )
  return {
    scenario,
    scenario_cards: listCards(reader, { scenario_id: scenario.id }),
    adventure,
    story_cards: listCardsWithSource(reader, adventureId),
    cards_adopted: findCardsAdopted(reader, adventureId),
    answers: findAnswers(reader, adventureId) ?? {},
    ...getWorld(reader, adventureId),
  }
}
