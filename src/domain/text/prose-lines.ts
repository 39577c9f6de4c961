/** A longer line is prose, whatever it begins with. At most this much of a stream is held back. */
export const LONGEST_LINE = 300

const RULE = /^(?:-{3,}|\*{3,}|_{3,}|(?:\* ){2,}\*)\s*$/
const RULE_SO_FAR = /^[-*_ ]*$/
const HEADING = /^(#{1,6}) {1,9}(?=\S)/
const HEADING_SO_FAR = /^#{1,6} {0,9}$/
const QUOTED = /^> {1,9}(?=\S)/
const QUOTED_SO_FAR = /^> {0,9}$/
const ITEM = /^(?:([-*+•])|(\d{1,3})[.)]) {1,9}(?=\S)/
const ITEM_SO_FAR = /^(?:[-*+•]|\d{1,3}[.)]?) {0,9}$/

/** Languages that never mark speech with a dash: in all others a line that begins with a dash is speech. */
const DASH_IS_ITEM = new Set(['en', 'de', 'nl', 'ja', 'ko', 'zh', 'th', 'he'])

/** The start of a list item: its bullet or number, and the length with the spaces after it. */
export interface ItemMark {
  sign: string
  number: number | null
  length: number
}

export function isRule(line: string): boolean {
  return line.length <= LONGEST_LINE && RULE.test(line)
}

/** The number signs of a heading, and their length with the spaces after them; null for other lines. */
export function headingMark(line: string): { signs: number; length: number } | null {
  const [whole, signs] = HEADING.exec(line) ?? []
  return whole === undefined ? null : { signs: signs?.length ?? 1, length: whole.length }
}

/** The length of the mark before a quoted line; 0 for other lines. */
export function quoteMark(line: string): number {
  return QUOTED.exec(line)?.[0].length ?? 0
}

/** The start of a line that may be a list item; null for other lines. */
export function itemMark(line: string, language: string): ItemMark | null {
  const [whole, sign = '.', number] = ITEM.exec(line) ?? []
  if (whole === undefined || (sign === '-' && !DASH_IS_ITEM.has(language))) return null
  return { sign, number: number === undefined ? null : Number(number), length: whole.length }
}

export function follows(next: ItemMark | null, mark: ItemMark): boolean {
  if (next?.sign !== mark.sign) return false
  return mark.number === null ? next.number === null : next.number === mark.number + 1
}

export function isUndecided(line: string): boolean {
  if (line.length > LONGEST_LINE) return false
  return [RULE_SO_FAR, HEADING_SO_FAR, QUOTED_SO_FAR, ITEM_SO_FAR].some((soFar) => soFar.test(line))
}
