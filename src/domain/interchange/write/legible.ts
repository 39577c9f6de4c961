/**
 * A text with what no document may hold left out: control characters, halves of letters, and code points that are none
 * (XML 1.0, "Char"). Line ends become line feeds.
 */
export function legible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\uFFFE\uFFFF]/gu, '')
}
