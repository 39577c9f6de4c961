import { type Static, Type } from '@sinclair/typebox'
import { cutTo, Text } from '../lib/text.ts'
import { Time, unbounded } from '../lib/typebox.ts'
import { FieldError } from './errors.ts'
import { LIMITS, MAX_GREETINGS } from './limits.ts'
import { type CardFields, StoryCard } from './story-card.ts'
import { statSchema } from './world/state.ts'

/** Instructions for the narrator. A story copies them from its scenario. */
export const PLOT_FIELDS = ['memory', 'authors_note', 'ai_instructions', 'example_dialogue'] as const
export type PlotField = (typeof PLOT_FIELDS)[number]
export type PlotTexts = Record<PlotField, string>

export function plotOf(textOf: (field: PlotField) => string): PlotTexts {
  return Object.fromEntries(PLOT_FIELDS.map((field) => [field, textOf(field)])) as PlotTexts
}

export const EMPTY_PLOT: PlotTexts = plotOf(() => '')

export const plotFields = () => ({
  memory: Text(LIMITS.prose),
  authors_note: Text(LIMITS.prose),
  ai_instructions: Text(LIMITS.prose),
  example_dialogue: Text(LIMITS.prose, {
    description: 'How the characters speak: included while the prompt has room for it',
  }),
})

export const scenarioFields = () =>
  Type.Object({
    title: Text(LIMITS.name),
    description: Text(LIMITS.prose),
    prompt: Text(LIMITS.prose),
    greetings: Type.Array(Text(LIMITS.prose), {
      maxItems: MAX_GREETINGS,
      description: 'Openings that a player may choose instead of `prompt`',
    }),
    ...plotFields(),
    tags: Type.String(),
    icon: Text(LIMITS.icon),
    image: Text(LIMITS.image),
    stat_schema: statSchema(),
  })

/** `image` is a data URI or ''. */
export type ScenarioFields = Static<ReturnType<typeof scenarioFields>>

export const Scenario = Type.Composite([
  unbounded(scenarioFields()),
  Type.Object({ id: Type.Integer(), created_at: Time, updated_at: Time }),
])

export type Scenario = Static<typeof Scenario>

export const ScenarioView = Type.Composite([
  Scenario,
  Type.Object({
    story_cards: Type.Array(StoryCard),
    questions: Type.Array(Type.String(), { description: 'Placeholders to fill in before a story begins' }),
    schema_warnings: Type.Array(FieldError, {
      description: 'Suggestions for the author of the stat schema; the schema works without them',
    }),
  }),
])

export type ScenarioView = Static<typeof ScenarioView>

export const ScenarioListItem = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  description: Type.String(),
  tags: Type.String(),
  icon: Type.String(),
  image_url: Type.String({ description: 'Empty if there is no picture' }),
  updated_at: Time,
})

export type ScenarioListItem = Static<typeof ScenarioListItem>

export const UNTITLED_SCENARIO = 'Untitled Scenario'

export const EMPTY_SCENARIO: ScenarioFields = {
  title: UNTITLED_SCENARIO,
  description: '',
  prompt: '',
  greetings: [],
  ...EMPTY_PLOT,
  tags: '',
  icon: '',
  image: '',
  stat_schema: null,
}

/** The first is its `prompt`. */
export function openingsOf({ prompt, greetings }: Pick<ScenarioFields, 'prompt' | 'greetings'>): string[] {
  return [prompt, ...greetings]
}

/** Tags as one text of at most 500 code points, cut after a whole tag. */
export function clampTags(tags: string): string {
  const cut = cutTo(tags, LIMITS.tags)
  if (cut === tags) return tags
  const lastComma = cut.lastIndexOf(',')
  return lastComma > 0 ? cut.slice(0, lastComma) : cut
}

export function tagList(tags: string): string[] {
  return tags
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

/** The hash lets browsers cache the picture forever. */
export function imageUrl(id: number, hash: string): string {
  return hash === '' ? '' : `/api/scenarios/${id}/image?v=${hash}`
}

export interface StarterScenario extends Omit<ScenarioFields, 'image'> {
  story_cards: readonly CardFields[]
}
