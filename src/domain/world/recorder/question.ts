import type { WritableStat } from './schema.ts'

/** With more paths than this, the question relies on the guide in the prompt. */
const MAX_LISTED = 60

/** Opens the recorder's question. */
export const RECORDER_OPENING = '[Before the story goes on'

/**
 * Asks what the last passage changed, in a message after it. Describes the form in words as well, because a server that
 * enforces a schema need not show it to the model; without an example, because small models answer with the example.
 */
export function recorderQuestion(writable: readonly WritableStat[]): string {
  const paths = writable.length > MAX_LISTED ? '' : `\nWhat can change:\n${writable.map(line).join('\n')}`
  return `${RECORDER_OPENING}, say what your last passage changed. Answer with JSON alone, in this form:
{"edits": [{"because": …, "changes": [{"path": …, "by" or "to": …}]}]}
because: the sentence of the passage that tells the changes, word for word. by: how far a number moves, up or down. to: the new value of anything else. Leave out what the passage does not tell; if it changes nothing: {"edits": []}${paths}]`
}

function line(one: WritableStat): string {
  return `${one.path}: ${rangeOf(one)}`
}

function rangeOf(one: WritableStat): string {
  switch (one.kind) {
    case 'number':
      return `by ${one.low} to ${one.high}`
    case 'text':
      return `to a text, up to ${one.maxLength} characters`
    case 'option':
      return `to ${one.options.map((option) => JSON.stringify(option)).join(' or ')}`
    case 'flag':
      return 'to true or false'
    case 'milestone':
      return 'to true'
  }
}
