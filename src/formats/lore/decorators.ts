import { splitKeys } from '../../domain/cards/keys.ts'
import { type How, isHowNumber } from '../../domain/timing/timing.ts'
import { turnsBefore } from './timing.ts'
import { triggerOf } from './triggers.ts'

// Lines at the top of an entry say when it is included (character-card-spec-v3, "Decorators"; RisuAI has more of them).
const LINE = /^@@@?(\w+)[ \t]*([^\n]*)(?:\n|$)/

export interface Decorators {
  /** The entry without them. */
  content: string
  /** Told always, or never. */
  forced: 'always' | 'never' | null
  /** Triggers in the syntax of a card. */
  secondary: string[]
  how: How
  /** The names of those that have no equal here. */
  left: string[]
  isDecorated: boolean
}

type Change = Partial<Pick<Decorators, 'forced' | 'secondary' | 'how'>>

const number = (name: 'chance' | 'begins', value: number): Change | null =>
  isHowNumber(name, value) ? { how: { [name]: value } } : null

const triggers = (sign: '+' | '++' | '-' | '--', words: string): Change => ({
  secondary: splitKeys(words).map((word) => sign + triggerOf(word)),
})

/** What a decorator becomes; null for a value that is none. */
const KNOWN: Record<string, (value: string) => Change | null> = {
  activate: () => ({ forced: 'always' }),
  constant: () => ({ forced: 'always' }),
  dont_activate: () => ({ forced: 'never' }),
  dont_activate_after_match: () => ({ how: { once: true } }),
  activate_only_after: (value) => number('begins', turnsBefore(Number(value))),
  probability: (value) => (Number(value) >= 100 ? {} : number('chance', Number(value))),
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
    found.content = found.content.slice(whole.length)
    found.isDecorated = true
  }
  return found
}
