import { cardMatcher } from '../cards/card-triggers.ts'
import type { Rules } from '../world/rules.ts'

/** The ids of the characters whom a text mentions, by the same rules that trigger story cards. */
export function presentCharacters({ npcs }: Rules, text: string): Set<string> {
  const matcher = cardMatcher(npcs.map(({ keys, name }) => ({ keys, entry: name })))
  return new Set(matcher.match(text).flatMap(({ card, blocked }) => (blocked ? [] : (npcs[card]?.id ?? []))))
}
