import { lowercase } from '../../lib/fold-text.ts'

/** A node of a pattern's syntax tree. Only constructs that can be matched in linear time exist. */
export type PatternNode =
  | { kind: 'character'; has: CharacterSet }
  | { kind: 'assertion'; holds: PatternAssertion }
  | { kind: 'sequence' | 'choice'; nodes: PatternNode[] }
  | { kind: 'repeat'; node: PatternNode; min: number; max: number }

export type CharacterSet = (code: number) => boolean

/** Whether an assertion such as `^` or `\b` holds at a position in a text. */
export type PatternAssertion = (text: string, at: number) => boolean

const MAX_LENGTH = 200
const MAX_REPEATS = 20
const NOTHING: PatternNode = { kind: 'sequence', nodes: [] }

interface Reader {
  text: string
  at: number
  anyCase: boolean
  /** A dot stands for line ends too. */
  anyLine: boolean
  isRefused: boolean
}

/** Parses `/a pattern/` with flags, of which i and s count; undefined if it is invalid or needs an unsupported construct. */
export function parsePattern(written: string): PatternNode | undefined {
  const [, text, flags = ''] = /^\/([\s\S]+)\/([gimsuy]*)$/.exec(written.normalize('NFC')) ?? []
  if (text === undefined || text.length > MAX_LENGTH) return undefined
  const reader = {
    text,
    at: 0,
    anyCase: flags.includes('i'),
    anyLine: flags.includes('s'),
    isRefused: false,
  }
  const node = readChoice(reader)
  return reader.isRefused || reader.at < text.length ? undefined : node
}

function readChoice(reader: Reader): PatternNode {
  const nodes = [readSequence(reader)]
  while (take(reader, /\|/y)) nodes.push(readSequence(reader))
  return { kind: 'choice', nodes }
}

function readSequence(reader: Reader): PatternNode {
  const nodes: PatternNode[] = []
  while (reader.at < reader.text.length && !/[|)]/.test(reader.text.charAt(reader.at)))
    nodes.push(readRepeat(reader, readSingle(reader)))
  return { kind: 'sequence', nodes }
}

// Greedy or lazy makes no difference to whether a pattern matches.
function readRepeat(reader: Reader, node: PatternNode): PatternNode {
  const sign = take(reader, /([?*+])\??/y)?.[1]
  if (sign !== undefined)
    return { kind: 'repeat', node, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }
  const counts = take(reader, /\{(\d{1,2})(,?)(\d{0,2})\}\??/y)
  if (!counts) return node
  const [, low = '', comma, high] = counts
  if (comma === '' && high !== '') return refuse(reader)
  const min = Number(low)
  const max = comma === '' ? min : high === '' ? Infinity : Number(high)
  const isTooMany = min > MAX_REPEATS || (max !== Infinity && max > MAX_REPEATS)
  return isTooMany || min > max ? refuse(reader) : { kind: 'repeat', node, min, max }
}

function readSingle(reader: Reader): PatternNode {
  if (take(reader, /\((?:\?:|(?!\?))/y)) return readGroup(reader)
  if (take(reader, /\^/y)) return { kind: 'assertion', holds: startsLine }
  if (take(reader, /\$/y)) return { kind: 'assertion', holds: endsLine }
  if (take(reader, /\\b/y)) return { kind: 'assertion', holds: isWordEdge }
  if (take(reader, /\./y)) return character(reader, (code) => reader.anyLine || !isLineEnd(code))
  if (take(reader, /\[/y)) return readClass(reader)
  const known = readKnownSet(reader)
  if (known) return character(reader, known)
  const code = readCode(reader, /[^\\^$.*+?()[\]{}|/]/uy)
  return code === undefined ? refuse(reader) : character(reader, (other) => other === code)
}

function readGroup(reader: Reader): PatternNode {
  const inner = readChoice(reader)
  return take(reader, /\)/y) ? inner : refuse(reader)
}

function readClass(reader: Reader): PatternNode {
  const isNegated = take(reader, /\^/y) !== null
  const sets: CharacterSet[] = []
  while (!take(reader, /\]/y)) {
    const set = readKnownSet(reader) ?? readRange(reader)
    if (!set) return refuse(reader)
    sets.push(set)
  }
  if (sets.length === 0) return refuse(reader)
  const { has } = character(reader, (code) => sets.some((set) => set(code)))
  return { kind: 'character', has: isNegated ? (code) => !has(code) : has }
}

