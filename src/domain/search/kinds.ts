/** In the order in which results are shown. */
export const SEARCH_KINDS = ['adventure', 'scenario', 'story_card', 'memory', 'action'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]
