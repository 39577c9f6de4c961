import { type Answers, fill, questionsIn } from './placeholder.ts'
import type { Scenario, ScenarioFields } from './scenario.ts'
import type { CardFields, StoryCard } from './story-card.ts'
import type { StatSchema } from './world/state.ts'

/** A card of a scenario on its way into an adventure. */
export interface DerivedCard extends CardFields {
  source_ref: string
}

/** All that an adventure takes from its scenario when it begins. */
export interface Beginning {
  memory: string
  authors_note: string
  ai_instructions: string
  opening: string
  cards: DerivedCard[]
  stat_schema: StatSchema
}

type Authored = Pick<ScenarioFields, 'prompt' | 'memory' | 'authors_note' | 'ai_instructions' | 'stat_schema'>

/** The questions to ask before a story begins, in the order in which their texts are met. */
export function questionsOf(scenario: Authored, cards: readonly CardFields[]): string[] {
  const { prompt, memory, authors_note, ai_instructions, stat_schema } = scenario
  const lore = [...cards, ...npcCards(stat_schema)].flatMap(({ keys, entry }) => [keys, entry])
  return questionsIn([prompt, memory, authors_note, ai_instructions, ...lore, ...textsIn(stat_schema)])
}

/** Copies a scenario with its questions answered (specification 1.3). */
export function beginningOf(scenario: Scenario, cards: readonly StoryCard[], answers: Answers): Beginning {
  const own = cards.map(({ id, type, name, keys, entry, notes }) => ({
    type,
    name,
    keys,
    entry,
    notes,
    source_ref: `card:${id}`,
  }))
  const cast = npcCards(scenario.stat_schema).filter(
    ({ name }) => !own.some((card) => sameName(card.name, name)),
  )
  return {
    memory: fill(scenario.memory, answers),
    authors_note: fill(scenario.authors_note, answers),
    ai_instructions: fill(scenario.ai_instructions, answers),
    opening: fill(scenario.prompt, answers).trim(),
    cards: [...own, ...cast].map((card) => ({
      ...card,
      name: fill(card.name, answers),
      keys: fill(card.keys, answers),
      entry: fill(card.entry, answers),
    })),
    stat_schema: filled(scenario.stat_schema ?? {}, answers) as StatSchema,
  }
}

/** Every text in a value, whatever its shape. Names of keys are no texts. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsIn)
}

function filled(value: unknown, answers: Answers): unknown {
  if (typeof value === 'string') return fill(value, answers)
  if (Array.isArray(value)) return value.map((one) => filled(one, answers))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, answers)]))
}

/** A card for each character of a schema: the lore that a reader of the schema would expect to be told. */
function npcCards(schema: Scenario['stat_schema']): DerivedCard[] {
  const npcs = schema?.npcs
  if (npcs === null || typeof npcs !== 'object' || Array.isArray(npcs)) return []
  return Object.entries(npcs).flatMap(([key, npc]) => {
    if (npc === null || typeof npc !== 'object') return []
    const { name, keys, desc } = npc as { name?: unknown; keys?: unknown; desc?: unknown }
    const shown = textOr(name, key)
    const entry = textOr(desc, '')
    return entry === ''
      ? []
      : [
          {
            type: 'character',
            name: shown,
            keys: textOr(keys, shown),
            entry,
            notes: '',
            source_ref: `npc:${key}`,
          },
        ]
  })
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value.trim() !== '' ? value : otherwise
}

function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}
