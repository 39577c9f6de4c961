import { namedIn, valueIn } from './block/delta.ts'
import { type Lax, LaxObject, readLax, Unread } from './block/lax-json.ts'
import { readNumber, tidy } from '../../lib/numbers.ts'
import { isObject, ownValue, setOwn } from '../../lib/objects.ts'
import { refused, type Verdict } from './referee.ts'
import type { Paths } from './block/path-resolver.ts'
import { plainText } from './state.ts'

/** What an answer of the form `{edits: [{because, path, by | to}]}` proposes. */
export interface EditsRead {
  /** Flat, as the referee takes it: path to the proposed change. */
  delta: Record<string, unknown>
  /** The edits that are left out: the passage does not say what they quote, or they do not say by how much. */
  refused: Verdict[]
}

/**
 * Reads the changes out of an answer, which may stand anywhere in it. Null when it says nothing readable: no edits, and
 * not plainly that there are none. `cut` tells that the answer broke off. It never throws.
 */
export function readEdits(answer: string, cut: boolean, narration: string, paths: Paths): EditsRead | null {
  const values = valuesIn(answer, cut)
  const edits = values.flatMap(editsIn)
  const saysNothing = !cut && values.length > 0 && values.every(isEmpty)
  if (edits.length === 0 && !saysNothing) return null
  const read: EditsRead = { delta: {}, refused: [] }
  const told = folded(narration)
  for (const { path, pairs } of edits) {
    const found = paths.resolve(path)
    const name = 'path' in found ? found.path : path
    const isCounted = 'path' in found && found.target.kind === 'stat' && found.target.stat.kind !== 'text'
    const value = valueIn(pairs, isCounted)
    const because = pairs.find(([key]) => key === 'because')?.[1]
    if (value instanceof Unread || value instanceof LaxObject || Array.isArray(value))
      read.refused.push(refused(name, null, 'no change given'))
    else if (!isSaid(because, told)) read.refused.push(refused(name, value, 'not told'))
    else setOwn(read.delta, name, joined(ownValue(read.delta, name), value, isCounted))
  }
  return read
}

/** Amounts for one number add up, and its cap then counts for all of them; of other values the last one counts. */
function joined(known: unknown, value: Lax, isCounted: boolean): unknown {
  const [one, other] = [readNumber(known), readNumber(value)]
  if (isCounted && one !== null && other !== null) return tidy(one + other)
  return typeof value === 'string' ? plainText(value) : value
}

/** Bytes of a quote below which it would be found in any passage. A letter that says more takes more of them. */
const SHORTEST = 4

function isSaid(because: unknown, told: string): boolean {
  const quote = typeof because === 'string' ? folded(because) : ''
  return new TextEncoder().encode(quote).length >= SHORTEST && told.includes(quote)
}

/** The letters and digits alone. Capitals, because small letters of several languages come in more than one form. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}

interface Edit {
  path: string
  pairs: LaxObject['pairs']
}

function editsIn(value: Lax | Unread): Edit[] {
  if (Array.isArray(value)) return value.flatMap(editsIn)
  if (!(value instanceof LaxObject)) return []
  const { pairs } = value
  const path = namedIn(pairs)
  return path === null ? pairs.flatMap(([, inner]) => editsIn(inner)) : [{ path, pairs }]
}

/** Whether there is nothing in a value but brackets and the names of lists. */
function isEmpty(value: Lax | Unread): boolean {
  if (Array.isArray(value)) return value.every(isEmpty)
  return value instanceof LaxObject && value.pairs.every(([, inner]) => isEmpty(inner))
}

// Strict JSON is read as such: what models write is told apart by guesses that can fail on quotes within quotes.
function valuesIn(answer: string, cut: boolean): Lax[] {
  const start = answer.search(/[{[]/)
  if (start === -1) return []
  const end = Math.max(answer.lastIndexOf('}'), answer.lastIndexOf(']'))
  try {
    return [laxOf(JSON.parse(answer.slice(start, end + 1)))]
  } catch {
    return readLax(answer.slice(start), cut)
  }
}

function laxOf(json: unknown): Lax {
  if (Array.isArray(json)) return json.map(laxOf)
  if (!isObject(json)) return json as Lax
  const object = new LaxObject()
  for (const [key, value] of Object.entries(json)) object.pairs.push([key, laxOf(value)])
  return object
}
