import { type Static, Type } from '@sinclair/typebox'
import { leaveFamily } from '../../db/stories/branches.ts'
import { hide } from '../../db/stories/hidden.ts'
import { listActions } from '../../db/tables/actions/list.ts'
import { insertAction } from '../../db/tables/actions/write.ts'
import {
  clearEpochStatic,
  deleteAdventure,
  getAdventure,
  insertAdventure,
  updateAdventure,
  updateCardsAdopted,
  updateShelf,
} from '../../db/tables/adventures.ts'
import { beginProposals } from '../../db/tables/card-proposals.ts'
import { findSummary, insertSummary } from '../../db/tables/memory/summaries.ts'
import { getScenario } from '../../db/tables/scenarios.ts'
import { insertCard, listCards } from '../../db/tables/story-cards.ts'
import { findOwner } from '../../db/tables/users.ts'
import { type Draft, upsertDraft } from '../../db/tables/waiting-lines.ts'
import {
  type Adventure,
  type AdventureFields,
  type AdventureView,
  EMPTY_ADVENTURE,
  type Shelf,
  UNTITLED_ADVENTURE,
} from '../../domain/adventure.ts'
import { type ConflictCheck, fieldsUnchanged } from '../../domain/edit-conflict.ts'
import { LIMITS, PAGE_SIZE } from '../../domain/limits.ts'
import { EMPTY_PLOT, plotOf, type Scenario } from '../../domain/scenario.ts'
import { type Beginning, beginningOf } from '../../domain/start-from-scenario.ts'
import { answersSchema } from '../../domain/text/placeholder.ts'
import { instantiate } from '../../domain/world/state.ts'
import { isBlank, Text } from '../../lib/text.ts'
import { nullable } from '../../lib/typebox.ts'
import type { Deps } from '../deps.ts'
import { whenFree } from '../runtime/when-free.ts'
import { isLong } from './copy-adventure.ts'

/** Without a scenario the story starts with a blank page. */
export const newAdventure = () =>
  Type.Object(
    {
      scenario_id: Type.Optional(nullable(Type.Integer())),
      title: Type.Optional(Text(LIMITS.name)),
      placeholders: Type.Optional(answersSchema()),
      greeting: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'The opening of the scenario: 0 is its `prompt`, 1 the first of its `greetings`',
        }),
      ),
    },
    { examples: [{ title: 'A blank page' }] },
  )
type NewAdventureInput = Static<ReturnType<typeof newAdventure>>

/**
 * Starts an adventure and returns its id. Plot, cards and schema are copied from the scenario with its placeholders filled
 * in, so later edits of the scenario do not affect the story. Throws not_found, changed_elsewhere.
 */
export function createAdventure(deps: Deps, input: NewAdventureInput): number {
  const { scenario_id = null, placeholders = {}, greeting } = input
  return deps.library.write((tx) => {
    const scenario = scenario_id === null ? null : getScenario(tx, scenario_id)
    const beginning = scenario
      ? beginningOf(scenario, listCards(tx, { scenario_id: scenario.id }), placeholders, greeting)
      : BLANK
    const fields = fieldsFrom(input, scenario, beginning)
    const id = insertAdventure(tx, findOwner(tx) ?? 0, fields, deps.now())
    for (const { source_ref, ...card } of beginning.cards)
      insertCard(tx, { adventure_id: id }, card, source_ref)
    updateCardsAdopted(tx, id)
    const { opening } = beginning
    const world_state_before = fields.world_state
    insertAction(
      tx,
      { adventure_id: id, index: 0, type: 'start', text: opening, world_state_before },
      deps.now(),
    )
    return id
  })
}

function fieldsFrom(
  { scenario_id = null, title = '', placeholders = {} }: NewAdventureInput,
  scenario: Scenario | null,
  { stat_schema, ...beginning }: Beginning,
) {
  return {
    ...EMPTY_ADVENTURE,
    scenario_id,
    title: [title, scenario?.title ?? ''].find((name) => !isBlank(name)) ?? UNTITLED_ADVENTURE,
    ...plotOf((field) => beginning[field]),
    placeholders,
    world_state: instantiate(stat_schema),
    stat_schema,
  }
}

const BLANK: Beginning = {
  ...EMPTY_PLOT,
  opening: '',
  cards: [],
  stat_schema: {},
}

/** Throws not_found. */
export function adventureView({ library: { reader }, unsavedReplies }: Deps, id: number): AdventureView {
  return {
    ...getAdventure(reader, id),
    story_cards: listCards(reader, { adventure_id: id }),
    actions: listActions(reader, id, PAGE_SIZE).actions,
    interrupted: unsavedReplies.find(reader, id),
  }
}

/** Changes the given fields, if the check allows it. Throws not_found, changed_elsewhere. */
export function updateAdventureFields(
  deps: Deps,
  id: number,
  changed: Partial<AdventureFields>,
  check: ConflictCheck = fieldsUnchanged(),
): Adventure {
  deps.library.write((tx) => {
    const updates = check<AdventureFields>(getAdventure(tx, id), changed)
    if (Object.keys(updates).length === 0) return
    updateAdventure(tx, id, updates, deps.now())
    if (updates.propose_cards) beginProposals(tx, id)
    if (updates.story_summary === undefined) return
    // A summary by the player is only extended, never replaced, and is in use from the next turn on.
    const covers = findSummary(tx, id)?.covers ?? -1
    insertSummary(tx, id, { text: updates.story_summary, covers, made_by: 'player' }, deps.now())
    clearEpochStatic(tx, id)
  })
  deps.idle.storyChanged(id)
  return getAdventure(deps.library.reader, id)
}

/** Pins stories, archives them, or returns them to the list. Throws not_found. */
export function shelveAdventures({ library }: Deps, ids: readonly number[], shelf: Shelf): void {
  library.write((tx) => {
    for (const id of ids) updateShelf(tx, getAdventure(tx, id).id, shelf)
  })
}

/**
 * Deletes stories and everything that belongs to them. For the player they are gone at once; the promise resolves when long
 * ones are removed from the library too. Throws not_found, turn_in_progress, before anything is deleted.
 */
export function removeAdventures(deps: Deps, ids: readonly number[]): { removed: Promise<void> } {
  const { library, locks, removals } = deps
  using taken = new DisposableStack()
  const stories = ids.map((id) => {
    const story = getAdventure(library.reader, id)
    taken.use(locks.take(id))
    return story
  })
  library.write((tx) => {
    for (const story of stories) {
      leaveFamily(tx, story.id)
      if (isLong(story)) hide(tx, 'adventures', story.id)
      else deleteAdventure(tx, story.id)
    }
  })
  removals.add(stories.filter(isLong).map(({ id }) => id))
  return { removed: removals.run(deps) }
}

/** Saves what is typed in a composer, or a part of it, so that closing the page loses nothing. Throws not_found. */
export async function saveDraft(deps: Deps, id: number, draft: Partial<Draft>): Promise<void> {
  getAdventure(deps.library.reader, id)
  await whenFree(deps, () => deps.library.write((tx) => upsertDraft(tx, id, draft)))
}
