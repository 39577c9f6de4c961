/** A text as keys are compared with it: small letters, straight apostrophes, single spaces. */
export interface FoldedText {
  units: Uint16Array
  /** Where each unit stands in the text that was folded. */
  origins: Uint32Array
  /** 1 where a unit belongs to a letter or digit, or to a mark that stands on one. */
  inWord: Uint8Array
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
const SPACE = 0x20

export function foldedText(text: string): FoldedText {
  const told = fold(text)
  const inWord = wordUnits(told)
  const folded = { units: new Uint16Array(told.length), origins: new Uint32Array(told.length), inWord }
  let length = 0
  let last = 0
  for (let at = 0; at < told.length; at++) {
    const unit = told.charCodeAt(at)
    if (unit === SPACE && last === SPACE) continue
    last = unit
    folded.units[length] = unit
    folded.origins[length] = at
    inWord[length++] = inWord[at] ?? 0
  }
  return {
    units: folded.units.subarray(0, length),
    origins: folded.origins.subarray(0, length),
    inWord: inWord.subarray(0, length),
  }
}

/** A key as it is looked for in a folded text. */
export function foldedKey(key: string): string {
  if (/^[!-~]+(?: [!-~]+)*$/.test(key)) return key.toLowerCase()
  return fold(key.normalize('NFC')).replace(/ +/g, ' ').trim()
}

/** The text with each letter and its accent in one character, and where a place in it was before. */
export function composed(text: string): { text: string; originOf: (at: number) => number } {
  const whole = text.normalize('NFC')
  if (whole === text) return { text, originOf: (at) => at }
  const pieces: string[] = []
  const origins: number[] = []
  // A character together with what can melt into it: marks, and the later parts of a Korean syllable.
  for (const { 0: cluster, index } of text.matchAll(/[\s\S][\p{M}\u1160-\u11ff]*/gu)) {
    const piece = cluster.normalize('NFC')
    pieces.push(piece)
    for (let unit = 0; unit < piece.length; unit++) origins.push(index)
  }
  return { text: pieces.join(''), originOf: (at) => origins[at] ?? text.length }
}

/** A text in small letters, of the same length. */
export function small(text: string): string {
  // The one capital whose small form is longer, and the small letter that depends on where it stands.
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ')
}

function fold(text: string): string {
  const spaced = text.replace(/[^\S ]/g, ' ')
  if (!/[\u0080-\uffff]/.test(spaced)) return spaced.toLowerCase()
  return small(spaced).replace(/[‘’‛ʼ＇]/g, "'")
}

function wordUnits(text: string): Uint8Array {
  const inWord = new Uint8Array(text.length)
  for (const { 0: word, index } of text.matchAll(WORD)) inWord.fill(1, index, index + word.length)
  return inWord
}
