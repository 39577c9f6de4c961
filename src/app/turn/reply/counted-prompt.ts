import { findFacts } from '../../../db/tables/endpoint-facts.ts'
import { StoryError } from '../../../domain/errors.ts'
import { withExactCount } from '../../../domain/prompt/layout.ts'
import { messagesOf, type Prompt } from '../../../domain/prompt/prompt.ts'
import type { VectorQuery } from '../../../domain/recall/vectors.ts'
import { findsOtherWindow } from '../../model/learn-model.ts'
import { buildPrompt } from '../../prompt/build-prompt.ts'
import type { Turn } from '../turn.ts'

/** Attempts to fit a prompt that the server counted as too long. Each comes closer, so two are usually enough. */
const MAX_TRIES = 3

/**
 * The prompt of a turn. Where the server can count tokens with the model's own tokenizer, a prompt that turns out too
 * long is rebuilt shorter; elsewhere our estimate decides. Before a prompt is too large, the server is asked for its window
 * again. Throws prompt_too_large.
 */
export async function countedPrompt(turn: Turn, query: VectorQuery | null): Promise<Prompt> {
  try {
    return await fittingPrompt(turn, query)
  } catch (error) {
    const isTooLarge = error instanceof StoryError && error.code === 'prompt_too_large'
    if (!isTooLarge || !(await findsOtherWindow(turn.deps, turn.settings, turn.signal))) throw error
    return fittingPrompt(turn, query)
  }
}

async function fittingPrompt(turn: Turn, query: VectorQuery | null): Promise<Prompt> {
  const { deps, adventureId, settings, steering, endpoint, retried, signal } = turn
  const { reader } = deps.library
  const { model, endpoint_url } = settings
  let facts = findFacts(reader, endpoint_url, model)
  for (let tries = 1; ; tries++) {
    const request = { adventureId, settings, before: retried, query, facts, steering }
    const prompt = leastToRead(turn, request)
    const messages = messagesOf(prompt.parts)
    // An abort is noticed by the model call that follows.
    const tokens = await deps.narrator.countTokens(endpoint, model, messages, signal).catch(() => null)
    if (tokens === null) return prompt
    const exact = withExactCount(prompt, tokens, settings)
    if (tokens <= exact.tokens.limit || tries === MAX_TRIES) return exact
    facts = { ...facts, factor: tokens / prompt.tokens.plain }
  }
}

/**
 * A retry sends what its passage was asked with, unless the server has read a window since that was cut for what comes next: it
 * would read a whole window for the same bytes.
 */
function leastToRead(
  { deps, adventureId, endpoint, retried, settings }: Turn,
  request: Parameters<typeof buildPrompt>[1],
): Prompt {
  const { reader } = deps.library
  const { model } = settings
  const repeated = buildPrompt(reader, request)
  if (retried === null) return repeated
  const isRead = ({ parts, tokens }: Prompt) =>
    deps.promptCache.unread(endpoint.url, { model, messages: messagesOf(parts) }).tokens <
    tokens.plain * UNREAD_SHARE
  if (isRead(repeated)) return repeated
  try {
    const { epoch } = buildPrompt(reader, { adventureId, settings })
    const cut = buildPrompt(reader, { ...request, epoch })
    return isRead(cut) ? cut : repeated
  } catch {
    // The next prompt may be too large even if this one is not.
    return repeated
  }
}

/** The share of a prompt that a server may have to read although it has read the prompt. */
const UNREAD_SHARE = 0.25
