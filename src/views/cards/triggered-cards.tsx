import { ALWAYS } from '../../domain/cards/keys.ts'
import type { TriggeredCard } from '../../domain/prompt/lore-notes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { formatNumber } from '../ui/format-number.ts'

export const UNNAMED = 'Unnamed card'

const REASONS: Record<TriggeredCard['reason'], string> = {
  shown: 'added',
  'already shown': 'already in context',
  'no room': 'left out: no room',
  forbidden: 'blocked by one of its triggers',
  'not due': 'not due',
  'not triggered': 'not triggered',
}

/** The cards of a prompt, which may be stored by an earlier release, and those left out. */
export function TriggeredCards({ cards }: { cards: readonly TriggeredCard[] }): Markup {
  return (
    <ul>
      {cards.map((card) => (
        <li>
          {card.name || UNNAMED}
          {card.why && ['', ALWAYS].includes(card.keyword) ? null : `, triggered by “${card.keyword}”`}:{' '}
          {REASONS[card.reason] ?? (card.included ? 'added' : 'left out')}
          {card.tokens ? `, about ${formatNumber(card.tokens)} tokens` : null}
          {card.blocked ? ` (“${card.blocked}”)` : null}
          {card.why ? ` (${card.why.join('; ')})` : null}
        </li>
      ))}
    </ul>
  )
}

/** Says so if there are no cards. */
export function TriedCardList({ cards }: { cards: readonly TriggeredCard[] }): Markup {
  return cards.length === 0 ? <p>No cards triggered.</p> : <TriggeredCards cards={cards} />
}
