import { type Static, Type } from '@sinclair/typebox'
import { LIMITS } from './limits.ts'
import { Text } from '../lib/text.ts'

/** The fields of a story card that a person writes. `keys` are its triggers, separated by commas. */
export const cardFields = () =>
  Type.Object({
    type: Text(LIMITS.cardType),
    name: Text(LIMITS.name),
    keys: Text(LIMITS.prose),
    entry: Text(LIMITS.prose),
    notes: Text(LIMITS.prose),
  })

export type CardFields = Static<ReturnType<typeof cardFields>>

/** A piece of lore that the model is shown when one of its keys is told (specification 2, "Story card"). */
export interface StoryCard extends CardFields {
  id: number
  scenario_id: number | null
  adventure_id: number | null
}

/** A card together with where it comes from: `card:<id>`, `npc:<key>`, or null when the player made it. */
export interface CardWithSource extends StoryCard {
  source_ref: string | null
}

export const EMPTY_CARD: CardFields = { type: '', name: '', keys: '', entry: '', notes: '' }
