const MIB = 1024 * 1024

/** Bytes that a compressed file may hold: a story of twenty thousand turns with stats. */
export const MAX_UNPACKED_BYTES = 64 * MIB
/** Times its size that a packed one may hold: stories with stats shrink to a fortieth. */
export const MAX_BUNDLE_RATIO = 200
/** Bytes of one line of it: an action with all its versions, or everything else of an adventure. */
export const MAX_BUNDLE_LINE = 64 * MIB
/** Bytes of an archive of several files: a library of a thousand character cards. */
export const MAX_ARCHIVE_BYTES = 1024 * MIB
/** JSON values in one file. Ten thousand turns with all their versions and states have fewer. */
export const MAX_VALUES = 2_000_000

/** Turns of one story. */
export const MAX_ACTIONS = 100_000
/** Memories of one story. */
export const MAX_MEMORIES = 20_000

/** Pixels of a cover that is stored without being scaled down: more would fill the memory of every page that shows it. */
export const MAX_COVER_PIXELS = 16_000_000
/** Characters of an action's type. */
export const MAX_TYPE_LENGTH = 20
