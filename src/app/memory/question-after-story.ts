import type { Message } from '../../domain/model/model-request.ts'
import { replyTokens } from '../../domain/prompt/budget.ts'
import { messagesOf } from '../../domain/prompt/prompt.ts'
import { estimateTokens } from '../../domain/prompt/tokens.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Deps } from '../deps.ts'
import { promptWithRoom, storyParts } from '../prompt/build-prompt.ts'

/**
 * A task after the prompt of the story, which the server still has in its cache. Another model gets the task alone. Throws
 * prompt_too_large.
 */
export function questionAfterStory(
  deps: Pick<Deps, 'library'>,
  adventureId: number,
  settings: Settings,
  { task, max_output_tokens }: { task: string; max_output_tokens: number },
): { model: string; messages: Message[]; max_output_tokens: number } {
  const { summary_model, model } = settings
  const reserve = Math.max(0, estimateTokens(task) + max_output_tokens - replyTokens(settings))
  const story =
    summary_model === '' ? storyParts(promptWithRoom(deps, { adventureId, settings, reserve })) : []
  const messages = messagesOf([...story, { role: 'user', text: task }])
  return { model: summary_model || model, messages, max_output_tokens }
}
