import { type CardKey, PREFIXES, parseKeys } from '../../domain/cards/keys.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { withMacros } from '../shared/macros.ts'
import { insertionOrderIn } from './insertion-order.ts'
import { loreRecursion, loreTiming, recursAmong } from './timing.ts'
import { isFoundAnywhere } from './writers.ts'

/** The triggers of a card as other programs keep them. */
interface LoreTriggers {
  keys: string[]
  secondary: string[]
  /** The effect of the secondary ones, in SillyTavern's numbers. */
  logic: number
  constant: boolean
  enabled: boolean
  /** All of them are looked for as whole words, or anywhere; absent where neither is so. */
  isWhole?: boolean
  /** It cannot be said of each of them. */
  losesPrefixes?: true
}

/** The roles of secondary triggers with SillyTavern's numbers for them. An entry has those of one role. */
const LOGIC = [
  ['required', 0],
  ['required_all', 3],
  ['forbids', 2],
  ['forbids_all', 1],
] as const

/** The triggers of a card in the form of a lorebook entry, and how many kinds of secondary ones it has. */
export function loreTriggers(written: string): LoreTriggers & { kinds: number } {
  const keys = parseKeys(written)
  const plain = (of: CardKey['role']) =>
    keys
      .filter(({ role, kind, text }) => role === of && kind !== 'always' && text !== '')
      .map(({ text }) => text)
  const kinds = LOGIC.map(([role, logic]) => ({ logic, secondary: plain(role) })).filter(
    ({ secondary }) => secondary.length > 0,
  )
  return {
    keys: plain('triggers'),
    ...(kinds[0] ?? { logic: 0, secondary: [] }),
    kinds: kinds.length,
    constant: keys.some(({ kind, role }) => kind === 'always' && role === 'triggers'),
    enabled: !keys.some(({ kind, role }) => kind === 'always' && role === 'forbids'),
    ...wholeWords(keys),
  }
}

/** The place in which a trigger is looked for, by its prefix; 'either' for a text with a sign, which has one in any case. */
function placeOf({ written }: CardKey): 'word' | 'whole' | 'inside' | 'either' {
  const text = written.replace(/^[-+]*/, '')
  if (text.startsWith(PREFIXES.whole)) return 'whole'
  return !text.startsWith(PREFIXES.inside) ? 'word' : /^\*[-+=*/]/.test(text) ? 'either' : 'inside'
}

// SillyTavern has one setting for all triggers of an entry.
function wholeWords(all: readonly CardKey[]): Pick<LoreTriggers, 'isWhole' | 'losesPrefixes'> {
  const keys = all.filter(({ kind, text }) => kind !== 'pattern' && text !== '')
  const places = new Set(
    keys.map((key) => (isFoundAnywhere(key.text) ? `${placeOf(key)} phrase` : placeOf(key))),
  )
  const areIn = (...some: string[]) => [...places].every((place) => some.includes(place))
  if (areIn('word', 'word phrase', 'either', 'either phrase')) return {}
  if (areIn('inside', 'inside phrase', 'either', 'either phrase')) return { isWhole: false }
  if (areIn('whole', 'inside phrase')) return { isWhole: true }
  return { losesPrefixes: true, ...(areIn('whole', 'whole phrase', 'inside phrase') && { isWhole: true }) }
}

/** The insertion order of an entry that has none of its own. */
export const USUAL_ORDER = 100

export function makeWorldInfo(cards: readonly CardFields[]): string {
  const recurses = recursAmong(cards)
  const entries = cards.map(({ type, name, keys, entry, notes, timing }, uid) => {
    const { keys: key, secondary, logic, constant, enabled, isWhole } = loreTriggers(withMacros(keys))
    return {
      uid,
      key,
      keysecondary: secondary,
      comment: name,
      ...(type === '' ? {} : { category: type }),
      content: withMacros(entry),
      constant,
      selective: true,
      selectiveLogic: logic,
      ...(isWhole === undefined ? {} : { matchWholeWords: isWhole }),
      addMemo: true,
      order: insertionOrderIn(notes).order ?? USUAL_ORDER,
      position: 0,
      disable: !enabled,
      ...loreTiming(timing),
      ...(recurses ? loreRecursion(timing, 'world info') : {}),
      depth: 4,
      displayIndex: uid,
    }
  })
  // Cards that all lead to each other are set like those that never do: the book has to say it.
  return JSON.stringify({
    ...(recurses ? { recursive_scanning: true } : {}),
    entries: Object.fromEntries(entries.map((one) => [one.uid, one])),
  })
}
