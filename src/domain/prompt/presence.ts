import { keyList } from '../story-card.ts'
import type { Rules } from '../world/rules.ts'
import { keyIn } from './cards.ts'

/** The ids of the characters who are named in a text, by the rules by which story cards are called up. */
export function presentIn({ npcs }: Rules, text: string): Set<string> {
  const told = text.toLowerCase()
  return new Set(npcs.filter(({ keys }) => keyIn(keyList(keys), told) !== undefined).map(({ id }) => id))
}
