/** The quotation marks of a language: double, and single where a straight one can be told from an apostrophe. */
interface Marks {
  open: string
  close: string
  singleOpen: string | null
}

const NARROW_SPACE = '\u202f'

/** The quotation marks of each language, by its BCP 47 tag. Text in other languages stays as typed. */
const MARKS: Readonly<Record<string, Marks>> = {
  en: { open: '“', close: '”', singleOpen: '‘' },
  nl: { open: '“', close: '”', singleOpen: null },
  pt: { open: '“', close: '”', singleOpen: null },
  de: { open: '„', close: '“', singleOpen: null },
  pl: { open: '„', close: '”', singleOpen: null },
  fr: { open: `«${NARROW_SPACE}`, close: `${NARROW_SPACE}»`, singleOpen: null },
  ru: { open: '«', close: '»', singleOpen: null },
  uk: { open: '«', close: '»', singleOpen: null },
}

/** English words that begin with an apostrophe. */
const ELISIONS = new Set(
  'tis twas twere twill twould em til till cause bout round neath n cept fore gainst ere kay nother nuff cos ud un im ere ood ll d s er ave stead pon nd tain'.split(
    ' ',
  ),
)
const LONGEST_ELISION = 8
/** The longest run of dashes or dots that is read as one mark. */
const LONGEST_RUN = 80

