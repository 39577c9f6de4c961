import { type Static, Type } from '@sinclair/typebox'
import type { Adventure } from '../adventure.ts'
import { filledSchema, standingQuestions } from '../beginning.ts'
import { type Answers, answers, fill } from '../placeholder.ts'
import { applyWorld, type Counting } from './apply-world-changes.ts'
import { type CardChange, type CardChanges, compareCards } from './compare-cards.ts'
import { type Changed, type Counted, type CountedChange, compareWorld } from './compare-world.ts'
import type { Scenario } from '../scenario.ts'
import type { CardFields, CardWithSource, StoryCard } from '../story-card.ts'
import type { StatSchema, WorldState } from '../world/state.ts'

/** The texts of a plot that a refresh brings up to date. The opening is not one of them: it has been told. */
export const PLOT_FIELDS = ['memory', 'authors_note', 'ai_instructions'] as const

export type PlotField = (typeof PLOT_FIELDS)[number]

/** A story and its scenario, as far as a refresh looks at them. */
export interface Refreshable {
  scenario: Scenario
  scenario_cards: readonly StoryCard[]
  adventure: Pick<Adventure, PlotField>
  story_cards: readonly CardWithSource[]
  /** Whether its cards were matched by name once. */
  cards_adopted: boolean
  answers: Answers
  /** The schema that the story is played under. */
  schema: StatSchema | null
  state: WorldState
}

/** One thing that a refresh would do, and that a player may leave out by its `ref`. Without `old` it is new, without `new` it goes. */
export type RefreshItem =
  | { kind: 'field'; ref: string; name: PlotField; old: string; new: string }
  | { kind: 'card'; ref: string; name: string; old: CardFields | null; new: CardFields | null }
  | { kind: CountedChange['kind']; ref: string; name: string; old: Counted | null; new: Counted | null }

/** What a refresh would do to a story (specification 4, "refresh"). */
export interface RefreshPlan {
  scenario_id: number
  scenario_title: string
  has_changes: boolean
  fields: Partial<Record<PlotField, { old: string; new: string }>>
  cards: { added: string[]; updated: string[]; removed: string[] }
  world_state: { added: string[]; removed: string[]; changed: Changed[] }
  /** Questions without an answer. They are no change by themselves. */
  placeholders_needed: string[]
  items: RefreshItem[]
}

/** What a player says of a refresh; nothing said means everything is taken over. */
export const refreshChoices = (more: { examples?: object[] } = {}) =>
  Type.Object(
    {
      placeholders: Type.Optional(answers()),
      skip: Type.Optional(
        Type.Array(Type.String(), { description: 'The `ref` of each item of the plan to leave out' }),
      ),
      keep_copy: Type.Optional(
        Type.Boolean({ description: 'Keep a copy of the adventure as it was, in the same transaction' }),
      ),
    },
    more,
  )

export type RefreshChoices = Static<ReturnType<typeof refreshChoices>>

/** What a refresh writes. */
export interface Refreshed extends Counting {
  fields: Partial<Record<PlotField, string>>
  cards: {
    added: (CardFields & { source_ref: string })[]
    updated: { id: number; fields: CardFields }[]
    removed: number[]
    adopted: CardChanges['adopted']
  }
}

/** What a refresh of a story would do. It reads only. */
export function planRefresh(story: Refreshable): RefreshPlan {
  const { scenario, scenario_cards, answers } = story
  const { fields, cards, world } = differences(story)
  const items = [
    ...fields.map((field): RefreshItem => ({ kind: 'field', ref: fieldRef(field.name), ...field })),
    ...cards.changes.map(({ ids: _, ...change }): RefreshItem => ({ kind: 'card', ...change })),
    ...world.changes.map(
      ({ kind, path, name, old, new: next }): RefreshItem => ({
        kind,
        ref: countedRef(path),
        name,
        old,
        new: next,
      }),
    ),
  ]
  const names = (fits: (change: CardChange) => boolean) => cards.changes.filter(fits).map(({ name }) => name)
  const { added, removed, changed } = world
  return {
    scenario_id: scenario.id,
    scenario_title: scenario.title,
    has_changes: items.length > 0,
    fields: Object.fromEntries(fields.map(({ name, ...texts }) => [name, texts])),
    cards: {
      added: names((card) => card.old === null),
      updated: names((card) => card.old !== null && card.new !== null),
      removed: names((card) => card.new === null),
    },
    world_state: { added, removed, changed },
    placeholders_needed: standingQuestions(scenario, scenario_cards)
      .map(({ name }) => name)
      .filter((name) => !Object.hasOwn(answers, name)),
    items,
  }
}

/** What is to be written so that the plan of a story comes true, but for the items whose `ref` is left out. */
export function applyPlan(story: Refreshable, skip: ReadonlySet<string>): Refreshed {
  const { fields, cards, world, schema } = differences(story)
  const taken = cards.changes.filter(({ ref }) => !skip.has(ref))
  return {
    fields: Object.fromEntries(
      fields.filter(({ name }) => !skip.has(fieldRef(name))).map(({ name, new: text }) => [name, text]),
    ),
    cards: {
      added: taken.flatMap(({ old, new: next, ref }) => (next && !old ? [{ ...next, source_ref: ref }] : [])),
      updated: taken.flatMap(({ old, new: next, ids }) =>
        next && old ? ids.map((id) => ({ id, fields: next })) : [],
      ),
      removed: taken.flatMap(({ new: next, ids }) => (next ? [] : ids)),
      adopted: cards.adopted,
    },
    ...applyWorld(story.schema, schema, story.state, world.changes, (path) => !skip.has(countedRef(path))),
  }
}

function differences(story: Refreshable) {
  const { scenario, scenario_cards, adventure, story_cards, cards_adopted, answers } = story
  const schema = filledSchema(scenario, answers)
  return {
    schema,
    fields: PLOT_FIELDS.map((name) => ({
      name,
      old: adventure[name],
      new: fill(scenario[name], answers),
    })).filter((field) => field.old !== field.new),
    cards: compareCards(scenario, scenario_cards, story_cards, answers, cards_adopted),
    world: compareWorld(story.schema, schema, story.state),
  }
}

function fieldRef(name: PlotField): string {
  return `field:${name}`
}

function countedRef(path: string): string {
  return `world:${path}`
}
