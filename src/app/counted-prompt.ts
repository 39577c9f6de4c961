import type { Place } from '../db/actions.ts'
import { findFacts } from '../db/tables/endpoint-facts.ts'
import { counted } from '../domain/prompt/layout.ts'
import { messagesOf, type Prompt } from '../domain/prompt/prompt.ts'
import type { Query } from '../domain/recall/vectors.ts'
import type { Settings } from '../domain/settings.ts'
import type { Endpoint } from '../domain/model/model-request.ts'
import type { Deps } from './deps.ts'
import { promptFor } from './prompt.ts'

/** How often a prompt that was counted as too long is laid out anew; each time nearer, so that two are enough. */
const TRIES = 3

/**
 * The prompt of a turn, counted by the model's own vocabulary where its server does that: one that is too long after all
 * is laid out shorter. Elsewhere it is as long as we estimate. Throws prompt_too_large.
 */
export async function countedPrompt(
  deps: Deps,
  adventureId: number,
  settings: Settings,
  endpoint: Endpoint,
  retried: Place | null,
  query: Query | null,
  signal: AbortSignal,
): Promise<Prompt> {
  const { reader } = deps.library
  const { model, endpoint_url } = settings
  let facts = findFacts(reader, endpoint_url, model)
  for (let tries = 1; ; tries++) {
    const prompt = promptFor(reader, adventureId, settings, retried, query, facts)
    const messages = messagesOf(prompt.parts)
    // Who leaves now is met where the model is asked.
    const tokens = await deps.narrator.count(endpoint, model, messages, signal).catch(() => null)
    if (tokens === null) return prompt
    const exact = counted(prompt, tokens, settings)
    if (tokens <= exact.tokens.limit || tries === TRIES) return exact
    facts = { ...facts, factor: tokens / prompt.tokens.plain }
  }
}
