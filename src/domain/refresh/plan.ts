import { type Static, Type } from '@sinclair/typebox'
import { PLOT_FIELDS, type PlotField, type PlotTexts, type Scenario } from '../scenario.ts'
import { filledSchema, remainingQuestions } from '../start-from-scenario.ts'
import type { CardFields } from '../story-card.ts'
import { answersSchema, fillPlaceholders } from '../text/placeholder.ts'
import type { StatSchema, WorldState } from '../world/state.ts'
import { applyWorldChanges, type StatsInUse } from './apply-world-changes.ts'
import type { CardChange, CardChanges, ComparedCards } from './compare-cards.ts'
import { compareCards } from './compare-cards.ts'
import { compareWorld, type DefinitionChange, type StatDefinition, ValueChange } from './compare-world.ts'

export interface Refreshable extends ComparedCards {
  scenario: Scenario
  adventure: PlotTexts
  schema: StatSchema | null
  state: WorldState
}

/** One change of a refresh, which a player may skip by its `ref`. Without `old` it adds, without `new` it removes. */
export type RefreshItem =
  | { kind: 'field'; ref: string; name: PlotField; old: string; new: string }
  | { kind: 'card'; ref: string; name: string; old: CardFields | null; new: CardFields | null }
  | {
      kind: DefinitionChange['kind']
      ref: string
      name: string
      old: StatDefinition | null
      new: StatDefinition | null
    }

const names = (description: string) => Type.Array(Type.String(), { description })

export const RefreshPlan = Type.Object({
  scenario_id: Type.Integer(),
  scenario_title: Type.String(),
  has_changes: Type.Boolean(),
  fields: Type.Unsafe<Partial<Record<PlotField, { old: string; new: string }>>>(
    Type.Record(Type.String(), Type.Object({ old: Type.String(), new: Type.String() })),
  ),
  cards: Type.Object({ added: names('By name'), updated: names('By name'), removed: names('By name') }),
  world_state: Type.Object({
    added: names('Paths that start at their initial value'),
    removed: names('Paths that are removed'),
    changed: Type.Array(ValueChange, {
      description:
        'Changed definitions, by key, and live values that no longer fit, by what is wrong with them',
    }),
  }),
  placeholders_needed: names('Placeholders without an answer. They do not count as changes.'),
  items: Type.Array(
    Type.Unsafe<RefreshItem>(
      Type.Object({
        kind: Type.String({
          description: '"field", "card", "stat", "flag", "milestone", "npc", "check" or "world"',
        }),
        ref: Type.String({ description: 'Names the item in `skip`' }),
        name: Type.String(),
        old: Type.Unknown({ description: 'null for what is added' }),
        new: Type.Unknown({ description: 'null for what is removed' }),
      }),
    ),
    { description: 'Every single change' },
  ),
})

export type RefreshPlan = Static<typeof RefreshPlan>

/** By default everything is updated. */
export const refreshChoices = (more: { examples?: object[] } = {}) =>
  Type.Object(
    {
      placeholders: Type.Optional(answersSchema()),
      skip: Type.Optional(
        Type.Array(Type.String(), { description: 'The `ref` of each item of the plan to leave out' }),
      ),
    },
    more,
  )

export type RefreshChoices = Static<ReturnType<typeof refreshChoices>>

export interface RefreshResult extends StatsInUse {
  fields: Partial<Record<PlotField, string>>
  cards: {
    added: (CardFields & { source_ref: string })[]
    updated: { id: number; fields: CardFields }[]
    removed: number[]
    adopted: CardChanges['adopted']
  }
}

export function planRefresh(story: Refreshable): RefreshPlan {
  const { scenario, scenario_cards, answers } = story
  const { fields, cards, world } = differences(story)
  const items = [
    ...fields.map((field): RefreshItem => ({ kind: 'field', ref: fieldRef(field.name), ...field })),
    ...cards.changes.map(({ ids: _, ...change }): RefreshItem => ({ kind: 'card', ...change })),
    ...world.changes.map(
      ({ kind, path, name, old, new: next }): RefreshItem => ({
        kind,
        ref: worldRef(path),
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
    placeholders_needed: remainingQuestions(scenario, scenario_cards)
      .map(({ name }) => name)
      .filter((name) => !Object.hasOwn(answers, name)),
    items,
  }
}

export function applyPlan(story: Refreshable, skip: ReadonlySet<string>): RefreshResult {
  const { fields, cards, world, schema } = differences(story)
  const accepted = cards.changes.filter(({ ref }) => !skip.has(ref))
  return {
    fields: Object.fromEntries(
      fields.filter(({ name }) => !skip.has(fieldRef(name))).map(({ name, new: text }) => [name, text]),
    ),
    cards: {
      added: accepted.flatMap(({ old, new: next, ref }) =>
        next && !old ? [{ ...next, source_ref: ref }] : [],
      ),
      updated: accepted.flatMap(({ old, new: next, ids }) =>
        next && old ? ids.map((id) => ({ id, fields: next })) : [],
      ),
      removed: accepted.flatMap(({ new: next, ids }) => (next ? [] : ids)),
      adopted: cards.adopted,
    },
    ...applyWorldChanges(story, schema, world.changes, (path) => !skip.has(worldRef(path))),
  }
}

function differences(story: Refreshable) {
  const { scenario, adventure, answers } = story
  const schema = filledSchema(scenario, answers)
  return {
    schema,
    fields: PLOT_FIELDS.map((name) => ({
      name,
      old: adventure[name],
      new: fillPlaceholders(scenario[name], answers),
    })).filter((field) => field.old !== field.new),
    cards: compareCards(story),
    world: compareWorld(story.schema, schema, story.state),
  }
}

function fieldRef(name: PlotField): string {
  return `field:${name}`
}

function worldRef(path: string): string {
  return `world:${path}`
}
