import { splitKeys } from '../../domain/cards/keys.ts'
import { HOW_NUMBERS, type How, isHowNumber } from '../../domain/timing/timing.ts'
import { turnsBefore } from './timing.ts'

// Lines at the top of an entry say when it is included (character-card-spec-v3, "Decorators"; RisuAI has more of them).
const LINE = /^@@@?(\w+)[ \t]*([^\n]*)(?:\n|$)/

export interface Decorators {
  /** The entry without them. */
  content: string
  /** Told always, or never. */
  forced: 'always' | 'never' | null
  /** Second triggers as they are written, behind the sign of their role. */
  secondary: { sign: string; text: string }[]
  how: How
  /** Settings that have a name in SillyTavern. */
  settings: Record<string, unknown>
  /** The names of those that have no equal here. */
  left: string[]
  isDecorated: boolean
}

type Change = Partial<Pick<Decorators, 'forced' | 'secondary' | 'how' | 'settings'>>

function begins(messages: number): Change | null {
  const turns = turnsBefore(messages)
  return isHowNumber('begins', turns) ? { how: { begins: turns } } : null
}

const triggers = (sign: '+' | '++' | '-' | '--', words: string): Change => ({
  secondary: splitKeys(words).map((text) => ({ sign, text })),
})

/** The change that a decorator makes; null for a value that is none. */
const KNOWN: Record<string, (value: string) => Change | null> = {
  activate: () => ({ forced: 'always' }),
  constant: () => ({ forced: 'always' }),
  dont_activate: () => ({ forced: 'never' }),
  dont_activate_after_match: () => ({ how: { once: true } }),
  keep_activate_after_match: () => ({ how: { stays: HOW_NUMBERS.stays.to } }),
  activate_only_after: (value) => begins(Number(value)),
  probability: (value) =>
    Number.isFinite(Number(value)) ? { settings: { probability: value, useProbability: true } } : null,
  match_full_word: () => ({ settings: { matchWholeWords: true } }),
  match_partial_word: () => ({ settings: { matchWholeWords: false } }),
  recursive: () => ({ settings: { preventRecursion: false } }),
  unrecursive: () => ({ settings: { preventRecursion: true } }),
  no_recursive_search: () => ({ settings: { excludeRecursion: true } }),
  // Each line is needed, so that lines with one word need all of them.
  additional_keys: (value) => triggers(splitKeys(value).length === 1 ? '++' : '+', value),
  exclude_keys: (value) => triggers('-', value),
  exclude_keys_all: (value) => triggers('--', value),
}

/** Splits the decorators off the top of an entry. */
export function parseDecorators(text: string): Decorators {
  const found: Decorators = {
    content: text,
    forced: null,
    secondary: [],
    how: {},
    settings: {},
    left: [],
    isDecorated: false,
  }
  for (let line = LINE.exec(text); line; line = LINE.exec(found.content)) {
    const [whole, name = '', value = ''] = line
    const change = Object.hasOwn(KNOWN, name) ? KNOWN[name]?.(value.trim()) : null
    if (!change) found.left.push(name)
    found.forced = change?.forced ?? found.forced
    found.secondary.push(...(change?.secondary ?? []))
    Object.assign(found.how, change?.how)
    Object.assign(found.settings, change?.settings)
    found.content = found.content.slice(whole.length)
    found.isDecorated = true
  }
  return found
}
