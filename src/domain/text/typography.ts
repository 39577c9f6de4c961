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

const ELISIONS = new Set(
  'tis twas twere twill twould em til till cause bout round neath n cept fore gainst ere kay nother nuff cos ud un im ere ood ll d s er ave stead pon nd tain'.split(
    ' ',
  ),
)
const LONGEST_ELISION = 8

const LETTER = /[\p{L}\p{N}]/u
/** Characters before an opening mark. */
const BEFORE_OPENING = /^$|[\s([{“‘„«\u202f/]/u
const DASH = /[-–—]/
/** Marks of emphasis, which are skipped to find the neighbors of a quotation mark. */
const EMPHASIS = /[*_]/
/** Code, which stays as it is, or a mark that is set. A quotation that is not closed ends with its line. */
const MARK = /(?<![\p{L}\p{N}`])`+[^`]+`+|["'\n]|-{2,}|\.{3,}/gu

/** Gives text the quotation marks and dashes of its language, for display only. Takes linear time. */
export function typographic(text: string, language: string): string {
  // A region may follow.
  const marks = MARKS[language.replace(/-.*/, '')]
  if (!marks) return text
  let isQuoted = false
  let last = { end: 0, shown: '' }
  const set = (mark: string, before: string, after: string): string => {
    if (mark.startsWith('-')) return dash(mark, before)
    if (mark.startsWith('.')) return mark.length === 3 ? '…' : mark
    if (mark === "'") return single(before, after, marks)
    isQuoted = mark === '"' && opens(before, after, isQuoted)
    if (mark !== '"') return mark
    return isQuoted ? marks.open : marks.close
  }
  return text.replace(MARK, (mark: string, at: number) => {
    let before = at
    while (before > last.end && EMPHASIS.test(text.charAt(before - 1))) before--
    const character = before === last.end ? last.shown.slice(-1) : text.charAt(before - 1)
    const end = at + mark.length
    const shown = set(mark, character, text.slice(end, end + LONGEST_ELISION + 1))
    last = { end, shown }
    return shown
  })
}

/** True if a double quotation mark opens a quotation. */
function opens(before: string, after: string, isQuoted: boolean): boolean {
  if (DASH.test(before)) return LETTER.test(/[^*_]/.exec(after)?.[0] ?? '')
  // A space before the mark that closes: "Wait! " you say.
  return BEFORE_OPENING.test(before) && !(isQuoted && /^(?:\s|$)/.test(after))
}

function single(before: string, after: string, { singleOpen }: Marks): string {
  const isInside = !BEFORE_OPENING.test(before) && !DASH.test(before)
  if (isInside) return LETTER.test(before) || singleOpen !== null ? '’' : "'"
  const [word = ''] = /^\p{L}*/u.exec(after) ?? []
  const isElision = /^\d/.test(after) || ELISIONS.has(word.toLowerCase())
  return singleOpen !== null && isElision ? '’' : (singleOpen ?? "'")
}

function dash(mark: string, before: string): string {
  // At the beginning of a line they are a rule. Four stand for an omitted word or a long pause.
  return before === '' || before === '\n' ? mark : '—'.repeat(Math.min(3, mark.length >> 1))
}
