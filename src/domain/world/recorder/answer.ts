import { foldQuote } from '../../../lib/fold-text.ts'
import { jsonIn } from '../../../lib/json-in-text.ts'
import { readNumber, roundedNumber } from '../../../lib/numbers.ts'
import { isObject, ownValue, setOwn } from '../../../lib/objects.ts'
import { cutTo } from '../../../lib/text.ts'
import { sentenceTexts } from '../../text/sentence-spans.ts'
import type { PathResolver } from '../path-resolver.ts'
import { refused, type Verdict } from '../referee.ts'
import { plainText } from '../state.ts'

/** Changes that an answer of the form `{edits: [{because, changes: [{path, by | to}]}]}` proposes. */
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
  const read = jsonIn(answer)
  const changes = changesIn(read, '', paths)
  if (changes.length === 0 && (cut || !isEmpty(read))) return null
  const quotes = new Quotes(passage)
  const parsed: RecorderAnswer = { delta: {}, because: {}, refused: [] }
  const written = new Map<string, string>()
  for (const { path, value, because, isCounted } of changes) {
    const found = paths.resolve(path)
    const target = 'path' in found ? found.path : path
    const sentence = quotes.sentenceOf(because)
    if (value === undefined || isObject(value) || Array.isArray(value))
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
function combined(known: unknown, value: unknown, isCounted: boolean): unknown {
  const [one, other] = [readNumber(known), readNumber(value)]
  if (isCounted && one !== null && other !== null) return roundedNumber(one + other)
  return typeof value === 'string' ? plainText(value) : value
}

function joined(known: string | undefined, sentence: string): string {
  return known === undefined || known.includes(sentence) ? (known ?? sentence) : `${known} ${sentence}`
}

/** A shorter quote would match any passage. Counted in bytes, because characters of denser scripts take more bytes. */
const MIN_QUOTE_BYTES = 4
const MAX_SENTENCE = 400

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

interface WrittenChange {
  path: string
  value: unknown
  because: string
  isCounted: boolean
}

const QUOTED_BY = /^(because|quote|sentence|evidence|reason)$/i
/** Keys that name a path. The `value` of a number might be a total, so it is not used. */
const NAMED_BY = ['path', 'stat', 'key', 'name']
const CHANGED_BY = ['by', 'delta', 'change', 'amount']
const SET_TO = ['to', 'value', 'new', 'set']

function changesIn(value: unknown, around: string, paths: PathResolver): WrittenChange[] {
  if (Array.isArray(value)) return value.flatMap((one) => changesIn(one, around, paths))
  if (!isObject(value)) return []
  const because = textAt(value, (key) => QUOTED_BY.test(key)) ?? around
  const change = (path: string, from: (isCounted: boolean) => unknown): WrittenChange => {
    const isCounted = isNumber(path, paths)
    return { path, value: from(isCounted), because, isCounted }
  }
  const named = textAt(value, (key) => NAMED_BY.includes(key))
  if (named !== null) return [change(named, (isCounted) => valueIn(value, isCounted))]
  return Object.entries(value).flatMap(([key, inner]) => {
    if (QUOTED_BY.test(key)) return []
    if (!('target' in paths.resolve(key))) return changesIn(inner, because, paths)
    return [change(key, (isCounted) => valueUnder(inner, isCounted))]
  })
}

function isNumber(path: string, paths: PathResolver): boolean {
  const found = paths.resolve(path)
  return 'target' in found && found.target.kind === 'stat' && found.target.stat.kind !== 'text'
}

/** The text under the first such key, alone or first in a list; null if there is none. */
function textAt(object: object, isMeant: (key: string) => boolean): string | null {
  const found = Object.entries(object).find(([key]) => isMeant(key.toLowerCase()))?.[1]
  const text = Array.isArray(found) ? found[0] : found
  return typeof text === 'string' ? text : null
}

/** The value that an object stands for; undefined if it is ambiguous or might be a total. */
function valueIn(object: object, isCounted: boolean): unknown {
  const keys = isCounted ? CHANGED_BY : [...SET_TO, ...CHANGED_BY]
  const [found, ...others] = Object.entries(object).filter(([key]) => keys.includes(key.toLowerCase()))
  return found && others.length === 0 ? found[1] : undefined
}

/** The value under a path. A bare number might be a total. */
function valueUnder(value: unknown, isCounted: boolean): unknown {
  if (isObject(value)) return valueIn(value, isCounted)
  return isCounted ? undefined : value
}

/** True for a value with nothing but brackets, names of lists and quotes. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEmpty)
  return (
    isObject(value) && Object.entries(value).every(([key, inner]) => QUOTED_BY.test(key) || isEmpty(inner))
  )
}
