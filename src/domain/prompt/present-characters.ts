import { cardMatcher } from '../cards/card-triggers.ts'
import type { Rules } from '../world/rules.ts'

/** Finds the ids of the characters whom a text mentions, by the same rules that trigger story cards. */
export function characterFinder({ npcs }: Rules): (text: string) => Set<string> {
  const matcher = cardMatcher(npcs.map(({ keys, name }) => ({ keys, entry: name })))
  return (text) =>
    new Set(matcher.match(text).flatMap(({ card, blocked }) => (blocked ? [] : (npcs[card]?.id ?? []))))
}

export function presentCharacters(rules: Rules, text: string): Set<string> {
  return characterFinder(rules)(text)
}
