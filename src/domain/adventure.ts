import { type Static, Type } from '@sinclair/typebox'
import { LIMITS } from './limits.ts'
import { cutTo, Text } from '../lib/text.ts'

/** The fields of an adventure that a player may change while it runs. */
export const adventureFields = () =>
  Type.Object({
    title: Text(LIMITS.name),
    memory: Text(LIMITS.prose),
    authors_note: Text(LIMITS.prose),
    ai_instructions: Text(LIMITS.prose),
    story_summary: Text(LIMITS.prose),
    auto_summarize: Type.Boolean(),
    memory_bank_enabled: Type.Boolean(),
  })

export type AdventureFields = Static<ReturnType<typeof adventureFields>>

/** A story in progress (specification 2, "Adventure"), without its actions, cards and world state. */
export interface Adventure extends AdventureFields {
  id: number
  scenario_id: number | null
  created_at: string
  updated_at: string
  /** All actions, so that nobody counts them. */
  action_count: number
}

/** Where a story stands in the library: before the others, among them, or out of the way. */
export const SHELVES = ['open', 'pinned', 'archived'] as const
export type Shelf = (typeof SHELVES)[number]

export interface AdventureListItem {
  id: number
  scenario_id: number | null
  scenario_title: string | null
  title: string
  /** Those of its scenario. */
  tags: string
  shelf: Shelf
  created_at: string
  updated_at: string
  action_count: number
  /** The newest narration, at most 220 characters. */
  snippet: string
  icon: string
  image_url: string
}

export const UNTITLED_ADVENTURE = 'Untitled Adventure'

const SNIPPET = 220

/** Where a story was left, for a list: white space collapsed, cut at the end of a word. */
export function snippetOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const cut = cutTo(line, SNIPPET)
  if (cut === line) return line
  const lastSpace = cut.lastIndexOf(' ')
  return `${(lastSpace > 0 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`
}

/** What a copy of a story is called: `passage` is the index at which it goes its own way, null for the whole of it. */
export function copyTitle(title: string, passage: number | null): string {
  const mark = passage === null ? ' (copy)' : ` (from passage ${passage})`
  return cutTo(title.replace(COPY_MARK, ''), LIMITS.name - mark.length) + mark
}

const COPY_MARK = / \((copy|from passage \d+)\)$/
