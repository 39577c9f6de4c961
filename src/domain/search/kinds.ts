/** What can be found, in the order in which it is shown. */
export const SEARCH_KINDS = ['adventure', 'scenario', 'story_card', 'memory', 'action'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]
