import { foldQuote } from '../../../lib/fold-text.ts'
import { parseJson } from '../../../lib/json.ts'
import { readNumber, roundedNumber } from '../../../lib/numbers.ts'
import { isObject, ownValue, setOwn } from '../../../lib/objects.ts'
import { namedIn, valueIn } from '../block/delta.ts'
import { LaxObject, type LaxValue, parseLaxJson, Unread } from '../block/lax-json.ts'
import type { PathResolver } from '../block/path-resolver.ts'
import { refused, type Verdict } from '../referee.ts'
import { plainText } from '../state.ts'
import { EXAMPLE_QUOTE } from './second-call-schema.ts'

/** What a response of the form `{edits: [{because, path, by | to}]}` proposes. */
export interface SecondCallAnswer {
  /** Flat, as the referee expects it: from path to proposed change. */
  delta: Record<string, unknown>
  /** The edits that do not count: their quote is not in the passage, or they do not say by how much. */
  refused: Verdict[]
}

/**
 * Reads the changes from a response, in which the JSON may be anywhere. Null if nothing can be read: neither edits nor a
 * clear statement that there are none. `cut` says that the response was cut off. Never throws.
 */
export function parseSecondCall(
  response: string,
  cut: boolean,
  narration: string,
  paths: PathResolver,
): SecondCallAnswer | null {
  const values = valuesIn(response, cut)
  const edits = values.flatMap(editsIn)
  const isNoChange = !cut && values.length > 0 && values.every(isEmpty)
  if (edits.length === 0 && !isNoChange) return null
  const parsed: SecondCallAnswer = { delta: {}, refused: [] }
  const passage = foldQuote(narration)
  for (const { path, pairs } of edits) {
    const found = paths.resolve(path)
    const name = 'path' in found ? found.path : path
    const isCounted = 'path' in found && found.target.kind === 'stat' && found.target.stat.kind !== 'text'
    const value = valueIn(pairs, isCounted)
    const because = pairs.find(([key]) => key === 'because')?.[1]
    if (because === EXAMPLE_QUOTE) continue
    if (value instanceof Unread || value instanceof LaxObject || Array.isArray(value))
      parsed.refused.push(refused(name, null, 'no change given'))
    else if (!isQuoteOf(passage, because)) parsed.refused.push(refused(name, value, 'not told'))
    else setOwn(parsed.delta, name, combined(ownValue(parsed.delta, name), value, isCounted))
  }
  return parsed
}

/** Amounts for one number add up, so that its cap applies to their sum; of other values the last one counts. */
function combined(known: unknown, value: LaxValue, isCounted: boolean): unknown {
  const [one, other] = [readNumber(known), readNumber(value)]
  if (isCounted && one !== null && other !== null) return roundedNumber(one + other)
  return typeof value === 'string' ? plainText(value) : value
}

/** A shorter quote would match any passage. Counted in bytes, because characters of denser scripts take more bytes. */
const MIN_QUOTE_BYTES = 4

function isQuoteOf(passage: string, because: unknown): boolean {
  const quote = typeof because === 'string' ? foldQuote(because) : ''
  return new TextEncoder().encode(quote).length >= MIN_QUOTE_BYTES && passage.includes(quote)
}

interface Edit {
  path: string
  pairs: LaxObject['pairs']
}

function editsIn(value: LaxValue | Unread): Edit[] {
  if (Array.isArray(value)) return value.flatMap(editsIn)
  if (!(value instanceof LaxObject)) return []
  const { pairs } = value
  const path = namedIn(pairs)
  return path === null ? pairs.flatMap(([, inner]) => editsIn(inner)) : [{ path, pairs }]
}

/** Whether a value contains nothing but brackets and names of lists. */
function isEmpty(value: LaxValue | Unread): boolean {
  if (Array.isArray(value)) return value.every(isEmpty)
  return value instanceof LaxObject && value.pairs.every(([, inner]) => isEmpty(inner))
}

// Tries strict JSON first: the lax parser guesses, and can guess wrong about quotes within quotes.
function valuesIn(response: string, cut: boolean): LaxValue[] {
  const start = response.search(/[{[]/)
  if (start === -1) return []
  const end = Math.max(response.lastIndexOf('}'), response.lastIndexOf(']'))
  const json = parseJson(response.slice(start, end + 1))
  return json === undefined ? parseLaxJson(response.slice(start), cut) : [laxOf(json)]
}

function laxOf(json: unknown): LaxValue {
  if (Array.isArray(json)) return json.map(laxOf)
  if (!isObject(json)) return json as LaxValue
  const object = new LaxObject()
  for (const [key, value] of Object.entries(json)) object.pairs.push([key, laxOf(value)])
  return object
}
