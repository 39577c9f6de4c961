import { StoryError } from '../errors.ts'
import { EMPTY_PLOT } from '../scenario.ts'
import type { Settings } from '../settings.ts'
import { type ModelFacts, UNKNOWN_MODEL } from './model-facts.ts'
import type { PromptPart } from './notes.ts'
import { staticParts } from './static-parts.ts'
import { estimateTokens, PER_MESSAGE } from './tokens.ts'

/** Estimated tokens available for the prompt: the context size without the reply and a margin of error. */
export function promptBudget(settings: Settings, facts: ModelFacts): number {
  return Math.floor(
    ((contextSize(settings, facts) - replyTokens(settings) - TEMPLATE_TOKENS) * 0.97) / facts.factor,
  )
}

const ROOM_SETTINGS = [
  'context_token_budget',
  'max_output_tokens',
  'reasoning_max_tokens',
  'narrator_prompt',
] as const

/** Characters of the newest passage that the model needs in order to continue. */
export const MIN_PASSAGE = 400

/**
 * Refuses changed settings whose reply leaves too little of the context size for even a story without any plot. Throws
 * invalid, with the sum. `changed` that decides nothing of it is never refused.
 */
export function checkRoom(settings: Settings, changed: Partial<Settings>): void {
  if (ROOM_SETTINGS.every((name) => changed[name] === undefined)) return
  const left = promptBudget(settings, UNKNOWN_MODEL)
  const needed = tokensOfParts([
    ...staticParts(settings, { ...EMPTY_PLOT, language: '' }, null),
    { role: 'assistant', label: 'history', text: 'x'.repeat(MIN_PASSAGE) },
  ])
  if (left >= needed) return
  const { context_token_budget: size, max_output_tokens, reasoning_max_tokens } = settings
  const reasoning = reasoning_max_tokens > 0 ? ` and reasoning ${reasoning_max_tokens}` : ''
  const reserve = left > 0 ? `, and ${size - replyTokens(settings) - left} are kept in reserve` : ''
  const message = `The context size is ${size} tokens. The reply may take ${max_output_tokens}${reasoning}${reserve}. That leaves ${Math.max(0, left)} for the story, which needs at least ${needed}. Raise the context size, lower the max response length, or shorten the narrator instructions.`
  throw new StoryError('invalid', message, { errors: [{ path: '/context_token_budget', message }] })
}

/** Tokens that a chat template adds around the whole prompt. */
export const TEMPLATE_TOKENS = 64

/** Includes reasoning. */
export function replyTokens({ max_output_tokens, reasoning_max_tokens }: Settings): number {
  return max_output_tokens + Math.max(0, reasoning_max_tokens)
}

/** Tokens for prompt and reply together: the setting, or the model's context window if that is smaller. */
export function contextSize({ context_token_budget }: Settings, { window }: ModelFacts): number {
  return Math.min(context_token_budget, window ?? context_token_budget)
}

export function tokensOfParts(parts: readonly PromptPart[]): number {
  return parts.reduce((sum, { text }) => sum + estimateTokens(text) + PER_MESSAGE, 0)
}
