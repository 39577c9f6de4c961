import type { Message } from '../../domain/model/model-request.ts'

/** Whether an error says that the chat template has no system role. Source: the templates of Gemma and early Mistral. */
export function refusesSystem(status: number, body: string): boolean {
  return (
    status >= 400 &&
    /system role (is )?not supported|only user and assistant roles|roles must alternate user\/assistant/i.test(
      body,
    )
  )
}

/** The same messages, with the system message moved to the start of the first user message. */
export function withoutSystem(messages: readonly Message[]): readonly Message[] {
  const [system, first, ...others] = messages
  if (system?.role !== 'system') return messages
  if (first?.role !== 'user') return [{ ...system, role: 'user' }, ...messages.slice(1)]
  return [{ role: 'user', text: `${system.text}\n\n${first.text}` }, ...others]
}
