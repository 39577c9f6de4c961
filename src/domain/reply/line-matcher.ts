/** Characters in which a repeated line may differ. */
const IGNORED = /[\s"'“”‘’«»„>*_#.,!?…:。！？]/
const ALL_IGNORED = /[\s"'“”‘’«»„>*_#.,!?…:。！？]/g
/** A line that has more marks than this in a row is decoration. */
const MAX_MARKS = 8

/** Tells character by character whether a line repeats a known one, whatever its case, quotes and end punctuation. */
export class LineMatcher {
  private left: readonly string[]
  /** Characters that count, so far. */
  private length = 0
  private marks = 0

  /** `lines` are folded. */
  constructor(lines: readonly string[]) {
    this.left = lines
  }

  /** Whether the line can still become a known one. */
  get isOpen(): boolean {
    return this.left.length > 0
  }

  /** Whether the line, if it ends here, is a known one. */
  get isWhole(): boolean {
    return this.whole !== undefined
  }

  /** The known line that the line is, if it ends here. */
  get whole(): string | undefined {
    return this.length > 0 ? this.left.find((line) => line.length === this.length) : undefined
  }

  feed(character: string): void {
    if (IGNORED.test(character)) {
      if (/\S/.test(character) && ++this.marks > MAX_MARKS) this.left = []
      return
    }
    this.marks = 0
    const folded = character.toLowerCase()
    this.left = this.left.filter((line) => line.startsWith(folded, this.length))
    this.length += folded.length
  }
}

/** The lines of some texts as a matcher compares them, each once. */
export function foldedLines(texts: readonly string[]): string[] {
  const lines = texts.flatMap((text) => text.split('\n'))
  return [...new Set(lines.map(foldedLine))].filter(Boolean)
}

/** The sentences of some texts, as if each had a line of its own. */
export function foldedSentences(texts: readonly string[]): string[] {
  return foldedLines(texts.flatMap((text) => text.split(/(?<=[.!?…])\s+/)))
}

/** The characters that count, each in lower case as if it stood alone: a sigma at the end of a word is as any other. */
function foldedLine(line: string): string {
  return line.replaceAll(ALL_IGNORED, '').replaceAll('Σ', 'σ').toLowerCase()
}
