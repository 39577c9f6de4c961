import { hashOf } from '../../lib/hash.ts'
import { isCount } from '../../lib/numbers.ts'
import { isObject, objectIn, textsOf } from '../../lib/objects.ts'
import { isBlank } from '../../lib/text.ts'
import type { Timing } from './timing.ts'

/**
 * Record of timed cards. Stored with each version, so that after an undo, a retry and in a branch the right one
 * applies. Cards are known by their names, which stay the same in copies and files.
 */
export interface TimingRecord {
  /** The number of its turn: the first reply of a story is 1. */
  turn: number
  /** By card: the turn from which it was last included. */
  began: Record<string, number>
  /** The cards included in this turn. The name is that in stored versions and files. */
  told: string[]
  /** Seed of the chances of the story's cards. */
  seed: string
}

export interface TimedCard {
  name: string
  entry: string
  timing?: Timing | null
}

export function cardKey({ name, entry }: Pick<TimedCard, 'name' | 'entry'>): string {
  return isBlank(name) ? `#${hashOf(entry)}` : name.trim()
}

/** If false, no record needs to be read or stored. */
export function hasTiming(cards: readonly TimedCard[]): boolean {
  return cards.some(({ timing }) => timing)
}

/** If false, the newest passages need not be read. */
export function asksWhoIsPresent(cards: readonly TimedCard[]): boolean {
  return cards.some(({ timing }) => timing?.when.some(({ kind }) => kind === 'present'))
}

/** If false, the player's line need not be looked at. */
export function callForChecks(cards: readonly TimedCard[]): boolean {
  return cards.some(({ timing }) => timing?.how.check !== undefined)
}

/** The first card with a check that begins to be included in a turn. */
export function callingCard<Card extends TimedCard>(
  cards: readonly Card[],
  { turn, began, told: included }: TimingRecord,
): Card | undefined {
  return cards.find((card) => {
    const key = cardKey(card)
    return card.timing?.how.check !== undefined && included.includes(key) && began[key] === turn
  })
}

/** The keys of the cards that are recorded: those with timing, and those that conditions name. */
export function recordedKeys(cards: readonly TimedCard[]): Set<string> {
  return new Set(
    cards.flatMap((card) => {
      if (!card.timing) return []
      const named = card.timing.when.flatMap(({ kind, of }) => (kind === 'card' ? [of.trim()] : []))
      return [cardKey(card), ...named]
    }),
  )
}

export function nextRecord(
  before: TimingRecord | null,
  { turn, seed }: { turn: number; seed: string | null },
  cards: readonly TimedCard[],
  includedCards: readonly TimedCard[],
): TimingRecord {
  const keys = recordedKeys(cards)
  const included = [...new Set(includedCards.map(cardKey))].filter((key) => keys.has(key))
  const timings = new Map(cards.map((card) => [cardKey(card), card.timing]))
  const began = new Map(Object.entries(before?.began ?? {}))
  for (const key of included) {
    const since = began.get(key)
    if (since === undefined || turn >= since + (timings.get(key)?.how.stays ?? 1)) began.set(key, turn)
  }
  return { turn, began: Object.fromEntries(began), told: included, seed: seed ?? '' }
}

/** A stored record, read tolerantly; null for anything else. */
export function recordFrom(value: unknown): TimingRecord | null {
  if (!isObject(value) || !isCount(value.turn, 1)) return null
  return {
    turn: value.turn,
    began: turnsIn(objectIn(value, 'began')),
    told: textsOf(value.told),
    seed: typeof value.seed === 'string' ? value.seed : '',
  }
}

function turnsIn(numbers: Record<string, unknown>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(numbers).filter((entry): entry is [string, number] => isCount(entry[1], 1)),
  )
}
