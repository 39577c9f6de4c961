import type { Prompt } from '../prompt/prompt.ts'
import type { Echoes } from './echo-filter.ts'

/** What a reply to a prompt may repeat. `people` are the story's, besides those of its cards. */
export function echoesOf(
  { parts, cards }: Pick<Prompt, 'parts' | 'cards'>,
  people: readonly string[],
): Echoes {
  const waiting = parts.slice(parts.findLastIndex(({ role }) => role === 'assistant') + 1)
  return {
    playerLines: waiting.flatMap(({ label, text }) => (label === 'history' ? [text] : [])),
    notes: parts.flatMap(({ label, text }) => (label === 'history' ? [] : [text])),
    names: [...people, ...cards.map(({ name }) => name)],
  }
}
