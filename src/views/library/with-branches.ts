import type { AdventureListItem } from '../../domain/adventure.ts'

export interface StoryWithBranches {
  story: AdventureListItem
  others: readonly AdventureListItem[]
}

/** One entry for each family, and for each story without branches, in their order. The first of a family stands for it. */
export function withBranches(stories: readonly AdventureListItem[]): StoryWithBranches[] {
  const families = Map.groupBy(stories, ({ id, family }) => (family === null ? `story ${id}` : family))
  return [...families.values()].flatMap(([story, ...others]) => (story ? [{ story, others }] : []))
}
