/** Lengths in code points. Longer text is refused, but for tags, which are cut (specification 2, "Scenario"). */
export const LIMITS = {
  name: 200,
  tags: 500,
  cardType: 100,
  prose: 50_000,
  memory: 5_000,
  line: 20_000,
  icon: 16,
  /** The stored form of a picture, a data URI. */
  image: 400_000,
  address: 500,
  answer: 2_000,
} as const

/** Actions on one page of a story. */
export const PAGE = 60
export const LONGEST_PAGE = 240
