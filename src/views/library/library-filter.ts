import type { AdventureListItem, Shelf } from '../../domain/adventure.ts'
import { type ScenarioListItem, tagList } from '../../domain/scenario.ts'

/** Orders in which stories can be looked at: as they were played, as they began, by title, the longest first. */
export const STORY_ORDERS = ['played', 'begun', 'title', 'length'] as const

/** How a library is looked at: what its address says. '' shows all. */
export interface LibraryView {
  /** Words of a title or of what is shown below it. */
  find: string
  tag: string
  order: (typeof STORY_ORDERS)[number]
  shelf: Exclude<Shelf, 'pinned'>
}

export const WHOLE_LIBRARY: LibraryView = { find: '', tag: '', order: 'played', shelf: 'open' }

/** What an address says of how to look. What it does not say, or says wrongly, is as by default. */
export function libraryViewFrom({
  find = '',
  tag = '',
  order,
  shelf,
}: Record<string, string | undefined>): LibraryView {
  return {
    find: find.slice(0, 200),
    tag: tag.slice(0, 200),
    order: STORY_ORDERS.find((known) => known === order) ?? 'played',
    shelf: shelf === 'archived' ? 'archived' : 'open',
  }
}

/** The stories that a view shows: the pinned ones first, then in its order. */
export function storiesInView(
  stories: readonly AdventureListItem[],
  { find, tag, order, shelf }: LibraryView,
): AdventureListItem[] {
  const isWanted = wantedBy(find, tag)
  return stories
    .filter(
      (story) => (story.shelf === 'archived') === (shelf === 'archived') && isWanted(story, story.snippet),
    )
    .sort((one, other) => pinnedFirst(one, other) || COMPARE[order](one, other))
}

/** The scenarios that a view shows, as they were changed last. */
export function scenariosInView(
  scenarios: readonly ScenarioListItem[],
  { find, tag }: LibraryView,
): ScenarioListItem[] {
  const isWanted = wantedBy(find, tag)
  return scenarios.filter((scenario) => isWanted(scenario, scenario.description))
}

/** The tags in use, each once, whatever their letters: the commonest first. */
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

const COMPARE: Record<LibraryView['order'], Compare> = {
  played: (one, other) => newer(one.updated_at, other.updated_at) || other.id - one.id,
  begun: (one, other) => newer(one.created_at, other.created_at) || other.id - one.id,
  title: (one, other) => one.title.localeCompare(other.title) || other.id - one.id,
  length: (one, other) => other.action_count - one.action_count || other.id - one.id,
}

function newer(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? 1 : -1
}
