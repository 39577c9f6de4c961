import { foldName } from '../../lib/fold-text.ts'
import { parseKeys } from './keys.ts'

interface Named {
  id: number
  name: string
  keys: string
}

/** Advice about cards that share a name or a trigger: sentences by the id of the card. */
export function duplicatesIn(cards: readonly Named[]): Map<number, string[]> {
  const found = new Map<number, string[]>()
  const tell = (id: number, sentence: string) => found.set(id, [...(found.get(id) ?? []), sentence])
  for (const twins of groups(cards, ({ name }) => [name]).values())
    for (const { id } of twins) tell(id, 'Another card has the same name.')
  const triggers = groups(cards, ({ keys }) =>
    parseKeys(keys)
      .filter(({ role }) => role === 'triggers')
      .map(({ text }) => text),
  )
  for (const [trigger, twins] of triggers)
    for (const { id } of twins) {
      const others = twins.filter((card) => card.id !== id).map(({ name }) => `“${name || 'without a name'}”`)
      tell(
        id,
        `“${trigger}” also triggers ${others.slice(0, 3).join(', ')}${others.length > 3 ? ' and more' : ''}.`,
      )
    }
  return found
}

/** Groups cards by their words, ignoring white space and case. */
function groups(cards: readonly Named[], words: (card: Named) => string[]): Map<string, Named[]> {
  const all = new Map<string, Named[]>()
  for (const card of cards)
    for (const word of new Set(words(card).map(foldName)))
      if (word !== '') all.set(word, [...(all.get(word) ?? []), card])
  return new Map([...all].filter(([, twins]) => twins.length > 1))
}
