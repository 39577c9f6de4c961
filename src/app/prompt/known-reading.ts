import type { ModelRequest, Usage } from '../../domain/model/model-request.ts'
import { tokensOfParts } from '../../domain/prompt/budget.ts'
import type { Prompt } from '../../domain/prompt/prompt.ts'
import { type PromptReading, promptReading } from '../../domain/prompt/prompt-reading.ts'
import type { Deps } from '../deps.ts'

/** What is known, before a prompt is sent, of how much its server has read already. */
interface KnownReading {
  /** Our estimated tokens that were not read before. */
  unread: number
  before: Parameters<typeof promptReading>[0]['before']
  hasReused: boolean
}

/**
 * Call it before the request of a turn: every request changes what the server has read last. The turn is compared with the
 * one before, whatever was read ahead in between.
 */
export function knownReading(
  { promptCache }: Pick<Deps, 'promptCache'>,
  { url }: { url: string },
  adventureId: number,
  request: ModelRequest,
): KnownReading {
  const last = promptCache.swapTurn(url, { ...request, adventureId })
  return {
    unread: promptCache.unread(url, request).tokens,
    before: last && {
      messages: last.messages,
      isSameStory: last.adventureId === adventureId,
      isSameModel: last.model === request.model,
    },
    hasReused: promptCache.hasReused(url),
  }
}

/** How much of a prompt the server processed, and why. */
export function readingOf(
  prompt: Prompt,
  { messages }: ModelRequest,
  { unread, before, hasReused }: KnownReading,
  usage: Usage | null,
): PromptReading {
  const { parts, tokens } = prompt
  const factor = tokens.total / Math.max(1, tokens.plain)
  const newest = parts.findLastIndex(({ role }) => role === 'assistant')
  return promptReading({
    messages,
    usage,
    own: tokensOfParts(parts.slice(newest + 1)) * factor,
    expected: unread * factor,
    isFirstTurn: !parts.some(({ role }) => role === 'assistant') || prompt.history.total <= 2,
    before,
    hasReused,
  })
}
