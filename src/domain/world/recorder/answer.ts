import { foldQuote } from '../../../lib/fold-text.ts'
import { parseJson } from '../../../lib/json.ts'
import { readNumber, roundedNumber } from '../../../lib/numbers.ts'
import { isObject, ownValue, setOwn } from '../../../lib/objects.ts'
import { cutTo } from '../../../lib/text.ts'
import { sentenceTexts } from '../../text/sentence-spans.ts'
import type { PathResolver } from '../path-resolver.ts'
import { refused, type Verdict } from '../referee.ts'
import { plainText } from '../state.ts'
import { LaxObject, type LaxValue, parseLaxJson, Unread } from './lax-json.ts'

/** What an answer of the form `{edits: [{because, changes: [{path, by | to}]}]}` proposes. */
export interface RecorderAnswer {
  /** Flat, as the referee expects it: from path as written to proposed change. */
  delta: Record<string, unknown>
  /** The sentences of the passage that tell the changes, by path. */
  because: Record<string, string>
  /** The changes that do not count: their quote is not in the passage, or they do not say by how much. */
  refused: Verdict[]
}

/**
 * Reads the changes from an answer, in which the JSON may be anywhere. Null if nothing can be read: neither edits nor a
 * clear statement that there are none. `cut` says that the answer was cut off. Never throws.
 */
export function parseAnswer(
  answer: string,
  cut: boolean,
  passage: string,
  paths: PathResolver,
): RecorderAnswer | null {
  const values = valuesIn(answer, cut)
  const changes = values.flatMap((value) => changesIn(value, '', paths))
  if (changes.length === 0 && (cut || values.length === 0 || !values.every(isEmpty))) return null
  const quotes = new Quotes(passage)
  const parsed: RecorderAnswer = { delta: {}, because: {}, refused: [] }
  const written = new Map<string, string>()
  for (const { path, value, because, isCounted } of changes) {
    const found = paths.resolve(path)
    const target = 'path' in found ? found.path : path
    const sentence = quotes.sentenceOf(because)
    if (value instanceof Unread || value instanceof LaxObject || Array.isArray(value))
      parsed.refused.push(refused(target, null, 'no change given'))
    else if (sentence === null) parsed.refused.push(refused(target, value, 'not told'))
    else {
      // Spellings of one path are one change.
      const name = written.get(target) ?? path
      written.set(target, name)
      setOwn(parsed.delta, name, combined(ownValue(parsed.delta, name), value, isCounted))
      setOwn(parsed.because, target, joined(ownValue(parsed.because, target), sentence))
    }
  }
  return parsed
}

/** Amounts for one number add up, so that its cap applies to their sum; of other values the last one counts. */
function combined(known: unknown, value: LaxValue, isCounted: boolean): unknown {
  const [one, other] = [readNumber(known), readNumber(value)]
  if (isCounted && one !== null && other !== null) return roundedNumber(one + other)
  return typeof value === 'string' ? plainText(value) : value
}

function joined(known: string | undefined, sentence: string): string {
  return known === undefined || known.includes(sentence) ? (known ?? sentence) : `${known} ${sentence}`
}

/** A shorter quote would match any passage. Counted in bytes, because characters of denser scripts take more bytes. */
const MIN_QUOTE_BYTES = 4
/** Characters of a sentence that are stored. */
const MAX_SENTENCE = 400

/** Finds the sentences that are quoted from a passage. */
class Quotes {
  private readonly passage: string
  private readonly sentences: readonly { text: string; folded: string }[]

  constructor(passage: string) {
    this.passage = foldQuote(passage)
    this.sentences = sentenceTexts(passage).map((text) => ({ text, folded: foldQuote(text) }))
  }

  /** The sentence of a quote, or a quote of several as it was written; null if the passage does not have it. */
  sentenceOf(quote: string): string | null {
    const folded = foldQuote(quote)
    if (new TextEncoder().encode(folded).length < MIN_QUOTE_BYTES || !this.passage.includes(folded))
      return null
    const whole = this.sentences.find((sentence) => sentence.folded === folded)
    const sentence = whole ?? this.sentences.find((one) => one.folded.includes(folded))
    return cutTo(sentence?.text ?? plainText(quote), MAX_SENTENCE)
  }
}

