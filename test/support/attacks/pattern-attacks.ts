/** A text that makes a pattern slow: a prefix, a repeated part, and an end that does not match. */
export interface PatternAttack {
  before: string
  again: string
  after: string
}

type Piece =
  | { kind: 'one'; fits: string[] }
  | { kind: 'nothing' }
  | { kind: 'row'; pieces: Piece[] }
  | { kind: 'choice'; pieces: Piece[] }
  | { kind: 'loop'; piece: Piece; least: number; isLong: boolean }

/** Repetitions from which a loop counts as endless. */
const LONG = 50
/** Samples tried for each part of a pattern. */
const WAYS = 4
/** Characters of every class that patterns use. */
const SIGNS = [...'aZ0 \n\t."\'<>-=/\\{}[]()*_~`:;,!?$#é', '\u0301', '名', '🏮', '\u0000', '\u2028']
const AFTER = ['', '\u0001', 'a']

/** All attacks on each loop of a pattern. */
export function attacksOn({ source, flags }: RegExp): PatternAttack[] {
  const reader = {
    source,
    at: 0,
    flags: flags.replace(/[gy]/g, ''),
    signs: [...new Set([...SIGNS, ...source])],
  }
  const attacks = new Map<string, PatternAttack>()
  for (const { before, piece, behind } of loopsIn(readChoice(reader), ['', '', '', '']))
    for (let way = 0; way < WAYS; way++) {
      const [lead, turn] = [before[way] ?? '', sampleOf(piece, way)]
      for (const [start, again] of [
        [lead, turn],
        [`a${lead}`, turn],
        [lead, sampleOf(behind, way)],
        [lead, turn + sampleOf(piece, way + 1)],
        ['', lead + turn],
        ['', lead],
      ] as const)
        for (const after of AFTER)
          if (again !== '')
            attacks.set(JSON.stringify([start, again, after]), { before: start, again, after })
    }
  return [...attacks.values()]
}

/** The text of an attack, of about this many characters. */
export function attackText({ before, again, after }: PatternAttack, length: number): string {
  return before + again.repeat(Math.ceil(length / again.length)) + after
}

interface Loop {
  /** The prefix, for each sample. */
  before: string[]
  piece: Piece
  /** What comes after it. */
  behind: Piece
}

const NOTHING: Piece = { kind: 'nothing' }

function loopsIn(piece: Piece, before: string[], behind = NOTHING): Loop[] {
  switch (piece.kind) {
    case 'row': {
      let lead = before
      return piece.pieces.flatMap((one, i) => {
        const found = loopsIn(one, lead, { kind: 'row', pieces: piece.pieces.slice(i + 1) })
        lead = lead.map((text, way) => text + sampleOf(one, way))
        return found
      })
    }
    case 'choice':
      return piece.pieces.flatMap((one) => loopsIn(one, before, behind))
    case 'loop': {
      const inner = loopsIn(piece.piece, before)
      return piece.isLong ? [{ before, piece: piece.piece, behind }, ...inner] : inner
    }
    default:
      return []
  }
}

/** A text that matches a node; a different one for each `way`, if possible. */
function sampleOf(piece: Piece, way: number): string {
  switch (piece.kind) {
    case 'one':
      return piece.fits[way % piece.fits.length] ?? ''
    case 'row':
      return piece.pieces.map((one) => sampleOf(one, way)).join('')
    case 'choice':
      return sampleOf(piece.pieces[way % piece.pieces.length] ?? NOTHING, way)
    case 'loop':
      return sampleOf(piece.piece, way).repeat(Math.max(piece.least, way % 2))
    case 'nothing':
      return ''
  }
}

interface Reader {
  source: string
  at: number
  flags: string
  signs: string[]
}

function take({ source, ...reader }: Reader, shape: RegExp): RegExpExecArray | null {
  shape.lastIndex = reader.at
  return shape.exec(source)
}

function eat(reader: Reader, shape: RegExp): string | null {
  const found = take(reader, shape)
  if (found) reader.at += found[0].length
  return found?.[0] ?? null
}

function readChoice(reader: Reader): Piece {
  const pieces = [readRow(reader)]
  while (eat(reader, /\|/y)) pieces.push(readRow(reader))
  return pieces.length === 1 && pieces[0] ? pieces[0] : { kind: 'choice', pieces }
}

function readRow(reader: Reader): Piece {
  const pieces: Piece[] = []
  while (reader.at < reader.source.length && !take(reader, /[|)]/y)) pieces.push(readLoop(reader))
  return { kind: 'row', pieces }
}

function readLoop(reader: Reader): Piece {
  const piece = readOne(reader)
  const sign = eat(reader, /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y)
  if (sign === null) return piece
  const [, least = '0', comma, most = ''] = /^\{(\d+)(,?)(\d*)/.exec(sign) ?? []
  if (sign.startsWith('{'))
    return {
      kind: 'loop',
      piece,
      least: Number(least),
      isLong: comma === ',' && (most === '' || Number(most) >= LONG),
    }
  return { kind: 'loop', piece, least: sign.startsWith('+') ? 1 : 0, isLong: !sign.startsWith('?') }
}

function readOne(reader: Reader): Piece {
  if (eat(reader, /\^|\$|\\[bB]|\\[1-9]/y)) return NOTHING
  const around = eat(reader, /\((?:\?(?:<?[=!]|:|<\w+>))?/y)
  if (around !== null) {
    const piece = readChoice(reader)
    eat(reader, /\)/y)
    return /\?<?[=!]/.test(around) ? NOTHING : piece
  }
  const shape = eat(
    reader,
    /\[(?:\\[\s\S]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[\da-f]+\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\?[\s\S]/iuy,
  )
  const fits = new RegExp(`^(?:${shape})$`, reader.flags)
  const fitting = reader.signs.filter((sign) => fits.test(sign))
  if (fitting.length === 0) fitting.push(...codePoints.filter((sign) => fits.test(sign)).slice(0, WAYS))
  // Far apart, so that each sample is from a different class.
  const step = Math.max(1, Math.floor(fitting.length / WAYS))
  return { kind: 'one', fits: fitting.filter((_, i) => i % step === 0) }
}

const codePoints = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code))
