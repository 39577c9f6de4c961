/** How much a JSON text holds: levels of brackets, and values at most. Texts inside quotes count for nothing. */
export function sizeOfJson(text: string): { depth: number; values: number } {
  let depth = 0
  let deepest = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = closingQuote(text, at)
    else if (code === COMMA) values++
    else if (code === OBJECT || code === LIST) {
      values++
      deepest = Math.max(deepest, ++depth)
    } else if (code === OBJECT_END || code === LIST_END) depth--
  }
  return { depth: deepest, values }
}

const [QUOTE, COMMA, BACKSLASH, OBJECT, OBJECT_END, LIST, LIST_END] = [34, 44, 92, 123, 125, 91, 93]

function closingQuote(text: string, opening: number): number {
  for (let at = opening + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return text.length
}
