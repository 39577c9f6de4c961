import { cardMatcher } from '../cards/card-triggers.ts'
import type { Rules } from '../world/rules.ts'

/** The ids of the characters who are named in a text, by the rules by which story cards are called up. */
export function presentIn({ npcs }: Rules, text: string): Set<string> {
  const matcher = cardMatcher(npcs.map(({ keys, name }) => ({ keys, entry: name })))
  return new Set(matcher.match(text).flatMap(({ card, blocked }) => (blocked ? [] : (npcs[card]?.id ?? []))))
}
