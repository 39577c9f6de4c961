/** A moment in the text form of the library: UTC, six digits of a second (base schema, "DATETIME"). */
export function storedTime(moment: Date): string {
  return `${moment.toISOString().replace('T', ' ').slice(0, -1)}000`
}

/** A stored moment as ISO 8601 with `Z`. Reads it with and without fraction, `T` and offset; '' for what is no moment. */
export function isoTime(stored: string): string {
  // A file from elsewhere may hold anything in any column.
  if (typeof stored !== 'string') return ''
  const text = stored.trim().replace(' ', 'T')
  const moment = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString()
}

/**
 * The value of a JSON column. SQL NULL, the text `null` and what cannot be read are null, and so are the bare
 * words NaN and Infinity inside: the earlier release wrote them.
 */
export function readJson(text: string | null): unknown {
  if (typeof text !== 'string') return null
  return parsed(text) ?? parsed(text.replace(BARE_WORDS, (match) => (match.startsWith('"') ? match : 'null')))
}

/** The same, when it is an object. */
export function readObject(text: string | null): Record<string, unknown> | null {
  const value = readJson(text)
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

/** The same, when it is a list; [] else. */
export function readList(text: string | null): unknown[] {
  const value = readJson(text)
  return Array.isArray(value) ? value : []
}

// Strings are matched first, so that a word inside one is left alone.
const BARE_WORDS = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
