/** What a request to the model server was for. */
export type Kind =
  | 'story'
  | 'recorder'
  | 'memory'
  | 'summary'
  | 'read-ahead'
  | 'embeddings'
  | 'count'
  | 'other'

/** The server's own numbers: what it read anew, what it had in its cache, and what it wrote. */
export interface Timings {
  prompt_n: number
  cache_n: number
  predicted_n: number
  prompt_ms: number
}

export interface TokenUsage {
  prompt_tokens: number
  completion_tokens: number
  cached_tokens: number | null
}

export interface Message {
  role: string
  content: string
}

/** The fields of a request that matter here. Absent in requests without a body. */
export interface RequestBody {
  messages?: Message[]
  prompt?: string
  max_tokens?: number
  n_predict?: number
  options?: { num_predict?: number }
  response_format?: unknown
  format?: unknown
}

/** One request to the model server with its reply. Times are milliseconds on one clock. */
export interface Exchange {
  kind: Kind
  /** What the player was doing; '' between two turns. */
  action: string
  path: string
  body: RequestBody | null
  began: number
  /** When the first words of the reply arrived; null if none did. */
  firstWords: number | null
  ended: number | null
  status: number
  /** The model finished its reply. A client may leave after that without having broken anything off. */
  complete: boolean
  /** The service left before. */
  brokenOff: boolean
  reply: string
  timings: Timings | null
  usage: TokenUsage | null
  /** The tokens read so far, as the server reports them while it reads. */
  progress: { read: number; cached: number } | null
}

/** Tokens of the prompt by the server's count; null if it did not say. */
export function promptTokens(exchange: Exchange): number | null {
  const { timings, usage } = exchange
  const progress = wholeProgress(exchange)
  return (
    usage?.prompt_tokens ??
    (timings ? timings.prompt_n + timings.cache_n : progress && progress.read + progress.cached)
  )
}

// Once the model has begun to write, it has read the whole prompt, also if the service left after that.
function wholeProgress({ progress, firstWords }: Exchange): Exchange['progress'] {
  return firstWords === null ? null : progress
}

/** Tokens of the reply by the server's count; null if it did not say. */
export function replyTokens({ timings, usage }: Exchange): number | null {
  return usage?.completion_tokens ?? timings?.predicted_n ?? null
}

/**
 * Tokens that the server read anew; null if it did not say. What a request read that was broken off before the first word
 * is unknown: `progress` comes once for each batch of up to 2,048 tokens.
 */
export function tokensRead(exchange: Exchange): number | null {
  const { timings, usage } = exchange
  if (timings) return timings.prompt_n
  if (usage && usage.cached_tokens !== null) return usage.prompt_tokens - usage.cached_tokens
  return wholeProgress(exchange)?.read ?? null
}

/** Tokens that it had in its cache; null if it did not say. */
export function tokensReused(exchange: Exchange): number | null {
  const { timings, usage } = exchange
  return timings?.cache_n ?? usage?.cached_tokens ?? wholeProgress(exchange)?.cached ?? null
}

export function lastUserMessage({ body }: Exchange): string {
  return body?.messages?.findLast(({ role }) => role === 'user')?.content ?? ''
}
