import { type Static, Type } from '@sinclair/typebox'
import { cutTo, Text } from '../lib/text.ts'
import { nullable, oneOf, Time, unbounded } from '../lib/typebox.ts'
import { ActionView } from './action.ts'
import { InterruptedReply } from './interrupted-reply.ts'
import { LIMITS } from './limits.ts'
import { EMPTY_PLOT, plotFields } from './scenario.ts'
import { StoryCard } from './story-card.ts'
import { LanguageTag } from './text/language.ts'

export const adventureFields = () =>
  Type.Object({
    title: Text(LIMITS.name),
    ...plotFields(),
    story_summary: Text(LIMITS.prose),
    auto_summarize: Type.Boolean(),
    memory_bank_enabled: Type.Boolean(),
    propose_cards: Type.Boolean({ description: 'The model may propose story cards' }),
    language: LanguageTag(),
  })

export type AdventureFields = Static<ReturnType<typeof adventureFields>>

export const EMPTY_ADVENTURE: AdventureFields = {
  title: '',
  ...EMPTY_PLOT,
  story_summary: '',
  auto_summarize: true,
  memory_bank_enabled: true,
  propose_cards: false,
  language: '',
}

export const Adventure = Type.Composite([
  unbounded(adventureFields()),
  Type.Object({
    id: Type.Integer(),
    scenario_id: nullable(Type.Integer()),
    created_at: Time,
    updated_at: Time,
    action_count: Type.Integer(),
  }),
])

export type Adventure = Static<typeof Adventure>

export const AdventureView = Type.Composite([
  Adventure,
  Type.Object({
    story_cards: Type.Array(StoryCard),
    actions: Type.Array(ActionView, { description: 'The newest actions, oldest first' }),
    interrupted: nullable({
      ...InterruptedReply,
      description: 'What a turn had told when it broke off, to keep or discard',
    }),
  }),
])

export type AdventureView = Static<typeof AdventureView>

export const SHELVES = ['open', 'pinned', 'archived'] as const
export type Shelf = (typeof SHELVES)[number]

export const AdventureListItem = Type.Object({
  id: Type.Integer(),
  scenario_id: nullable(Type.Integer()),
  scenario_title: nullable(Type.String()),
  title: Type.String(),
  tags: Type.String({ description: 'The tags of its scenario' }),
  shelf: oneOf(SHELVES),
  created_at: Time,
  updated_at: Time,
  action_count: Type.Integer(),
  family: nullable(
    Type.Integer({ description: 'The same for all branches of a story; null without branches' }),
  ),
  branch_name: Type.String(),
  language: LanguageTag(),
  snippet: Type.String({ description: 'The newest narration, at most 220 characters' }),
  icon: Type.String(),
  image_url: Type.String(),
})

export type AdventureListItem = Static<typeof AdventureListItem>

export const UNTITLED_ADVENTURE = 'Untitled Adventure'

const SNIPPET = 220

/** A snippet of the newest narration for a list: white space collapsed, cut at the end of a word. */
export function snippetOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const cut = cutTo(line, SNIPPET)
  if (cut === line) return line
  const lastSpace = cut.lastIndexOf(' ')
  return `${(lastSpace > 0 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`
}

export function copyTitle(title: string): string {
  return cutTo(title.replace(COPY_SUFFIX, ''), LIMITS.name - COPY.length) + COPY
}

const COPY = ' (copy)'
const COPY_SUFFIX = / \(copy\)$/
