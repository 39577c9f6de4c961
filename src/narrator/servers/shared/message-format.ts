import type { Message } from '../../../domain/model/model-request.ts'

export function chatMessages(messages: readonly Message[]): { role: Message['role']; content: string }[] {
  return messages.map(({ role, text }) => ({ role, content: text }))
}

/** Messages as one text, for the completion API and for counting. */
export function completionPrompt(messages: readonly Message[]): string {
  return messages.map(({ text }) => text).join('\n\n')
}
