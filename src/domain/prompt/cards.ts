import { keyList, type StoryCard } from '../story-card.ts'

/** A card that the story has called up, and by which of its keys. */
export interface Triggered {
  card: StoryCard
  key: string
}

/** The cards with a key at the start of a word of the text, in the order of the cards. Blank entries say nothing. */
export function triggeredCards(cards: readonly StoryCard[], text: string): Triggered[] {
  const told = text.toLowerCase()
  return cards.flatMap((card) => {
    if (card.entry.trim() === '') return []
    const key = keyIn(keyList(card.keys), told)
    return key === undefined ? [] : [{ card, key }]
  })
}

/** The first of some keys that starts a word of a text in small letters. */
export function keyIn(keys: readonly string[], told: string): string | undefined {
  return keys.find((key) => startsWord(told, key.toLowerCase()))
}

// "boat" calls up boats, "cat" does not call up education.
function startsWord(text: string, key: string): boolean {
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true
  return false
}
