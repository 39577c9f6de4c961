import { parseJson } from '../lib/json.ts'

/** Booleans are stored as 0 and 1. */
export type ColumnValue = string | number | boolean | null | Uint8Array

/** A time as the library stores it: UTC text with six fractional digits ("DATETIME" in migrations/0001-baseline.sql). */
export function storedTime(moment: Date): string {
  return `${moment.toISOString().replace('T', ' ').slice(0, -1)}000`
}

/** A stored time as ISO 8601 with `Z`. The fraction, `T` and offset are optional; '' if it is not a time. */
export function isoTime(stored: string): string {
  // Other programs may have stored anything in any column.
  if (typeof stored !== 'string') return ''
  const text = stored.trim().replace(' ', 'T')
  const moment = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString()
}

/** The stored form of JSON: SQLite converts numeric text to numbers, and other programs store bytes. */
type StoredJson = string | number | Uint8Array | null

/** Null for SQL NULL, `null` and unreadable JSON; NaN and Infinity of the earlier release are read as null. */
export function parseColumn(stored: StoredJson): unknown {
  if (stored === null) return null
  const text = stored instanceof Uint8Array ? new TextDecoder().decode(stored) : String(stored)
  return (
    parseJson(text, STORED) ??
    parseJson(
      text.replace(BARE_WORDS, (match) => (match.startsWith('"') ? match : 'null')),
      STORED,
    ) ??
    null
  )
}

/** The same, if it is an object; null otherwise. */
export function parseObjectColumn(stored: StoredJson): Record<string, unknown> | null {
  const value = parseColumn(stored)
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

/** The same, if it is a list; [] otherwise. */
export function parseListColumn(stored: StoredJson): unknown[] {
  const value = parseColumn(stored)
  return Array.isArray(value) ? value : []
}

// Strings are matched first, so that a word inside one is left alone. An unterminated string extends to the end of the
// text; searching for its end from each quote again would take quadratic time.
const BARE_WORDS = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|-?Infinity|NaN/g

// What is stored was checked when it was written.
const STORED = { depth: Infinity }
