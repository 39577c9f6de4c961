import type { Hit } from './card-triggers.ts'

export interface CardChoice {
  card: number
  key: string
  at: number
  /** The cost, even without room; 0 when that does not matter. */
  tokens: number
  included: boolean
  reason: 'shown' | 'already shown' | 'no room' | 'forbidden' | 'not due'
  blocked?: string
  why?: string[]
}

interface CardChoiceOptions {
  budget: number
  tokensOf: (card: number) => number
  /** True if the prompt already contains the card. */
  isShown: (card: number) => boolean
}

/** Skips cards that do not fit. */
export function chooseCards(
  hits: readonly Hit[],
  { budget, tokensOf, isShown }: CardChoiceOptions,
): CardChoice[] {
  let remaining = budget
  return lastMentionedFirst(hits).map((hit): CardChoice => {
    const excluded = { ...hit, tokens: 0, included: false }
    if (hit.isWithheld) return { ...excluded, reason: 'not due' }
    if (hit.blocked !== undefined) return { ...excluded, reason: 'forbidden' }
    if (isShown(hit.card)) return { ...excluded, reason: 'already shown' }
    const tokens = tokensOf(hit.card)
    if (tokens > remaining) return { ...hit, tokens, included: false, reason: 'no room' }
    remaining -= tokens
    return { ...hit, tokens, included: true, reason: 'shown' }
  })
}

/** By priority, then the last mentioned first. */
export function lastMentionedFirst<Ranked extends Pick<Hit, 'card' | 'at' | 'priority'>>(
  hits: readonly Ranked[],
): Ranked[] {
  return hits.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0) || b.at - a.at || a.card - b.card)
}
