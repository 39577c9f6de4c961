import { type Static, Type } from '@sinclair/typebox'
import { Text } from '../lib/text.ts'
import { documented, nullable, unbounded } from '../lib/typebox.ts'
import { LIMITS } from './limits.ts'
import { Timing } from './timing/timing.ts'

/** `keys` are its triggers, separated by commas. */
const cardTexts = () =>
  Type.Object({
    type: Text(LIMITS.cardType),
    name: Text(LIMITS.name),
    keys: Text(LIMITS.prose),
    entry: Text(LIMITS.prose),
    notes: Text(LIMITS.prose),
  })

/** Turns without a card after which it counts as unused. */
export const UNUSED_TURNS = 50

type CardTexts = Static<ReturnType<typeof cardTexts>>

/** Without `timing`, only the triggers of a card decide when it is included. */
export const cardFields = () =>
  Type.Composite([
    cardTexts(),
    Type.Object({ timing: Type.Optional(documented<Timing | null>(nullable(Timing))) }),
  ])

export type CardFields = Static<ReturnType<typeof cardFields>>

/** Lore that goes into the prompt when the story mentions one of its keys. */
export const StoryCard = Type.Composite([
  unbounded(cardFields()),
  Type.Object({
    id: Type.Integer(),
    scenario_id: nullable(Type.Integer()),
    adventure_id: nullable(Type.Integer()),
  }),
])

export type StoryCard = Static<typeof StoryCard>

/** Origin of a card: `card:<id>`, `npc:<key>`, or null if the player wrote it. */
export interface CardWithSource extends StoryCard {
  source_ref: string | null
}

export const EMPTY_CARD: CardTexts = { type: '', name: '', keys: '', entry: '', notes: '' }

/** The fields of a card that files and comparisons contain, with its keys in order. */
export function plainCard({ type, name, keys, entry, notes, timing }: CardFields): CardFields {
  return { type, name, keys, entry, notes, ...(timing && { timing }) }
}

export function isBlankCard({ timing, ...card }: CardFields): boolean {
  return !timing && (Object.keys(EMPTY_CARD) as (keyof CardTexts)[]).every((name) => card[name] === '')
}

export interface NamedOwner {
  scenario_id?: number | undefined
  adventure_id?: number | undefined
}