/** A change as it is written. */
interface WrittenChange {
  path: string
  value: LaxValue | Unread
  because: string
  /** It is about a number. */
  isCounted: boolean
}

const QUOTED_BY = /^(because|quote|sentence|evidence|reason)$/i
/** How an object names its path and its change. The `value` of a number might be a total, so it is not used. */
const NAMED_BY = ['path', 'stat', 'key', 'name']
const CHANGED_BY = ['by', 'delta', 'change', 'amount']
const SET_TO = ['to', 'value', 'new', 'set']

/** The changes in a value, with the quote of the object around them. */
function changesIn(value: LaxValue | Unread, around: string, paths: PathResolver): WrittenChange[] {
  if (Array.isArray(value)) return value.flatMap((one) => changesIn(one, around, paths))
  if (!(value instanceof LaxObject)) return []
  const { pairs } = value
  const because = quoteIn(pairs) ?? around
  const change = (path: string, from: (isCounted: boolean) => WrittenChange['value']): WrittenChange => {
    const isCounted = isNumber(path, paths)
    return { path, value: from(isCounted), because, isCounted }
  }
  const named = textAt(pairs, (key) => NAMED_BY.includes(key))
  if (named !== null) return [change(named, (isCounted) => valueIn(pairs, isCounted))]
  return pairs.flatMap(([key, inner]) => {
    if (QUOTED_BY.test(key)) return []
    if (!('target' in paths.resolve(key))) return changesIn(inner, because, paths)
    return [change(key, (isCounted) => valueUnder(inner, isCounted))]
  })
}

function isNumber(path: string, paths: PathResolver): boolean {
  const found = paths.resolve(path)
  return 'target' in found && found.target.kind === 'stat' && found.target.stat.kind !== 'text'
}

function quoteIn(pairs: LaxObject['pairs']): string | null {
  return textAt(pairs, (key) => QUOTED_BY.test(key))
}

/** The text under the first such key, alone or first in a list; null if there is none. */
function textAt(pairs: LaxObject['pairs'], isMeant: (key: string) => boolean): string | null {
  const found = pairs.find(([key]) => isMeant(key.toLowerCase()))?.[1]
  const text = Array.isArray(found) ? found[0] : found
  return typeof text === 'string' ? text : null
}

/** The value that an object stands for; [] if it is ambiguous or might be a total. */
function valueIn(pairs: LaxObject['pairs'], isCounted: boolean): LaxValue | Unread {
  const keys = isCounted ? CHANGED_BY : [...SET_TO, ...CHANGED_BY]
  const found = pairs.filter(([key]) => keys.includes(key.toLowerCase()))
  return found.length === 1 && found[0] ? found[0][1] : []
}

/** The value under a path. A bare number might be a total. */
function valueUnder(value: LaxValue | Unread, isCounted: boolean): LaxValue | Unread {
  if (value instanceof LaxObject) return valueIn(value.pairs, isCounted)
  return isCounted ? [] : value
}

/** Whether a value contains nothing but brackets, names of lists and quotes. */
function isEmpty(value: LaxValue | Unread): boolean {
  if (Array.isArray(value)) return value.every(isEmpty)
  return (
    value instanceof LaxObject && value.pairs.every(([key, inner]) => QUOTED_BY.test(key) || isEmpty(inner))
  )
}

// Tries strict JSON first: the lax parser guesses, and can guess wrong about quotes within quotes.
function valuesIn(answer: string, cut: boolean): LaxValue[] {
  const start = answer.search(/[{[]/)
  if (start === -1) return []
  const end = Math.max(answer.lastIndexOf('}'), answer.lastIndexOf(']'))
  const json = parseJson(answer.slice(start, end + 1))
  return json === undefined ? parseLaxJson(answer.slice(start), cut) : [laxOf(json)]
}

function laxOf(json: unknown): LaxValue {
  if (Array.isArray(json)) return json.map(laxOf)
  if (!isObject(json)) return json as LaxValue
  const object = new LaxObject()
  for (const [key, value] of Object.entries(json)) object.pairs.push([key, laxOf(value)])
  return object
}
