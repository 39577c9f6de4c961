import type { PREFIXES } from '../../domain/cards/keys.ts'
import { isObject, objectIn } from '../../lib/objects.ts'

/** The place in which a trigger is looked for. */
export type Match = keyof typeof PREFIXES

/** The rules by which the program that wrote an entry reads it, as far as programs differ: the table in docs/formats.md. */
export interface Writer {
  /** The place in which it looks for a trigger, if the entry does not say that. */
  match: Match
  /** Triggers that it takes as patterns: those in slashes, those of an entry with a flag for it (bare ones or in slashes), none. */
  patterns: 'in slashes' | 'flagged' | 'flagged and bare' | 'never'
  /** In a trigger, `*` stands for letters and `?` for one. */
  hasWildcards: boolean
  /** Second triggers count if `selective` says so, unless it says no, or never. */
  second: 'if selective' | 'unless not selective' | 'never'
  /** Its names for an entry that is always told. */
  constant: readonly string[]
  /** The place of its settings: beside the text of an entry, or in the `extensions` that win over them. */
  settings: 'entry' | 'extensions'
  /** The names of the group of which it tells one entry. */
  group: readonly string[]
  /** A chance counts without `useProbability`. */
  rolls: boolean
  /** The meaning of a chance of 0. */
  zero: 'never' | 'always'
  /** The texts of its entries trigger other entries, unless the book says no. */
  recurses: boolean
}

/** SillyTavern's World Info. */
const SILLYTAVERN: Writer = {
  match: 'word',
  patterns: 'in slashes',
  hasWildcards: false,
  second: 'if selective',
  constant: ['constant'],
  settings: 'entry',
  group: ['group'],
  rolls: false,
  zero: 'never',
  recurses: false,
}

/** The book of a character card, as SillyTavern takes it over. */
const CARD: Writer = { ...SILLYTAVERN, settings: 'extensions', rolls: true }

const RISUAI: Writer = {
  ...CARD,
  match: 'inside',
  patterns: 'flagged',
  constant: ['alwaysActive', 'constant'],
  zero: 'always',
  recurses: true,
}

export const WRITERS = {
  sillytavern: SILLYTAVERN,
  card: CARD,
  risuai: RISUAI,
  /** The same, where each type of entry is written as a group. */
  aventuras: { ...SILLYTAVERN, group: [] },
  marinara: { ...SILLYTAVERN, patterns: 'flagged and bare', rolls: true },
  janitorai: {
    ...SILLYTAVERN,
    second: 'unless not selective',
    group: ['group', 'inclusionGroupRaw'],
    rolls: true,
  },
  kobold: { ...SILLYTAVERN, match: 'inside', patterns: 'never', group: [], rolls: true, zero: 'always' },
  agnai: {
    ...SILLYTAVERN,
    match: 'whole',
    patterns: 'never',
    hasWildcards: true,
    second: 'never',
    constant: [],
    group: [],
  },
  novelai: { ...SILLYTAVERN, match: 'whole', second: 'never', constant: ['forceActivation'], group: [] },
  backyard: { ...SILLYTAVERN, second: 'never' },
} satisfies Record<string, Writer>

/** The program that wrote a book with these entries: by what only it writes. */
export function writerOf(book: Record<string, unknown>, entries: readonly unknown[]): Writer {
  const [first = {}] = entries.filter(isObject)
  if (book.kind === 'memory' || Array.isArray(first.keywords)) return WRITERS.agnai
  if ('marinara' in objectIn(book, 'extensions')) return WRITERS.marinara
  if (isAventuras(book, entries)) return WRITERS.aventuras
  if ('key' in first) return WRITERS.sillytavern
  return 'mode' in first ? WRITERS.risuai : WRITERS.card
}

/** The types of entries of Aventuras, which it exports as groups. */
const TYPES = ['character', 'location', 'item', 'faction', 'concept', 'event']

function isAventuras({ scan_depth, token_budget }: Record<string, unknown>, entries: readonly unknown[]) {
  const isTyped = (entry: unknown) => isObject(entry) && TYPES.some((type) => type === entry.group)
  return scan_depth === 2 && token_budget === 2048 && entries.every(isTyped)
}

/** Tells if SillyTavern looks for a trigger anywhere, even as a whole word: words end there at all but Latin letters. */
export function isFoundAnywhere(text: string): boolean {
  return /\s/.test(text) || !/\w/.test(text)
}
