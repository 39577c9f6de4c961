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

/** What stands in a JSON column: SQLite makes numbers of texts that look like one, and other programs store bytes. */
export type StoredJson = string | number | Uint8Array | null

/**
 * The value of a JSON column. SQL NULL, the text `null` and what cannot be read are null, and so are the bare
 * words NaN and Infinity inside: the earlier release wrote them.
 */
export function readJson(stored: StoredJson): unknown {
  if (stored === null) return null
  const text = stored instanceof Uint8Array ? new TextDecoder().decode(stored) : String(stored)
  return parsed(text) ?? parsed(text.replace(BARE_WORDS, (match) => (match.startsWith('"') ? match : 'null')))
}

/** The same, when it is an object. */
export function readObject(stored: StoredJson): Record<string, unknown> | null {
  const value = readJson(stored)
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

/** The same, when it is a list; [] else. */
export function readList(stored: StoredJson): unknown[] {
  const value = readJson(stored)
  return Array.isArray(value) ? value : []
}

// Strings are matched first, so that a word inside one is left alone.
// One that never ends goes to the end of the text: looking for its end from every mark in it would take for ever.
const BARE_WORDS = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|-?Infinity|NaN/g

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
