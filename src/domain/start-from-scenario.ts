import { type Static, Type } from '@sinclair/typebox'
import { foldName } from '../lib/fold-text.ts'
import { isObject, objectIn } from '../lib/objects.ts'
import { isBlank } from '../lib/text.ts'
import { StoryError } from './errors.ts'
import {
  openingsOf,
  PLOT_FIELDS,
  type PlotField,
  type PlotTexts,
  plotOf,
  type Scenario,
  type ScenarioFields,
} from './scenario.ts'
import type { CardFields, CardWithSource, StoryCard } from './story-card.ts'
import { type Answers, fillPlaceholders, nameAsAnswer, questionsIn } from './text/placeholder.ts'
import type { StatSchema } from './world/state.ts'

interface DerivedCard extends CardFields {
  source_ref: string
}

export interface Beginning extends PlotTexts {
  opening: string
  cards: DerivedCard[]
  stat_schema: StatSchema
}

/** `name` is that of a card or character, '' elsewhere. */
export const AskedAt = Type.Object({
  at: Type.Unsafe<'prompt' | PlotField | 'card' | 'character' | 'stats'>(Type.String()),
  name: Type.String(),
})
export type AskedAt = Static<typeof AskedAt>

export const PlaceholderQuestion = Type.Object({ name: Type.String(), places: Type.Array(AskedAt) })
export type PlaceholderQuestion = Static<typeof PlaceholderQuestion>

type Authored = PlotTexts & Pick<ScenarioFields, 'prompt' | 'greetings' | 'stat_schema'>

/** In order of occurrence. */
export function questionsOf(scenario: Authored, cards: readonly CardFields[]): string[] {
  return questionsWithPlaces(scenario, cards).map(({ name }) => name)
}

/** Every list of questions comes from here. */
export function questionsWithPlaces(scenario: Authored, cards: readonly CardFields[]): PlaceholderQuestion[] {
  const places = new Map<string, AskedAt[]>()
  for (const { texts, ...askedAt } of textsByPlace(scenario, cards))
    for (const name of questionsIn(texts)) places.set(name, [...(places.get(name) ?? []), askedAt])
  return [...places].map(([name, places]) => ({ name, places }))
}

/** All questions except those of the opening, which is already in the story. */
export function remainingQuestions(scenario: Authored, cards: readonly CardFields[]): PlaceholderQuestion[] {
  return questionsWithPlaces({ ...scenario, prompt: '', greetings: [] }, cards)
}

interface AuthoredStory extends Omit<Authored, 'greetings'> {
  cards: readonly CardFields[]
  answers: Answers
}

/** The questions that a story's own texts still ask, in order of occurrence. What an answer brought in is not asked. */
export function openQuestionsOf({ cards, answers, ...texts }: AuthoredStory): string[] {
  const typed = new Set(questionsIn(Object.values(answers)))
  return questionsOf({ ...texts, greetings: [] }, cards).filter(
    (name) => !Object.hasOwn(answers, name) && !typed.has(name),
  )
}

/** Answers to some questions. A blank one is the name of its question. */
export function answersOrNames(questions: readonly string[], given: Answers): Answers {
  const answerTo = (name: string) => (Object.hasOwn(given, name) ? (given[name] ?? '') : '')
  return Object.fromEntries(
    questions.map((name) => [name, isBlank(answerTo(name)) ? nameAsAnswer(name) : answerTo(name)]),
  )
}

export function filledCard(
  { name, keys, entry, source_ref }: CardWithSource,
  answers: Answers,
): Partial<CardFields> {
  const filled = {
    // Of the scenario's own cards the names stay (see derivedCards).
    name: source_ref?.startsWith('npc:') ? fillPlaceholders(name, answers) : name,
    keys: fillPlaceholders(keys, answers),
    entry: fillPlaceholders(entry, answers),
  }
  const isSame = filled.name === name && filled.keys === keys && filled.entry === entry
  return isSame ? {} : filled
}

/** `greeting` is the number of its opening, from 0. Throws changed_elsewhere if it has no such opening. */
export function beginningOf(
  scenario: Scenario,
  cards: readonly StoryCard[],
  answers: Answers,
  greeting = 0,
): Beginning {
  const opening = openingsOf(scenario)[greeting]
  if (opening === undefined)
    throw new StoryError(
      'changed_elsewhere',
      'This scenario no longer has the opening that you chose. Choose another.',
    )
  return {
    ...plotOf((field) => fillPlaceholders(scenario[field], answers)),
    opening: fillPlaceholders(opening, answers).trim(),
    cards: derivedCards(scenario, cards, answers).filter(hasLore),
    stat_schema: filledSchema(scenario, answers),
  }
}

/**
 * The cards that a story gets from its scenario: those of the scenario, and one for each character of its schema without
 * a card of that name. Placeholders in the names of the scenario's own cards are not filled.
 */
export function derivedCards(
  { stat_schema }: Pick<Scenario, 'stat_schema'>,
  cards: readonly StoryCard[],
  answers: Answers,
): DerivedCard[] {
  const own = cards.map(({ id, type, name, keys, entry, notes, timing }) => ({
    type,
    name,
    keys: fillPlaceholders(keys, answers),
    entry: fillPlaceholders(entry, answers),
    notes,
    ...(timing && { timing }),
    source_ref: `card:${id}`,
  }))
  const names = new Set(own.map(({ name }) => foldName(name)))
  const cast = npcCards(stat_schema).filter(({ name }) => !names.has(foldName(name)))
  return [
    ...own,
    ...cast.map((card) => ({
      ...card,
      name: fillPlaceholders(card.name, answers),
      keys: fillPlaceholders(card.keys, answers),
      entry: fillPlaceholders(card.entry, answers),
    })),
  ]
}

/** False for the card of a character without a description. */
export function hasLore({ source_ref, entry }: DerivedCard): boolean {
  return !source_ref.startsWith('npc:') || !isBlank(entry)
}

/** {} without a schema. */
export function filledSchema({ stat_schema }: Pick<Scenario, 'stat_schema'>, answers: Answers): StatSchema {
  return filledTexts(stat_schema ?? {}, (text) => fillPlaceholders(text, answers)) as StatSchema
}

/** Every text that can contain placeholders, by location: the opening first, the stats last. */
function textsByPlace(
  { stat_schema, ...plot }: Authored,
  cards: readonly CardFields[],
): (AskedAt & { texts: string[] })[] {
  const { npcs, ...counted } = stat_schema ?? {}
  const cast = Object.entries(isObject(npcs) ? npcs : {})
  return [
    ...(['prompt', ...PLOT_FIELDS] as const).map((at) => ({
      at,
      name: '',
      texts: at === 'prompt' ? openingsOf(plot) : [plot[at]],
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

export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsIn)
}

/** A value of any shape with every text in it filled. The names of keys stay. */
export function filledTexts(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return value.map((one) => filledTexts(one, fill))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filledTexts(one, fill)]))
}

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

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value.trim() !== '' ? value : fallback
}
