/**
 * Takes a word of a text, or one character of a script that puts no spaces between words. `hash` is equal for words that
 * differ only in case, accents or digits; `start` is the offset at which the word begins. `weight` is 1 for a word; a
 * character of a script without spaces counts half, because a word has about two.
 */
type WordHandler = (hash: number, weight: number, start: number) => void

/** Weight of a character of a script without spaces. */
const UNSPACED_WEIGHT = 0.5

const [, SEPARATOR, IGNORED, LETTER, DIGIT, UNSPACED] = [0, 1, 2, 3, 4, 5]

/** Kinds of UTF-16 units, looked up once. */
const kinds = new Uint8Array(0x10000)
const folded = new Uint16Array(0x10000)

/** Splits a text into words, one UTF-16 unit at a time. An apostrophe belongs to its word. */
export class WordReader {
  private hash = 0
  private start = -1
  private wasDigit = false

  constructor(private readonly onWord: WordHandler) {}

  feed(code: number, offset: number): void {
    const kind = kinds[code] || classify(code)
    if (kind === IGNORED) return
    if (kind === LETTER || kind === DIGIT) {
      this.extend(code, offset, kind === DIGIT)
      return
    }
    this.end()
    if (kind === UNSPACED) this.onWord(mix(0, folded[code] ?? 0), UNSPACED_WEIGHT, offset)
  }

  feedAll(text: string): void {
    for (let i = 0; i < text.length; i++) this.feed(text.charCodeAt(i), i)
    this.end()
  }

  end(): void {
    if (this.start < 0) return
    this.onWord(this.hash, 1, this.start)
    this.hash = 0
    this.start = -1
    this.wasDigit = false
  }

  /** A number is one digit, so that counting up is a repetition too. */
  private extend(code: number, offset: number, isDigit: boolean): void {
    if (this.start < 0) this.start = offset
    if (!isDigit || !this.wasDigit) this.hash = mix(this.hash, folded[code] ?? 0)
    this.wasDigit = isDigit
  }
}

/** Adds a number to a hash of 32 bits (FNV-1a with a final shift, on whole units). */
export function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value ^ 0x811c9dc5, 0x01000193)
  return mixed ^ (mixed >>> 15)
}

function classify(code: number): number {
  const character = String.fromCharCode(code)
  const kind = kindOf(character)
  kinds[code] = kind
  folded[code] = kind === DIGIT ? 0x30 : foldUnit(character).charCodeAt(0)
  return kind
}

function kindOf(character: string): number {
  if (/['’‘ʼ\p{M}\u00ad\u200b-\u200d\u2060\ufeff]/u.test(character)) return IGNORED
  if (/\p{N}/u.test(character)) return DIGIT
  if (UNSPACED_SCRIPT.test(character)) return UNSPACED
  return /\p{L}/u.test(character) ? LETTER : SEPARATOR
}

// A lone unit of a surrogate pair stands for an emoji or a rare Chinese character.
const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\ud800-\udfff]/u

function foldUnit(character: string): string {
  const bare = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return bare.length === 1 ? bare : character
}
