import { insertAction, listActions } from '../db/actions.ts'
import {
  adoptCards,
  deleteAdventure,
  getAdventure,
  insertAdventure,
  thawEpoch,
  updateAdventure,
  updateShelf,
} from '../db/tables/adventures.ts'
import type { Reader } from '../db/database.ts'
import { type Draft, keepDraft } from '../db/drafts.ts'
import { getScenario } from '../db/tables/scenarios.ts'
import { insertCard, listCards } from '../db/tables/story-cards.ts'
import { findSummary, insertSummary } from '../db/tables/summaries.ts'
import { findOwner } from '../db/tables/users.ts'
import type { ActionView } from '../domain/action.ts'
import { type Adventure, type AdventureFields, type Shelf, UNTITLED_ADVENTURE } from '../domain/adventure.ts'
import { type Beginning, beginningOf } from '../domain/beginning.ts'
import { type Seen, unlessChanged } from '../domain/changed-elsewhere.ts'
import { PAGE } from '../domain/limits.ts'
import type { Answers } from '../domain/placeholder.ts'
import type { StoryCard } from '../domain/story-card.ts'
import { isBlank } from '../lib/text.ts'
import { instantiate } from '../domain/world/state.ts'
import type { Deps } from './deps.ts'

/** What a player says when a story begins. Without a scenario it begins with a blank page. */
export interface BeginInput {
  scenario_id?: number | null
  title?: string
  placeholders?: Answers
}

/**
 * Begins an adventure: plot, cards and schema are copied from the scenario with its questions answered, so that
 * later edits of the scenario leave the story alone (specification 1.3). Gives its id. Throws not_found.
 */
export function beginAdventure(
  deps: Deps,
  { scenario_id = null, title = '', placeholders = {} }: BeginInput,
): number {
  return deps.library.write((tx) => {
    const scenario = scenario_id === null ? null : getScenario(tx, scenario_id)
    const beginning = scenario
      ? beginningOf(scenario, listCards(tx, { scenario_id: scenario.id }), placeholders)
      : BLANK
    const schema = beginning.stat_schema
    const state = instantiate(schema)
    const id = insertAdventure(
      tx,
      findOwner(tx) ?? 0,
      {
        scenario_id,
        title: [title, scenario?.title ?? ''].find((name) => !isBlank(name)) ?? UNTITLED_ADVENTURE,
        memory: beginning.memory,
        authors_note: beginning.authors_note,
        ai_instructions: beginning.ai_instructions,
        story_summary: '',
        auto_summarize: true,
        memory_bank_enabled: true,
        placeholders,
        world_state: state,
        stat_schema: schema,
      },
      deps.now(),
    )
    for (const { source_ref, ...card } of beginning.cards)
      insertCard(tx, { adventure_id: id }, card, source_ref)
    adoptCards(tx, id)
    insertAction(
      tx,
      { adventure_id: id, index: 0, type: 'start', text: beginning.opening, world_state_before: state },
      deps.now(),
    )
    return id
  })
}

const BLANK: Beginning = {
  memory: '',
  authors_note: '',
  ai_instructions: '',
  opening: '',
  cards: [],
  stat_schema: {},
}

/** An adventure with its cards and newest actions. */
export interface AdventureView extends Adventure {
  story_cards: StoryCard[]
  actions: ActionView[]
}

/** Throws not_found. */
export function adventureView(reader: Reader, id: number): AdventureView {
  return {
    ...getAdventure(reader, id),
    story_cards: listCards(reader, { adventure_id: id }),
    actions: listActions(reader, id, PAGE).actions,
  }
}

/** Changes the given fields, as they were when they were `seen`. Throws not_found, changed_elsewhere. */
export function changeAdventure(
  deps: Deps,
  id: number,
  changed: Partial<AdventureFields>,
  seen: Seen = {},
): Adventure {
  deps.library.write((tx) => {
    const fresh = unlessChanged<AdventureFields>(getAdventure(tx, id), changed, seen)
    if (Object.keys(fresh).length === 0) return
    updateAdventure(tx, id, fresh, deps.now())
    if (fresh.story_summary === undefined) return
    // What the player has written is never replaced, only built upon; it counts from the next turn on.
    const covers = findSummary(tx, id)?.covers ?? -1
    insertSummary(tx, id, { text: fresh.story_summary, covers, made_by: 'player' }, deps.now())
    thawEpoch(tx, id)
  })
  return getAdventure(deps.library.reader, id)
}

/** Pins a story, archives it, or puts it back among the others. Throws not_found. */
export function shelveAdventure(deps: Deps, id: number, shelf: Shelf): void {
  getAdventure(deps.library.reader, id)
  deps.library.write((tx) => updateShelf(tx, id, shelf))
}

/** Deletes a story and all that belongs to it. Throws not_found, turn_in_progress. */
export function removeAdventure(deps: Deps, id: number): void {
  getAdventure(deps.library.reader, id)
  using _ = deps.locks.take(id)
  deps.library.write((tx) => deleteAdventure(tx, id))
}

/** Keeps what stands in a composer, so that no typed word is lost with its page. Throws not_found. */
export function saveDraft(deps: Deps, id: number, draft: Draft): void {
  getAdventure(deps.library.reader, id)
  deps.library.write((tx) => keepDraft(tx, id, draft))
}
