import { type Static, Type } from '@sinclair/typebox'
import { isObject } from '../../lib/objects.ts'
import { nullable, Time } from '../../lib/typebox.ts'
import { READ_REASONS, type ReadReason, WhyRead } from './prompt-reading.ts'

/** What one turn cost: tokens as the server counted them, otherwise estimated; times in milliseconds. */
export const TurnCost = Type.Object({
  index: Type.Integer({ description: 'Index of the passage' }),
  prompt: Type.Number({ description: 'Tokens of the prompt' }),
  reused: nullable(Type.Number({ description: 'Prompt tokens that the server had cached; null if unknown' })),
  why: WhyRead,
  written: nullable(
    Type.Number({ description: 'Tokens of the reply; null if the server does not count them' }),
  ),
  first: nullable(Type.Number({ description: 'Milliseconds to the first word; null in old turns' })),
  total: nullable(Type.Number({ description: 'Milliseconds to the last word; null in old turns' })),
})
export type TurnCost = Static<typeof TurnCost>

/** When a passage was written. */
export const PassageTime = Type.Object({ index: Type.Integer(), created_at: Time })
export type PassageTime = Static<typeof PassageTime>

/** The cost of a turn from its snapshot; null if the snapshot has none. */
export function turnCostFrom(index: number, snapshot: Record<string, unknown>): TurnCost | null {
  const [tokens, usage, timings] = ['tokens', 'usage', 'timings'].map((key) => numbersIn(snapshot[key]))
  const prompt = usage?.prompt_tokens ?? tokens?.total
  if (prompt === undefined) return null
  const fresh = tokens?.fresh
  const reused = usage?.cached_tokens ?? (fresh === undefined ? null : Math.max(0, prompt - fresh))
  return {
    index,
    prompt,
    reused,
    why: whyIn(snapshot.reading),
    written: usage?.completion_tokens ?? null,
    first: timings?.first ?? null,
    total: timings?.total ?? null,
  }
}

function whyIn(reading: unknown): ReadReason | null {
  const why = isObject(reading) ? reading.why : null
  return typeof why === 'string' && why in READ_REASONS ? (why as ReadReason) : null
}

function numbersIn(value: unknown): Record<string, number> {
  if (value === null || typeof value !== 'object') return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  )
}
