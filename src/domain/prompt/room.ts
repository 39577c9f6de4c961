import type { Settings } from '../settings.ts'
import type { ModelFacts } from './measure.ts'
import type { Part } from './notes.ts'
import { estimateTokens, PER_MESSAGE } from './tokens.ts'

/** What is free for the prompt, in our own estimated tokens: what the reply needs is taken off, and a margin for error. */
export function roomFor(settings: Settings, facts: ModelFacts): number {
  return Math.floor(((budgetOf(settings, facts) - replyOf(settings) - MARGIN) * 0.97) / facts.factor)
}

/** Tokens that nobody counts: what a template puts around the whole. */
export const MARGIN = 64

/** Tokens that a reply may take, thinking included. */
export function replyOf({ max_output_tokens, reasoning_max_tokens }: Settings): number {
  return max_output_tokens + Math.max(0, reasoning_max_tokens)
}

/** Tokens of prompt and reply together: the smaller of the setting and the real window. */
export function budgetOf({ context_token_budget }: Settings, { window }: ModelFacts): number {
  return Math.min(context_token_budget, window ?? context_token_budget)
}

/** Tokens of some parts, about. */
export function costOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + estimateTokens(text) + PER_MESSAGE, 0)
}
