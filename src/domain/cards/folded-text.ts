import { foldTriggerText } from '../../lib/fold-text.ts'

/** A text in the form in which triggers are looked for: lower case, straight apostrophes, single spaces. */
export interface FoldedText {
  units: Uint16Array
  /** The offset of each unit in the original text. */
  origins: Uint32Array
  /** 1 where a unit belongs to a letter, a digit, or a mark on one. */
  inWord: Uint8Array
  /** 1 where a word begins, also after letters that its script joins to it. */
  begins: Uint8Array
}

const SPACE = 0x20

export function foldedText(text: string): FoldedText {
  const folded = foldTriggerText(text)
  const { inWord, begins } = wordUnits(folded)
  const units = new Uint16Array(folded.length)
  const origins = new Uint32Array(folded.length)
  let length = 0
  let last = 0
  for (let at = 0; at < folded.length; at++) {
    const unit = folded.charCodeAt(at)
    if (unit === SPACE && last === SPACE) continue
    last = unit
    units[length] = unit
    origins[length] = at
    begins[length] = begins[at] ?? 0
    inWord[length++] = inWord[at] ?? 0
  }
  return {
    units: units.subarray(0, length),
    origins: origins.subarray(0, length),
    inWord: inWord.subarray(0, length),
    begins: begins.subarray(0, length),
  }
}

/** The text in NFC, and a function from an offset in it to the original offset. */
export function composed(text: string): { text: string; originOf: (at: number) => number } {
  const whole = text.normalize('NFC')
  if (whole === text) return { text, originOf: (at) => at }
  const parts: string[] = []
  const origins: number[] = []
  // A character with what can compose into it: marks, and the later jamo of a Korean syllable.
  for (const { 0: cluster, index } of text.matchAll(/[\s\S][\p{M}\u1160-\u11ff]*/gu)) {
    const part = cluster.normalize('NFC')
    parts.push(part)
    for (let unit = 0; unit < part.length; unit++) origins.push(index)
  }
  return { text: parts.join(''), originOf: (at) => origins[at] ?? text.length }
}

/** The articles and prepositions that Hebrew and Arabic write together with the word after them. */
const JOINED = new Set([...'והבלמשכوفبكلا'].map((letter) => letter.charCodeAt(0)))
/** As in the Hebrew for "and when the". */
const MAX_JOINED = 4

function wordUnits(text: string): Pick<FoldedText, 'inWord' | 'begins'> {
  const inWord = new Uint8Array(text.length)
  const begins = new Uint8Array(text.length)
  // Letters since the beginning of the word; infinite after one that is not joined.
  let joined = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0
    const kind = kindOf(code)
    begins[at] = Number(joined <= MAX_JOINED)
    if (kind === OTHER || (kind === MARK && inWord[at - 1] !== 1)) {
      joined = 0
      continue
    }
    if (kind === LETTER) joined = JOINED.has(code) ? joined + 1 : Number.POSITIVE_INFINITY
    inWord[at] = 1
    if (code > 0xffff) inWord[++at] = 1
  }
  return { inWord, begins }
}

const LETTER = 1
const MARK = 2
const OTHER = 3
/** The kind of each character outside the astral planes; 0 where it was not yet asked for. */
const kinds = new Uint8Array(0x10000)

// A regular expression over a whole text takes ten times as long.
function kindOf(code: number): number {
  const known = kinds[code]
  if (known) return known
  const character = String.fromCodePoint(code)
  const kind = /[\p{L}\p{N}]/u.test(character) ? LETTER : /\p{M}/u.test(character) ? MARK : OTHER
  // Writes past the end of the table are ignored.
  kinds[code] = kind
  return kind
}
