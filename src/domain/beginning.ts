import { type Answers, fill, questionsIn } from './placeholder.ts'
import type { Scenario, ScenarioFields } from './scenario.ts'
import type { CardFields, StoryCard } from './story-card.ts'
import { isBlank } from '../lib/text.ts'
import { isObject, objectIn } from '../lib/objects.ts'
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

/** Where a text of a scenario stands that may ask something; `name` is that of a card or character, '' elsewhere. */
export interface Place {
  at: 'prompt' | 'memory' | 'authors_note' | 'ai_instructions' | 'card' | 'character' | 'stats'
  name: string
}

/** A question, with every place that asks it. */
export interface Question {
  name: string
  places: Place[]
}

type Authored = Pick<ScenarioFields, 'prompt' | 'memory' | 'authors_note' | 'ai_instructions' | 'stat_schema'>

/** The questions to ask before a story begins, in the order in which their texts are met. */
export function questionsOf(scenario: Authored, cards: readonly CardFields[]): string[] {
  return placedQuestions(scenario, cards).map(({ name }) => name)
}

/** The questions of a scenario with their places. This is the one list of what is asked, wherever it is asked. */
export function placedQuestions(scenario: Authored, cards: readonly CardFields[]): Question[] {
  const places = new Map<string, Place[]>()
  for (const { texts, ...place } of asking(scenario, cards))
    for (const name of questionsIn(texts)) places.set(name, [...(places.get(name) ?? []), place])
  return [...places].map(([name, places]) => ({ name, places }))
}

/** The questions of what a running story still takes from its scenario: the opening has been told already. */
export function standingQuestions(scenario: Authored, cards: readonly CardFields[]): Question[] {
  return placedQuestions({ ...scenario, prompt: '' }, cards)
}

/** Copies a scenario with its questions answered (specification 1.3). */
export function beginningOf(scenario: Scenario, cards: readonly StoryCard[], answers: Answers): Beginning {
  return {
    memory: fill(scenario.memory, answers),
    authors_note: fill(scenario.authors_note, answers),
    ai_instructions: fill(scenario.ai_instructions, answers),
    opening: fill(scenario.prompt, answers).trim(),
    cards: derivedCards(scenario, cards, answers).filter(hasLore),
    stat_schema: filledSchema(scenario, answers),
  }
}

/**
 * The cards that a scenario gives to its stories: its own, and one for each character of its schema that no card is named
 * after. What a card is called is for people, and is never filled.
 */
export function derivedCards(
  { stat_schema }: Pick<Scenario, 'stat_schema'>,
  cards: readonly StoryCard[],
  answers: Answers,
): DerivedCard[] {
  const own = cards.map(({ id, type, name, keys, entry, notes }) => ({
    type,
    name,
    keys: fill(keys, answers),
    entry: fill(entry, answers),
    notes,
    source_ref: `card:${id}`,
  }))
  const names = new Set(own.map(({ name }) => keyOfName(name)))
  const cast = npcCards(stat_schema).filter(({ name }) => !names.has(keyOfName(name)))
  return [
    ...own,
    ...cast.map((card) => ({
      ...card,
      name: fill(card.name, answers),
      keys: fill(card.keys, answers),
      entry: fill(card.entry, answers),
    })),
  ]
}

/** Whether a card says anything to a story. One of a character without a description does not. */
export function hasLore({ source_ref, entry }: DerivedCard): boolean {
  return !source_ref.startsWith('npc:') || !isBlank(entry)
}

/** The schema of a scenario with its questions answered; {} without one. */
export function filledSchema({ stat_schema }: Pick<Scenario, 'stat_schema'>, answers: Answers): StatSchema {
  return filled(stat_schema ?? {}, answers) as StatSchema
}

/** What a card's name is known by: white space around it and the case of letters do not matter. */
export function keyOfName(name: string): string {
  return name.trim().toLowerCase()
}

/** Every text that may ask something, by its place: the opening first, what is counted last. */
function asking(
  { stat_schema, ...plot }: Authored,
  cards: readonly CardFields[],
): (Place & { texts: string[] })[] {
  const { npcs, ...counted } = stat_schema ?? {}
  const cast = Object.entries(isObject(npcs) ? npcs : {})
  return [
    ...(['prompt', 'memory', 'authors_note', 'ai_instructions'] as const).map((at) => ({
      at,
      name: '',
      texts: [plot[at]],
    })),
    ...cards.map(({ name, keys, entry }) => ({ at: 'card' as const, name, texts: [keys, entry] })),
    ...cast.map(([key, npc]) => ({
      at: 'character' as const,
      name: textOr(objectIn({ npc }, 'npc').name, key),
      texts: textsIn(npc),
    })),
    { at: 'stats', name: '', texts: textsIn(counted) },
  ]
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
  return Object.entries(objectIn(schema, 'npcs')).flatMap(([key, npc]) => {
    if (!isObject(npc)) return []
    const name = textOr(npc.name, key)
    return [
      {
        type: 'character',
        name,
        keys: textOr(npc.keys, name),
        entry: textOr(npc.desc, ''),
        notes: '',
        source_ref: `npc:${key}`,
      },
    ]
  })
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value.trim() !== '' ? value : otherwise
}
