import { isBlank } from '../../lib/text.ts'

// The place of an entry among those of other lorebooks, which there are not here: a last line of the notes of its card.
const LINE = /(?:^|\n)Insertion order: (-?\d+(?:\.\d+)?)$/

/** The notes of a card with the insertion order of its entry. */
export function withInsertionOrder(notes: string, order: number): string {
  return [notes, `Insertion order: ${order}`].filter((text) => !isBlank(text)).join('\n')
}

/** The notes of a card without its insertion order, and that; null without one. */
export function insertionOrderIn(notes: string): { notes: string; order: number | null } {
  const found = LINE.exec(notes)
  return found ? { notes: notes.slice(0, found.index), order: Number(found[1]) } : { notes, order: null }
}

/** True if insertion orders say more than the order of the cards: they are neither one number nor counted. */
export function addsToCardOrder(orders: readonly number[]): boolean {
  const [first = 0] = orders
  return orders.some((order) => order !== first) && orders.some((order, i) => order !== first + i)
}
