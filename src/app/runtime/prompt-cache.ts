import type { Message } from '../../domain/model/model-request.ts'
import { estimateTokens } from '../../domain/prompt/tokens.ts'

interface ModelPrompt {
  model: string
  messages: readonly Message[]
}

/** The start of the unread part of a prompt, and its length in our estimated tokens. */
export interface UnreadPart {
  message: number
  character: number
  tokens: number
}

/**
 * The prompt that each server has read last, by its address. A server with a prefix cache reads a prompt only from the
 * first difference on. Forgotten on restart.
 */
export class PromptCache {
  private readonly read = new Map<string, ModelPrompt>()

  /** A request was sent. If it is interrupted, only what both prompts share is sure to be in the cache. */
  sent(url: string, prompt: ModelPrompt): void {
    const [message, character] = this.firstDifference(url, prompt)
    this.read.set(url, { ...prompt, messages: cutAt(prompt.messages, message, character) })
  }

  /** A request was answered. */
  answered(url: string, prompt: ModelPrompt, reply: string): void {
    const last: Message[] = reply === '' ? [] : [{ role: 'assistant', text: reply }]
    this.read.set(url, { ...prompt, messages: [...prompt.messages, ...last] })
  }

  unread(url: string, prompt: ModelPrompt): UnreadPart {
    const [message, character] = this.firstDifference(url, prompt)
    return { message, character, tokens: tokensFrom(prompt.messages, message, character) }
  }

  /** The message, and the character in it, from which on a prompt differs from the one that was read. */
  private firstDifference(
    url: string,
    { model, messages }: ModelPrompt,
  ): [message: number, character: number] {
    const last = this.read.get(url)
    const known = last?.model === model ? last.messages : []
    let message = 0
    while (message < messages.length && isSame(known[message], messages[message])) message++
    return [message, sharedLength(known[message], messages[message])]
  }
}

/** The beginning of some messages, up to a character of one of them. */
export function cutAt(messages: readonly Message[], message: number, character: number): Message[] {
  const cut = messages[message]
  const whole = messages.slice(0, message)
  return cut && character > 0
    ? [...whole, { ...cut, text: cut.text.slice(0, character).toWellFormed() }]
    : whole
}

function isSame(one: Message | undefined, other: Message | undefined): boolean {
  return one?.role === other?.role && one?.text === other?.text
}

function sharedLength(one: Message | undefined, other: Message | undefined): number {
  if (one === undefined || other === undefined || one.role !== other.role) return 0
  let length = 0
  while (length < one.text.length && one.text[length] === other.text[length]) length++
  return length
}

function tokensFrom(messages: readonly Message[], message: number, character: number): number {
  return messages
    .slice(message)
    .reduce((sum, { text }, i) => sum + estimateTokens(i === 0 ? text.slice(character) : text), 0)
}
