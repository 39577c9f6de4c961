import type { CardFields } from '../../domain/story-card.ts'

/** Orders in which cards can be looked at: as their author put them, by name, by kind. */
export const CARD_ORDERS = ['own', 'name', 'kind'] as const

/** How a long list of cards is looked at. '' shows all. */
export interface CardView {
  /** Words of any text of a card. */
  find: string
  kind: string
  order: (typeof CARD_ORDERS)[number]
}

export const ALL_CARDS: CardView = { find: '', kind: '', order: 'own' }

/** What an address says of how to look at cards. What it does not say, or says wrongly, is as by default. */
export function cardViewFrom({ find = '', kind = '', order }: Record<string, string | undefined>): CardView {
  return { find, kind, order: CARD_ORDERS.find((known) => known === order) ?? 'own' }
}

/** The cards that a view shows, in its order. */
export function cardsInView<Card extends CardFields>(
  cards: readonly Card[],
  { find, kind, order }: CardView,
): Card[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = cards.filter((card) => {
    const text = [card.name, card.type, card.keys, card.entry, card.notes].join('\n').toLowerCase()
    return (kind === '' || card.type === kind) && words.every((word) => text.includes(word))
  })
  if (order === 'own') return shown
  const by = (card: Card) => (order === 'name' ? card.name : card.type)
  return shown.sort((one, other) => by(one).localeCompare(by(other)))
}

/** The kinds that are in use, each once. */
export function kindsOf(cards: readonly CardFields[]): string[] {
  return [...new Set(cards.map(({ type }) => type))].filter(Boolean).sort((a, b) => a.localeCompare(b))
}
