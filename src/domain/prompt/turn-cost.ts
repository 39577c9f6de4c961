import { type Static, Type } from '@sinclair/typebox'
import { nullable } from '../../lib/typebox.ts'

/** Tokens as the server counted them, otherwise estimated; times in milliseconds. */
export const TurnCost = Type.Object({
  index: Type.Integer({ description: 'Index of the passage' }),
  prompt: Type.Number({ description: 'Tokens of the prompt' }),
  reused: nullable(Type.Number({ description: 'Prompt tokens that the server had cached; null if unknown' })),
  written: nullable(
    Type.Number({ description: 'Tokens of the reply; null if the server does not count them' }),
  ),
  first: nullable(Type.Number({ description: 'Milliseconds to the first word; null in old turns' })),
  total: nullable(Type.Number({ description: 'Milliseconds to the last word; null in old turns' })),
})
export type TurnCost = Static<typeof TurnCost>

/** Null if the snapshot has none. */
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
    written: usage?.completion_tokens ?? null,
    first: timings?.first ?? null,
    total: timings?.total ?? null,
  }
}

function numbersIn(value: unknown): Record<string, number> {
  if (value === null || typeof value !== 'object') return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  )
}
