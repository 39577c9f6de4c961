import type { CardFields } from '../story-card.ts'
import { timingFrom } from '../timing/timing.ts'

/** What cards are compared by: all but the notes, which only their author reads. */
export function contentOfCard({ type, name, keys, entry, timing }: CardFields): string {
  return JSON.stringify([type, name, keys, entry, timingFrom(timing)])
}
