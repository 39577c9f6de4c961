import { parseJson } from '../../../lib/json.ts'
import { isObject } from '../../../lib/objects.ts'
import { EXAMPLE_QUOTE, MAX_QUOTE, type WritableStat } from './second-call-schema.ts'

/** With more paths than this, the question relies on the guide in the prompt. */
const MAX_LISTED = 60

/** Opens the question of the second call. */
export const BOOKS_QUESTION = '[Before the story goes on'

/**
 * Asks what the last passage changed, in a message after it. Describes the format in words as well, because a server
 * that enforces a schema need not show it to the model.
 */
export function secondCallQuestion(writable: readonly WritableStat[]): string {
  const example = JSON.stringify({ edits: writable.slice(0, 1).map(exampleOf) })
  const paths = writable.length > MAX_LISTED ? '' : `\nWhat can change:\n${writable.map(line).join('\n')}`
  return `${BOOKS_QUESTION}, say what your last passage changed. Answer with JSON alone, in this form:
${example}
because: up to ${MAX_QUOTE} characters copied from the passage. by: how far a number moves. to: anything else. Leave out what it does not say; if nothing changed: {"edits": []}${paths}]`
}

function exampleOf(one: WritableStat): object {
  const edit = { because: EXAMPLE_QUOTE, path: one.path }
  switch (one.kind) {
    case 'number': {
      const small = one.low < 0 ? Math.max(one.low, -1) : Math.min(one.high, 1)
      return { ...edit, by: small }
    }
    case 'text':
      return { ...edit, to: 'the new words'.slice(0, one.maxLength) }
    case 'option':
      return { ...edit, to: one.options.at(-1) }
    case 'flag':
    case 'milestone':
      return { ...edit, to: true }
  }
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

/** A word that no model writes unless it is forced to. */
const MADE_UP = 'vermelune-417'

/**
 * Tests whether a server enforces a JSON Schema: the question asks for the opposite of what the schema allows, so a
 * response obeys only if it is forced to.
 */
export const SCHEMA_PROBE = {
  question:
    '[A question beside the story: is the sea wet? Answer “yes” or “no” in plain prose, without brackets or quotation marks.]',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['answer'],
    properties: { answer: { const: MADE_UP } },
  },
} as const

/** The response that the schema allows, up to where it ended. */
const BOUND_START = /^\{\s*"answer"\s*:\s*"([^"]+)/

/** Whether a response to the probe was forced, also one that was cut off; null when it was cut off too soon to tell. */
export function probeResult(response: string): boolean | null {
  const text = response.trim()
  const json = parseJson(text)
  if (json !== undefined) return isObject(json) && json.answer === MADE_UP
  const answer = BOUND_START.exec(text)?.[1]
  if (answer !== undefined) return MADE_UP.startsWith(answer)
  return '{"answer":"'.startsWith(text.replace(/\s/g, '')) ? null : false
}
