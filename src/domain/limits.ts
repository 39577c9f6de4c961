/** Lengths in code points. Longer text is refused, except for tags, which are truncated. */
export const LIMITS = {
  name: 200,
  tags: 500,
  cardType: 100,
  prose: 50_000,
  memory: 5_000,
  line: 20_000,
  icon: 16,
  /** A stored picture, as a data URI. */
  image: 400_000,
  address: 500,
  path: 4_096,
  answer: 2_000,
  steering: 2_000,
} as const

/** JSON values in a request, or fields in a form: more than the largest stat schema has. */
export const MAX_BODY_VALUES = 20_000

export const MAX_GREETINGS = 50

/** Story cards of one scenario or story: more than the largest lorebooks in use. */
export const MAX_CARDS = 10_000

export const MAX_ANSWERS = 200

/** Bytes of a file that may be imported. */
export const MAX_IMPORT_BYTES = 20 * 1024 * 1024

/** The same for adventures in our own format, which are read line by line: more than the longest story has. */
export const MAX_BUNDLE_BYTES = 4096 * 1024 * 1024

export const MAX_IMPORT_FILES = 2_000

/** Actions on one page of a story: by default, and at most. */
export const PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 240

/** The newest narrations of a story whose prompts stay when stored prompts are deleted. */
export const KEPT_PROMPTS = 20
