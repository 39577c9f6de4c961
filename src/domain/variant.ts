import { type Static, Type } from '@sinclair/typebox'
import { hashOf } from '../lib/hash.ts'
import { nullable } from '../lib/typebox.ts'
import type { Cut } from './action.ts'
import { type Roll, rollFrom } from './checks/roll.ts'
import { recordFrom, type TimingRecord } from './timing/record.ts'
import type { WorldState } from './world/state.ts'

export interface VariantWorld {
  delta: Record<string, unknown>
  report: unknown
  state: WorldState
}

/** Old entries may lack everything but `text`; keys of the earlier release are kept untouched. */
export interface Variant {
  text: string
  reasoning: string | null
  created_at: string | null
  raw_output?: string
  /** More than state blocks was removed from the raw output: later prompts hold the text. */
  cleaned?: boolean
  world_state?: VariantWorld
  cut?: Cut | null
  /** The roll whose outcome it tells. */
  roll?: Roll
  /** The player's note to the narrator about this passage only. */
  steering?: string
  /** Record of timed story cards. */
  timing?: TimingRecord
  /** The player's request for a rewritten part. */
  rewritten?: string
  /** The player edited the text. */
  edited?: boolean
  /** Hash of the text as the model wrote it, under a name that stored rows have. */
  told_mark?: string
  [key: string]: unknown
}

export const VariantView = Type.Object({
  index: Type.Integer(),
  text: Type.String(),
  reasoning: nullable(Type.String()),
  created_at: nullable(Type.String()),
  active: Type.Boolean({ description: 'The variant that the story continues from' }),
  steering: nullable(Type.String({ description: 'The note to the narrator that it was told with' })),
  rewritten: nullable(
    Type.String({
      description: 'How the player wanted the parts in which it differs from the version before',
    }),
  ),
})

export type VariantView = Static<typeof VariantView>

/** An invalid entry becomes an empty variant. */
export function variantFrom(entry: unknown): Variant {
  const {
    roll: stored,
    steering,
    timing: left,
    rewritten,
    ...fields
  } = entry !== null && typeof entry === 'object' ? (entry as Record<string, unknown>) : {}
  const roll = rollFrom(stored)
  const timing = recordFrom(left)
  return {
    ...fields,
    ...(roll && { roll }),
    ...(typeof steering === 'string' && { steering }),
    ...(timing && { timing }),
    ...(typeof rewritten === 'string' && { rewritten }),
    text: typeof fields.text === 'string' ? fields.text : '',
    reasoning: typeof fields.reasoning === 'string' ? fields.reasoning : null,
    created_at: typeof fields.created_at === 'string' ? fields.created_at : null,
  }
}

/** Keeps the changes of the world, not the raw output, so that later prompts hold the text. */
export function rewrittenVariant(
  { raw_output, cleaned, ...kept }: Variant,
  { text, how, cut, now }: { text: string; how: string; cut: Cut | null; now: Date },
): Variant {
  return { ...kept, text, cut, created_at: now.toISOString(), told_mark: hashOf(text), rewritten: how }
}

/** True if an edit changed the last word. Then it no longer matters where the narrator was cut off. */
export function isEndNew(old: string, text: string): boolean {
  return lastWord(old) !== lastWord(text)
}

function lastWord(text: string): string {
  const words = text.trimEnd()
  return words.slice(Math.max(words.lastIndexOf(' '), words.lastIndexOf('\n')) + 1)
}

/** True if the player edited the text, here or in the earlier release. */
export function wasEditedElsewhere({ text, edited, told_mark }: Variant): boolean {
  return edited === true || (told_mark !== undefined && told_mark !== hashOf(text))
}

/** The world state after a variant; null if it recorded none, so that the live state stays. */
export function stateOf(variant: Variant): WorldState | null {
  const state = variant.world_state?.state
  return state !== null && typeof state === 'object' ? state : null
}
