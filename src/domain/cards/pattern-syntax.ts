import { small } from './folded-text.ts'

/** A piece of a pattern that its author wrote, of the kinds that can be looked for in steady time. */
export type Piece =
  | { kind: 'character'; has: CharacterSet }
  | { kind: 'place'; holds: Place }
  | { kind: 'sequence' | 'choice'; pieces: Piece[] }
  | { kind: 'repeat'; piece: Piece; least: number; most: number }

export type CharacterSet = (code: number) => boolean

/** Whether a place between two characters of a text is of a kind. */
export type Place = (text: string, at: number) => boolean

const LONGEST = 200
const MOST_TIMES = 20
const NOTHING: Piece = { kind: 'sequence', pieces: [] }

interface Reader {
  text: string
  at: number
  anyCase: boolean
  isRefused: boolean
}

/** What `/a pattern/` or `/a pattern/i` means; undefined when it asks for more than can be looked for. */
export function readPattern(written: string): Piece | undefined {
  const [, text, flag] = /^\/([\s\S]+)\/(i?)$/.exec(written.normalize('NFC')) ?? []
  if (text === undefined || text.length > LONGEST) return undefined
  const reader = { text, at: 0, anyCase: flag === 'i', isRefused: false }
  const piece = readChoice(reader)
  return reader.isRefused || reader.at < text.length ? undefined : piece
}

function readChoice(reader: Reader): Piece {
  const pieces = [readSequence(reader)]
  while (take(reader, /\|/y)) pieces.push(readSequence(reader))
  return { kind: 'choice', pieces }
}

function readSequence(reader: Reader): Piece {
  const pieces: Piece[] = []
  while (reader.at < reader.text.length && !/[|)]/.test(reader.text.charAt(reader.at)))
    pieces.push(readTimes(reader, readSingle(reader)))
  return { kind: 'sequence', pieces }
}

// Whether a piece is taken greedily or lazily makes no difference to whether it is there.
function readTimes(reader: Reader, piece: Piece): Piece {
  const sign = take(reader, /([?*+])\??/y)?.[1]
  if (sign !== undefined)
    return { kind: 'repeat', piece, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity }
  const counts = take(reader, /\{(\d{1,2})(,?)(\d{0,2})\}\??/y)
  if (!counts) return piece
  const [, low = '', comma, high] = counts
  if (comma === '' && high !== '') return refuse(reader)
  const least = Number(low)
  const most = comma === '' ? least : high === '' ? Infinity : Number(high)
  const isTooMuch = least > MOST_TIMES || (most !== Infinity && most > MOST_TIMES)
  return isTooMuch || least > most ? refuse(reader) : { kind: 'repeat', piece, least, most }
}

function readSingle(reader: Reader): Piece {
  if (take(reader, /\((?:\?:|(?!\?))/y)) return readGroup(reader)
  if (take(reader, /\^/y)) return { kind: 'place', holds: startsLine }
  if (take(reader, /\$/y)) return { kind: 'place', holds: endsLine }
  if (take(reader, /\\b/y)) return { kind: 'place', holds: isWordEdge }
  if (take(reader, /\./y)) return character(reader, (code) => !isLineEnd(code))
  if (take(reader, /\[/y)) return readClass(reader)
  const known = readKnownSet(reader)
  if (known) return character(reader, known)
  const code = readCode(reader, /[^\\^$.*+?()[\]{}|/]/uy)
  return code === undefined ? refuse(reader) : character(reader, (other) => other === code)
}

function readGroup(reader: Reader): Piece {
  const inner = readChoice(reader)
  return take(reader, /\)/y) ? inner : refuse(reader)
}

function readClass(reader: Reader): Piece {
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

/** One character, by itself or escaped. */
function readCode(reader: Reader, plain: RegExp): number | undefined {
  const numbered = take(reader, /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/iy)
  if (numbered) return known(Number.parseInt(numbered[1] ?? numbered[2] ?? numbered[3] ?? '', 16))
  const control = take(reader, /\\([nrtfv])/y)?.[1]
  if (control !== undefined) return CONTROLS.get(control)
  return (take(reader, /\\([^\p{L}\p{N}])/uy)?.[1] ?? take(reader, plain)?.[0])?.codePointAt(0)
}

function known(code: number): number | undefined {
  return code <= 0x10ffff ? code : undefined
}

function character({ anyCase }: Reader, has: CharacterSet): Piece & { kind: 'character' } {
  return { kind: 'character', has: anyCase ? (code) => has(code) || otherCases(code).some(has) : has }
}

function otherCases(code: number): number[] {
  const letter = String.fromCodePoint(code)
  return [small(letter), letter.toUpperCase()].map((other) => other.codePointAt(0) ?? code)
}

function take(reader: Reader, sticky: RegExp): RegExpExecArray | null {
  sticky.lastIndex = reader.at
  const found = sticky.exec(reader.text)
  if (found) reader.at += found[0].length
  return found
}

function refuse(reader: Reader): Piece {
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

/** The character that ends at a place of a text; 0 at its beginning. */
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
