import type { AdventureListItem, Shelf } from '../../domain/adventure.ts'
import { type ScenarioListItem, tagList } from '../../domain/scenario.ts'

export const STORY_ORDERS = ['played', 'begun', 'title', 'length'] as const

/** The filter and order in the page's address. '' shows all. */
export interface LibraryFilter {
  /** Words in the title, the tags or the text shown below them. */
  find: string
  tag: string
  order: (typeof STORY_ORDERS)[number]
  shelf: Exclude<Shelf, 'pinned'>
}

export const NO_FILTER: LibraryFilter = { find: '', tag: '', order: 'played', shelf: 'open' }

/** The filter of an address; anything missing or invalid takes its default. */
export function libraryFilterFrom({
  find = '',
  tag = '',
  order,
  shelf,
}: Record<string, string | undefined>): LibraryFilter {
  return {
    find: find.slice(0, 200),
    tag: tag.slice(0, 200),
    order: STORY_ORDERS.find((known) => known === order) ?? 'played',
    shelf: shelf === 'archived' ? 'archived' : 'open',
  }
}

/** Pinned ones first. */
export function filterStories(
  stories: readonly AdventureListItem[],
  { find, tag, order, shelf }: LibraryFilter,
): AdventureListItem[] {
  const isWanted = wantedBy(find, tag)
  return stories
    .filter(
      (story) => (story.shelf === 'archived') === (shelf === 'archived') && isWanted(story, story.snippet),
    )
    .sort((one, other) => pinnedFirst(one, other) || COMPARE[order](one, other))
}

/** Last changed first. */
export function filterScenarios(
  scenarios: readonly ScenarioListItem[],
  { find, tag }: LibraryFilter,
): ScenarioListItem[] {
  const isWanted = wantedBy(find, tag)
  return scenarios.filter((scenario) => isWanted(scenario, scenario.description))
}

/** The tags in use, most common first. Case does not matter. */
export function tagsIn(all: readonly { tags: string }[]): string[] {
  const uses = new Map<string, { tag: string; count: number }>()
  for (const tag of all.flatMap(({ tags }) => tagList(tags))) {
    const use = uses.get(tag.toLowerCase()) ?? { tag, count: 0 }
    uses.set(tag.toLowerCase(), { ...use, count: use.count + 1 })
  }
  return [...uses.values()]
    .sort((one, other) => other.count - one.count || one.tag.localeCompare(other.tag))
    .map(({ tag }) => tag)
}

function wantedBy(find: string, tag: string) {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean)
  return ({ title, tags }: { title: string; tags: string }, about: string): boolean => {
    const text = `${title}\n${tags}\n${about}`.toLowerCase()
    const isTagged = tag === '' || tagList(tags).some((one) => one.toLowerCase() === tag.toLowerCase())
    return isTagged && words.every((word) => text.includes(word))
  }
}

type Compare = (one: AdventureListItem, other: AdventureListItem) => number

const pinnedFirst: Compare = (one, other) => Number(other.shelf === 'pinned') - Number(one.shelf === 'pinned')

const COMPARE: Record<LibraryFilter['order'], Compare> = {
  played: (one, other) => newer(one.updated_at, other.updated_at) || other.id - one.id,
  begun: (one, other) => newer(one.created_at, other.created_at) || other.id - one.id,
  title: (one, other) => one.title.localeCompare(other.title) || other.id - one.id,
  length: (one, other) => other.action_count - one.action_count || other.id - one.id,
}

function newer(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? 1 : -1
}
