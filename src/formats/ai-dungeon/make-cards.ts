import type { CardFields } from '../../domain/story-card.ts'

/** Story cards as AI Dungeon and the earlier release keep them in a file: a bare list. */
export function makeCards(cards: readonly CardFields[]) {
  return cards.map(({ type, name, keys, entry, notes }) => ({
    keys,
    value: entry,
    type,
    title: name,
    description: notes,
    useForCharacterCreation: false,
  }))
}
