import { type Static, Type } from '@sinclair/typebox'
import { Text } from '../lib/text.ts'
import { nullable, unbounded } from '../lib/typebox.ts'
import { LIMITS } from './limits.ts'

/** The fields of a story card that the player can edit. `keys` are its triggers, separated by commas. */
export const cardFields = () =>
  Type.Object({
    type: Text(LIMITS.cardType),
    name: Text(LIMITS.name),
    keys: Text(LIMITS.prose),
    entry: Text(LIMITS.prose),
    notes: Text(LIMITS.prose),
  })

export type CardFields = Static<ReturnType<typeof cardFields>>

/** Lore that goes into the prompt when the story mentions one of its keys (docs/rules.md 2). */
export const StoryCard = Type.Composite([
  unbounded(cardFields()),
  Type.Object({
    id: Type.Integer(),
    scenario_id: nullable(Type.Integer()),
    adventure_id: nullable(Type.Integer()),
  }),
])

export type StoryCard = Static<typeof StoryCard>

/** A card and its origin: `card:<id>`, `npc:<key>`, or null if the player wrote it. */
export interface CardWithSource extends StoryCard {
  source_ref: string | null
}

export const EMPTY_CARD: CardFields = { type: '', name: '', keys: '', entry: '', notes: '' }
