const ODD = /[^\P{Cc}\n\t]|[\uFFFE\uFFFF]/gu
const HAS_ODD = new RegExp(ODD.source, 'u')

/**
 * A text without characters that no document may contain: control characters, lone surrogates and invalid code points (XML
 * 1.0, "Char"). Line ends become line feeds.
 */
export function withoutControlCharacters(text: string): string {
  if (text.isWellFormed() && !HAS_ODD.test(text)) return text
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(ODD, '')
}
