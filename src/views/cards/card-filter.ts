import type { CardFields } from '../../domain/story-card.ts'

const CARD_ORDERS = ['own', 'name', 'kind'] as const

/** The filter and order in the page's address. '' shows all. */
export interface CardFilter {
  /** Words in any text of a card. */
  find: string
  kind: string
  order: (typeof CARD_ORDERS)[number]
}

/** The filter of an address; anything missing or invalid takes its default. */
export function cardFilterFrom({
  find = '',
  kind = '',
  order,
}: Record<string, string | undefined>): CardFilter {
  return { find, kind, order: CARD_ORDERS.find((known) => known === order) ?? 'own' }
}

export function filterCards<Card extends CardFields>(
  cards: readonly Card[],
  { find, kind, order }: CardFilter,
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

export function kindsOf(cards: readonly CardFields[]): string[] {
  return [...new Set(cards.map(({ type }) => type))].filter(Boolean).sort((a, b) => a.localeCompare(b))
}
