/** What one turn cost: tokens as the server counted them, else as we did; times in milliseconds. */
export interface TurnCost {
  /** Index of the passage. */
  index: number
  /** Tokens of the prompt. */
  prompt: number
  /** Those of them that the server had read before; null when nobody knows. */
  reused: number | null
  /** Tokens of the reply; null when the server does not count. */
  written: number | null
  /** Until the first word, and until the last; null in turns that are older than clocks. */
  first: number | null
  total: number | null
}

/** When a passage was told. */
export interface Told {
  index: number
  created_at: string
}

/** What a turn cost, as its snapshot tells; null where it tells nothing. */
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