const LETTER = /[\p{L}\p{N}]/u
/** What stands before an opening mark. */
const BEFORE_OPENING = /[\s([{“‘„«\u202f/]/u
const DASH = /[-–—]/
/** An object of JSON, as far as its beginning tells. */
const OBJECT = /^\{\s{0,8}"/
const OBJECT_SO_FAR = /^\{\s{0,8}$/
/** The number of backticks that fence code of several lines. */
const FENCE = 3
/** Marks of emphasis, which are skipped to find the neighbours of a quotation mark, and the most that are skipped. */
const EMPHASIS = /[*_]/
const LONGEST_EMPHASIS = 4
/** Text that stays as it is outside code, with a full stop behind it. Only its last character means anything to what follows. */
const PLAIN = /[^`{"'.*_-]+(?:\.(?=[^.]))?/y

/** Gives text the quotation marks and dashes of its language, for display only. */
export function typographic(text: string, language: string): string {
  const typographer = new Typographer(language)
  return typographer.add(text) + typographer.end()
}

/**
 * The same for a text that streams in. A mark that depends on the next character is held back, so that the result does not
 * depend on how the text is split. Code and JSON stay as they are. Takes linear time.
 */
export class Typographer {
  private readonly marks: Marks | undefined
  private held = ''
  /** The last character that is no mark of emphasis; '' at the beginning of a line. */
  private before = ''
  /** Whether a double quotation mark is open in this line. */
  private isQuoted = false
  /** The backticks that end the code at this place; 0 outside code. */
  private ticks = 0
  /** The open braces of JSON at this place. */
  private braces = 0

  constructor(language: string) {
    // A region may follow.
    this.marks = MARKS[language.replace(/-.*/, '')]
  }

  add(text: string): string {
    return this.set(text, false)
  }

  end(): string {
    return this.set('', true)
  }

  private set(text: string, isEnd: boolean): string {
    if (!this.marks) return text
    const all = this.held + text
    let set = ''
    let at = 0
    while (at < all.length) {
      const [shown, length] = this.plain(all, at) ?? this.next(all, at, this.marks, isEnd)
      if (length === 0) break
      set += shown
      at += length
    }
    this.held = all.slice(at)
    return set
  }

  /** What needs no setting, which is most of a text; null at a mark and in code. */
  private plain(all: string, at: number): [string, number] | null {
    if (this.ticks > 0 || this.braces > 0) return null
    PLAIN.lastIndex = at
    const run = PLAIN.exec(all)?.[0]
    if (run === undefined) return null
    this.before = run.at(-1) ?? ''
    if (run.includes('\n')) this.isQuoted = false
    return [run, run.length]
  }

  /** The next text to show and how many characters it replaces; 0 if the next character decides. */
  private next(all: string, at: number, marks: Marks, isEnd: boolean): [shown: string, length: number] {
    const character = all[at] ?? ''
    if (character === '`') return this.backticks(all, at, isEnd)
    if (this.ticks > 0 || this.braces > 0) return this.code(character)
    if (character === '{') return this.brace(all, at, isEnd)
    if (character === '"') return this.double(all, at, marks, isEnd)
    if (character === "'") return this.single(all, at, marks, isEnd)
    if (character === '-') return this.dash(all, at, isEnd)
    if (character === '.') return this.dots(all, at, isEnd)
    if (!EMPHASIS.test(character)) this.before = character
    return [character, 1]
  }

  private backticks(all: string, at: number, isEnd: boolean): [string, number] {
    const length = runOf(all, at, '`')
    if (at + length === all.length && !isEnd && length < LONGEST_RUN) return ['', 0]
    const opens = this.before === '' || BEFORE_OPENING.test(this.before) || DASH.test(this.before)
    if (this.ticks > 0) this.ticks = this.ticks === length ? 0 : this.ticks
    else if (opens) this.ticks = length
    return this.shown('`'.repeat(length), true, length)
  }

  private code(character: string): [string, number] {
    if (character === '{' && this.braces > 0) this.braces += 1
    if (character === '}' && this.braces > 0) this.braces -= 1
    // Unclosed code ends with its line, unclosed JSON with its paragraph.
    if (character === '\n') {
      if (this.ticks < FENCE) this.ticks = 0
      if (this.before === '\n') this.braces = 0
    }
    this.before = character
    return [character, 1]
  }

  private brace(all: string, at: number, isEnd: boolean): [string, number] {
    const beginning = all.slice(at, at + 10)
    if (at + beginning.length === all.length && OBJECT_SO_FAR.test(beginning) && !isEnd) return ['', 0]
    if (OBJECT.test(beginning)) this.braces = 1
    this.before = '{'
    return ['{', 1]
  }

  private double(all: string, at: number, marks: Marks, isEnd: boolean): [string, number] {
    let opens = this.before === '' || BEFORE_OPENING.test(this.before)
    if (DASH.test(this.before)) {
      const after = all.slice(at + 1, at + 1 + LONGEST_EMPHASIS)
      const next = /[^*_]/.exec(after)?.[0]
      if (next === undefined && after.length < LONGEST_EMPHASIS && !isEnd) return ['', 0]
      opens = next !== undefined && LETTER.test(next)
    } else if (opens && this.isQuoted) {
      // A space before the mark that closes: "Wait! " you say.
      const next = all[at + 1]
      if (next === undefined && !isEnd) return ['', 0]
      opens = next !== undefined && !/\s/.test(next)
    }
    this.isQuoted = opens
    const shown = opens ? marks.open : marks.close
    this.before = shown.at(-1) ?? ''
    return [shown, 1]
  }

  private single(all: string, at: number, { singleOpen }: Marks, isEnd: boolean): [string, number] {
    const isInside = this.before !== '' && !BEFORE_OPENING.test(this.before) && !DASH.test(this.before)
    if (isInside) return this.shown('’', LETTER.test(this.before) || singleOpen !== null, 1)
    const [word = ''] = /^\p{L}*/u.exec(all.slice(at + 1, at + 2 + LONGEST_ELISION)) ?? []
    if (at + 1 + word.length >= all.length && !isEnd && word.length <= LONGEST_ELISION) return ['', 0]
    const isElision = /^\d/.test(all.slice(at + 1)) || ELISIONS.has(word.toLowerCase())
    if (isElision && singleOpen !== null) return this.shown('’', true, 1)
    return this.shown(singleOpen ?? "'", true, 1)
  }

  private dash(all: string, at: number, isEnd: boolean): [string, number] {
    const length = runOf(all, at, '-')
    if (at + length === all.length && !isEnd && length < LONGEST_RUN) return ['', 0]
    const isTyped = length === 1 || this.before === '' || this.before === '\n'
    // Four dashes stand for an omitted word or a long pause.
    return this.shown(isTyped ? '-'.repeat(length) : '—'.repeat(Math.min(3, length >> 1)), true, length)
  }

  private dots(all: string, at: number, isEnd: boolean): [string, number] {
    const length = runOf(all, at, '.')
    if (at + length === all.length && !isEnd && length < LONGEST_RUN) return ['', 0]
    return this.shown(length === 3 ? '…' : '.'.repeat(length), true, length)
  }

  private shown(text: string, isSet: boolean, length: number): [string, number] {
    const shown = isSet ? text : "'"
    this.before = shown.at(-1) ?? ''
    return [shown, length]
  }
}

function runOf(text: string, at: number, character: string): number {
  let end = at
  while (text[end] === character && end - at < LONGEST_RUN) end += 1
  return end - at
}