function readRange(reader: Reader): CharacterSet | undefined {
  const low = readCode(reader, /[^\\\]]/uy)
  const high = take(reader, /-(?!\])/y) ? readCode(reader, /[^\\\]]/uy) : low
  if (low === undefined || high === undefined || low > high) return undefined
  return (code) => code >= low && code <= high
}

function readKnownSet(reader: Reader): CharacterSet | undefined {
  switch (take(reader, /\\[dDwWsS]/y)?.[0]) {
    case '\\d':
      return isDigit
    case '\\D':
      return (code) => !isDigit(code)
    case '\\w':
      return isInWord
    case '\\W':
      return (code) => !isInWord(code)
    case '\\s':
      return isSpace
    case '\\S':
      return (code) => !isSpace(code)
  }
  return undefined
}

const CONTROLS = new Map([
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['f', 12],
  ['v', 11],
])

/** One literal or escaped character. */
function readCode(reader: Reader, literal: RegExp): number | undefined {
  const numbered = take(reader, /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/iy)
  if (numbered) return validCode(Number.parseInt(numbered[1] ?? numbered[2] ?? numbered[3] ?? '', 16))
  const control = take(reader, /\\([nrtfv])/y)?.[1]
  if (control !== undefined) return CONTROLS.get(control)
  return (take(reader, /\\([^\p{L}\p{N}])/uy)?.[1] ?? take(reader, literal)?.[0])?.codePointAt(0)
}

function validCode(code: number): number | undefined {
  return code <= 0x10ffff ? code : undefined
}

function character({ anyCase }: Reader, has: CharacterSet): PatternNode & { kind: 'character' } {
  return { kind: 'character', has: anyCase ? (code) => has(code) || otherCases(code).some(has) : has }
}

function otherCases(code: number): number[] {
  const letter = String.fromCodePoint(code)
  return [lowercase(letter), letter.toUpperCase()].map((other) => other.codePointAt(0) ?? code)
}

function take(reader: Reader, sticky: RegExp): RegExpExecArray | null {
  sticky.lastIndex = reader.at
  const found = sticky.exec(reader.text)
  if (found) reader.at += found[0].length
  return found
}

function refuse(reader: Reader): PatternNode {
  reader.isRefused = true
  reader.at = reader.text.length
  return NOTHING
}

function startsLine(text: string, at: number): boolean {
  return at === 0 || isLineEnd(text.charCodeAt(at - 1))
}

function endsLine(text: string, at: number): boolean {
  return at === text.length || isLineEnd(text.charCodeAt(at))
}

function isWordEdge(text: string, at: number): boolean {
  return isInWord(codeBefore(text, at)) !== isInWord(text.codePointAt(at) ?? 0)
}

/** The code point before a position in a text; 0 at its start. */
export function codeBefore(text: string, at: number): number {
  const isPair = (text.codePointAt(at - 2) ?? 0) > 0xffff
  return text.codePointAt(isPair ? at - 2 : at - 1) ?? 0
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029
}

function isDigit(code: number): boolean {
  return /\p{Nd}/u.test(String.fromCodePoint(code))
}

function isSpace(code: number): boolean {
  return /\s/.test(String.fromCodePoint(code))
}

function isInWord(code: number): boolean {
  return /[\p{L}\p{N}\p{M}_]/u.test(String.fromCodePoint(code))
}
