import { breakOff, type Step, say, status } from '../endpoint/endpoint.ts'
import { asSent, type Operation } from './operation.ts'
import { changesFor } from './random-worlds.ts'
import type { Edit } from './recorder-model.ts'
import { type Fields, pathMeant, rulesOf } from './referee-model.ts'
import type { Why } from './story-model.ts'

/** Random answers of the recorder. */

/** An answer: the raw text, and the expected result of parsing it. */
export interface RecorderAnswer {
  step: Step
  said: readonly Edit[] | Why
}

/** The maximum length of a reply in characters. */
const LONGEST = 7_000
/** Characters of a quote. */
const QUOTE = 60

export function recorderAnswer(operation: Operation, schema: Fields, text: string): RecorderAnswer {
  switch ((operation.a + operation.manner.prose) % 12) {
    case 0:
      return { step: say('You lose five points, I think.'), said: 'unreadable' }
    case 1:
      return { step: say(''), said: 'unreadable' }
    case 2:
      return { step: status(500, 'out of memory'), said: 'failed' }
    case 3:
      return { step: breakOff('{"edits"'), said: 'failed' }
    case 4:
      return { step: say('{"edits": []}'), said: [] }
    default:
      return named(editsFor(operation, schema, text), operation.b)
  }
}

function named(edits: Edit[], b: number): RecorderAnswer {
  const json = JSON.stringify({
    edits: edits.map(({ because, ...change }) => ({ because, changes: [change] })),
  })
  return { step: say(b % 3 === 0 ? `So it is:\n\`\`\`json\n${json}\n\`\`\`` : json), said: edits }
}

/** Each path once, spelled correctly or unknown. */
function editsFor({ a, b, picked }: Operation, schema: Fields, text: string): Edit[] {
  const edits = Object.entries(asSent(changesFor(schema, picked, false)))
    .filter(([path]) => [path, null].includes(pathMeant(path, schema)))
    .map(([path, value], i): Edit => {
      const because = (a + i) % 7 === 0 ? 'A comet falls.' : (b + i) % 11 === 0 ? '' : quoteOf(text)
      const change = typeof value === 'string' ? value.trim() : value
      // Now and then a number is given as a total, which does not count.
      const isBy = rulesOf(schema).get(path)?.kind === 'number' && (a + b + i) % 9 !== 0
      return isBy ? { because, path, by: change } : { because, path, to: change }
    })
  while (JSON.stringify(edits).length > LONGEST) edits.pop()
  return edits
}

function quoteOf(text: string): string {
  return [...text.trim().toWellFormed()].slice(0, QUOTE).join('')
}
