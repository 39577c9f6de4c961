/** Levels of nesting allowed in foreign JSON: more than any format needs, few enough for any stack. */
export const MAX_JSON_DEPTH = 100

interface JsonLimits {
  depth?: number
  values?: number
}

export type JsonError = 'not_json' | 'too_deep' | 'too_many_values'

type JsonResult = { value: unknown } | { error: JsonError }

/** Parses JSON within limits; Infinity lifts one. Never throws. */
export function readJson(
  text: string,
  { depth = MAX_JSON_DEPTH, values = Infinity }: JsonLimits = {},
): JsonResult {
  if (depth < Infinity || values < Infinity) {
    const size = sizeOfJson(text)
    if (size.depth > depth) return { error: 'too_deep' }
    if (size.values > values || size.members > MAX_MEMBERS) return { error: 'too_many_values' }
  }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { error: 'not_json' }
  }
}

/** Parses JSON; undefined if invalid or above a limit. Never throws. */
export function parseJson(text: string, limits?: JsonLimits): unknown {
  const result = readJson(text, limits)
  return 'value' in result ? result.value : undefined
}

/** Deep copy, five times as fast as structuredClone. */
export function copyJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}

/** Keys of one object. More would block the parser for many seconds, and no format has them. */
const MAX_MEMBERS = 20_000

export function sizeOfJson(text: string): { depth: number; values: number; members: number } {
  let depth = 0
  let deepest = 0
  let values = 1
  let members = 0
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = closingQuote(text, at)
    else if (code === COMMA) {
      values++
      const keys = (open[depth] ?? 1) + 1
      open[depth] = keys
      if (keys > members) members = keys
    } else if (code === OBJECT || code === LIST) {
      values++
      deepest = Math.max(deepest, ++depth)
      open[depth] = code === OBJECT ? 1 : -Infinity
    } else if (code === OBJECT_END || code === LIST_END) depth--
  }
  return { depth: deepest, values, members }
}

const [QUOTE, COMMA, BACKSLASH, OBJECT, OBJECT_END, LIST, LIST_END] = [34, 44, 92, 123, 125, 91, 93]

function closingQuote(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = at - 1
    while (text.charCodeAt(escapes) === BACKSLASH) escapes--
    // An even number of backslashes does not escape the quotation mark.
    if ((at - escapes) % 2 === 1) return at
  }
  return text.length
}

/** Escapes a JSON Pointer token (RFC 6901, 3). */
export function toPointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

export function fromPointerToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}
