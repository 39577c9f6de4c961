import type { Reader } from '../../db/database.ts'
import type { Message } from '../../domain/model/model-request.ts'
import { messagesOf } from '../../domain/prompt/prompt.ts'
import type { Settings } from '../../domain/settings.ts'
import { storyPrompt } from '../prompt/build-prompt.ts'

/** A task after the prompt of the story, which the server still has in its cache. Another model gets the task alone. */
export function questionAfterStory(
  reader: Reader,
  adventureId: number,
  settings: Settings,
  { task, max_output_tokens }: { task: string; max_output_tokens: number },
): { model: string; messages: Message[]; max_output_tokens: number } {
  const { summary_model, model } = settings
  const story = summary_model === '' ? storyPrompt(reader, adventureId, settings) : []
  const messages = messagesOf([...story, { role: 'user', text: task }])
  return { model: summary_model || model, messages, max_output_tokens }
}
