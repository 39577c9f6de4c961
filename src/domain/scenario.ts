import { type Static, Type } from '@sinclair/typebox'
import { LIMITS } from './limits.ts'
import { cutTo, Text } from '../lib/text.ts'
import { statSchema } from './world/state.ts'

/** The fields of a scenario that its author writes. */
export const scenarioFields = () =>
  Type.Object({
    title: Text(LIMITS.name),
    description: Text(LIMITS.prose),
    prompt: Text(LIMITS.prose),
    memory: Text(LIMITS.prose),
    authors_note: Text(LIMITS.prose),
    ai_instructions: Text(LIMITS.prose),
    tags: Type.String(),
    icon: Text(LIMITS.icon),
    image: Text(LIMITS.image),
    stat_schema: statSchema(),
  })

/** What an author writes of a scenario (specification 2, "Scenario"). `image` is a data URI or ''. */
export type ScenarioFields = Static<ReturnType<typeof scenarioFields>>

export interface Scenario extends ScenarioFields {
  id: number
  created_at: string
  updated_at: string
}

/** A scenario as lists show it: without its texts and without its picture. */
export interface ScenarioListItem {
  id: number
  title: string
  description: string
  tags: string
  icon: string
  /** '' without a picture. */
  image_url: string
  updated_at: string
}

export const UNTITLED_SCENARIO = 'Untitled Scenario'

export const EMPTY_SCENARIO: ScenarioFields = {
  title: UNTITLED_SCENARIO,
  description: '',
  prompt: '',
  memory: '',
  authors_note: '',
  ai_instructions: '',
  tags: '',
  icon: '',
  image: '',
  stat_schema: null,
}

/** Tags as one text of at most 500 code points, cut where one ends (specification 2, "clamped to a maximum width"). */
export function clampTags(tags: string): string {
  const cut = cutTo(tags, LIMITS.tags)
  if (cut === tags) return tags
  const lastComma = cut.lastIndexOf(',')
  return lastComma > 0 ? cut.slice(0, lastComma) : cut
}

/** Tags one by one. */
export function tagList(tags: string): string[] {
  return tags
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

/** The address of a scenario's picture; its hash makes it safe to keep for ever. */
export function imageUrl(id: number, hash: string): string {
  return hash === '' ? '' : `/api/scenarios/${id}/image?v=${hash}`
}
