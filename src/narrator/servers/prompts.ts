import type { Message } from '../../domain/model/model-request.ts'

/** Messages as a chat is sent. */
export function asChat(messages: readonly Message[]): { role: Message['role']; content: string }[] {
  return messages.map(({ role, text }) => ({ role, content: text }))
}

/** Messages as one text, for a server that counts no chats. */
export function asText(messages: readonly Message[]): string {
  return messages.map(({ text }) => text).join('\n\n')
}
