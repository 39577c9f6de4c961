import { type Movable, QUOTE } from './edit-schema.ts'
import { isObject } from '../../lib/objects.ts'

/** Paths that are listed with how far they may move; where there are more, the list of the prompt has to do. */
const MOST_LISTED = 60

/**
 * Asks what the last passage changed, behind the passage itself. The shape is said in words too: a server that binds an
 * answer to a schema need not show it to the model.
 */
export function changesQuestion(movable: readonly Movable[]): string {
  return `[Before the story goes on, keep its books: what did your last passage change? Only what its words say counts. Answer with one JSON object and nothing else:
${JSON.stringify({ edits: movable.slice(0, 1).map(exampleOf) })}
That example shows the form, not what happened.
- because: words copied from the passage, letter by letter, that show the change; ${QUOTE} characters at most.
- path: what changes. by: how far a number moves, with its sign, never a total. to: the new value of anything else.
- Leave out what stayed the same. If nothing changed, answer {"edits": []}.
${movable.length > MOST_LISTED ? '' : `What can change now, and how far:\n${movable.map(line).join('\n')}\n`}]`
}

function exampleOf(one: Movable): object {
  const edit = { because: 'words of the passage', path: one.path }
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

function line(one: Movable): string {
  switch (one.kind) {
    case 'number':
      return `- ${one.path}: by ${one.low} to ${one.high}`
    case 'text':
      return `- ${one.path}: to a text of at most ${one.maxLength} characters`
    case 'option':
      return `- ${one.path}: to one of ${one.options.map((option) => JSON.stringify(option)).join(', ')}`
    case 'flag':
      return `- ${one.path}: to true or false`
    case 'milestone':
      return `- ${one.path}: to true, when it is reached`
  }
}

/** A word that no model says unless it is made to. */
const MADE_UP = 'vermelune-417'

/**
 * Shows whether a server binds answers to a schema: the question asks for the contrary of what the schema allows, so an
 * answer obeys only when it is made to.
 */
export const PROBE = {
  question:
    '[A question beside the story: is the sea wet? Answer “yes” or “no” in plain prose, without brackets or quotation marks.]',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['answer'],
    properties: { answer: { const: MADE_UP } },
  },
} as const

/** Whether an answer to the probe obeyed its schema. */
export function obeyed(answer: string): boolean {
  try {
    const json: unknown = JSON.parse(answer)
    return isObject(json) && json.answer === MADE_UP
  } catch {
    return false
  }
}
