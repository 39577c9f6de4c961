const ODD = /[^\P{Cc}\n\t]|[\uFFFE\uFFFF]/gu
const HAS_ODD = new RegExp(ODD.source, 'u')

/**
 * A text with what no document may hold left out: control characters, halves of letters, and code points that are none
 * (XML 1.0, "Char"). Line ends become line feeds.
 */
export function withoutControlCharacters(text: string): string {
  if (text.isWellFormed() && !HAS_ODD.test(text)) return text
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(ODD, '')
}
