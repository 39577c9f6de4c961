import fc from 'fast-check'
import type { Refreshable, RefreshResult } from '../../../src/domain/refresh/plan.ts'
import { EMPTY_SCENARIO, type Scenario } from '../../../src/domain/scenario.ts'
import { beginningOf } from '../../../src/domain/start-from-scenario.ts'
import type { CardFields, CardWithSource, StoryCard } from '../../../src/domain/story-card.ts'
import { referee } from '../../../src/domain/world/referee.ts'
import { instantiate } from '../../../src/domain/world/state.ts'
import { deltas, type Fields, schemas } from './random-worlds.ts'

/** Stories with the scenarios that they began from, as they were left and edited since. */

const texts = fc
  .array(fc.constantFrom('A lamp', 'the sea', '${Hero}', '${ Hero }', '${City}', '${}', 'burns.', '\n\n'), {
    maxLength: 5,
  })
  .map((parts) => parts.join(' '))
const names = fc.constantFrom('Lamp', ' lamp', 'Keeper', 'Ottoline', '', '${Hero}')
const cardFields: fc.Arbitrary<CardFields> = fc.record({
  type: fc.constantFrom('', 'place'),
  name: names,
  keys: texts,
  entry: texts,
  notes: fc.constantFrom('', 'mine'),
})
const cards = fc.array(cardFields, { maxLength: 4 })
const answers: fc.Arbitrary<Record<string, string>> = fc.constantFrom(
  {},
  { Hero: 'Mira' },
  { Hero: '${City}', City: '' },
)

function scenarioFrom([memory, note, instructions, schema]: [
  string,
  string,
  string,
  Fields | null,
]): Scenario {
  return {
    ...EMPTY_SCENARIO,
    id: 1,
    created_at: '',
    updated_at: '',
    prompt: '${Only here} begins.',
    memory,
    authors_note: note,
    ai_instructions: instructions,
    stat_schema: schema,
  }
}

/** A scenario with its cards; `also` is another one of the same cards, as its author may have left it later. */
const authored = fc
  .tuple(texts, texts, texts, fc.option(schemas(), { freq: 6 }), cards)
  .map(([memory, note, instructions, schema, fields]) => ({
    scenario: scenarioFrom([memory, note, instructions, schema]),
    scenario_cards: fields.map((card, i) => cardFrom(card, i + 1)),
  }))

function cardFrom(card: CardFields, id: number): StoryCard {
  return { ...card, id, scenario_id: 1, adventure_id: null }
}

/** A story just as it began, but for values that have moved by the rules. */
export const begun: fc.Arbitrary<Refreshable> = fc.tuple(authored, answers).chain(([from, answers]) => {
  const beginning = beginningOf(from.scenario, from.scenario_cards, answers)
  const state = instantiate(beginning.stat_schema)
  const story = (delta: Fields): Refreshable => ({
    ...from,
    adventure: beginning,
    story_cards: beginning.cards.map((card, i) => ({
      ...card,
      id: 100 + i,
      scenario_id: null,
      adventure_id: 1,
    })),
    cards_adopted: true,
    answers,
    schema: beginning.stat_schema,
    state: Object.keys(state).length === 0 ? state : referee(beginning.stat_schema, state, delta, 4).after,
  })
  return from.scenario.stat_schema ? deltas(beginning.stat_schema).map(story) : fc.constant(story({}))
})

type Edit = { kind: 'delete' | 'rename' | 'strip'; at: number } | { kind: 'own'; card: CardFields }

const edits = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom('delete' as const, 'rename' as const, 'strip' as const),
      at: fc.nat(3),
    }),
    fc.record({ kind: fc.constant('own' as const), card: cardFields }),
  ),
  { maxLength: 4 },
)

/** A story that its player and the author of its scenario have gone on with, each in a way of their own. */
export const grown: fc.Arbitrary<Refreshable> = fc
  .tuple(
    begun,
    authored,
    texts,
    edits,
    fc.constantFrom('tagged', 'tagged', 'legacy', 'unpinned'),
    answers,
    fc.nat(7),
  )
  .map(([story, later, note, edits, age, answers, kept]) => {
    const scenario = { ...later.scenario }
    // What the author left alone.
    if (kept & 1) scenario.memory = story.scenario.memory
    if (kept & 2) scenario.stat_schema = story.scenario.stat_schema
    else if (kept & 4) scenario.stat_schema = { ...story.scenario.stat_schema, ...later.scenario.stat_schema }
    const own = edits.reduce(edited, [...story.story_cards])
    return {
      ...story,
      scenario,
      scenario_cards: kept & 1 ? story.scenario_cards : later.scenario_cards,
      adventure: { ...story.adventure, authors_note: note },
      story_cards: age === 'tagged' ? own : own.map((card) => ({ ...card, source_ref: null })),
      cards_adopted: age === 'tagged',
      answers,
      schema: age === 'unpinned' ? scenario.stat_schema : story.schema,
    }
  })

function edited(cards: CardWithSource[], edit: Edit, i: number): CardWithSource[] {
  if (edit.kind === 'own')
    return [...cards, { ...edit.card, id: 200 + i, scenario_id: null, adventure_id: 1, source_ref: null }]
  return cards.flatMap((card, at) => {
    if (at !== edit.at) return [card]
    if (edit.kind === 'delete') return []
    return [edit.kind === 'rename' ? { ...card, name: 'Renamed' } : { ...card, source_ref: null }]
  })
}

/** The story after a refresh was written, as the library would give it. */
export function written(story: Refreshable, { fields, cards, schema, state }: RefreshResult): Refreshable {
  const updated = new Map(cards.updated.map(({ id, fields }) => [id, fields]))
  const adopted = new Map(cards.adopted.map(({ id, source_ref }) => [id, source_ref]))
  const kept = story.story_cards
    .filter(({ id }) => !cards.removed.includes(id))
    .map((card) => ({
      ...card,
      ...updated.get(card.id),
      source_ref: adopted.get(card.id) ?? card.source_ref,
    }))
  const added = cards.added.map((card, i) => ({ ...card, id: 300 + i, scenario_id: null, adventure_id: 1 }))
  return {
    ...story,
    adventure: { ...story.adventure, ...fields },
    story_cards: [...kept, ...added],
    cards_adopted: true,
    schema,
    state,
  }
}
