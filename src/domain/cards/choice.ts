import type { Hit } from './card-triggers.ts'

/** What became of a card that a text calls up. */
export interface Choice {
  card: number
  key: string
  at: number
  /** What the card takes of the budget, or would take where there was no room; 0 when that was not asked. */
  tokens: number
  included: boolean
  reason: 'shown' | 'already shown' | 'no room' | 'forbidden'
  blocked?: string
}

/** What bears on which cards are shown. */
export interface ChoiceOptions {
  budget: number
  priority?: (card: number) => number
  /** Whether a card stands in the prompt already, so that it need not be shown again. */
  isShown?: (card: number) => boolean
}

/** Shows what fits of the cards that are called up: by priority, then the one told last, then in order. */
export function chooseCards(
  hits: readonly Hit[],
  cost: (card: number) => number,
  { budget, priority = () => 0, isShown = () => false }: ChoiceOptions,
): Choice[] {
  let free = budget
  return inOrder(hits, priority).map((hit) => {
    const unweighed = { ...hit, tokens: 0, included: false }
    if (hit.blocked !== undefined) return { ...unweighed, reason: 'forbidden' }
    if (isShown(hit.card)) return { ...unweighed, reason: 'already shown' }
    const tokens = cost(hit.card)
    if (tokens > free) return { ...hit, tokens, included: false, reason: 'no room' }
    free -= tokens
    return { ...hit, tokens, included: true, reason: 'shown' }
  })
}

function inOrder(hits: readonly Hit[], priority: (card: number) => number): Hit[] {
  const ranked = hits.map((hit) => ({ hit, rank: priority(hit.card) }))
  ranked.sort((a, b) => b.rank - a.rank || b.hit.at - a.hit.at || a.hit.card - b.hit.card)
  return ranked.map(({ hit }) => hit)
}
