const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const YEAR_10000 = 253_402_300_800_000

/**
 * A moment as ISO 8601 in UTC; null for what is none. Read are ISO 8601 (without a zone it means UTC), seconds and
 * milliseconds since 1970, and the two older styles of SillyTavern.
 */
export function parseTime(value: unknown): string | null {
  const time = typeof value === 'number' ? (value < 1e11 ? value * 1000 : value) : timeFrom(value)
  return time >= 0 && time < YEAR_10000 ? new Date(time).toISOString() : null
}

function timeFrom(value: unknown): number {
  if (typeof value !== 'string' || value.length > 60) return Number.NaN
  const text = value.trim()
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text)) {
    const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text)
    return Date.parse(hasZone ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`)
  }
  if (/^\d{10,13}$/.test(text)) return text.length > 11 ? Number(text) : Number(text) * 1000
  return stamped(text) ?? spoken(text) ?? Number.NaN
}

// "2023-8-14 @12h 3m 5s 123ms"
function stamped(text: string): number | null {
  const found = /^(\d{4})-(\d{1,2})-(\d{1,2}) ?@(\d{1,2})h ?(\d{1,2})m ?(\d{1,2})s(?: ?(\d{1,3})ms)?$/.exec(
    text,
  )
  if (!found) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0))
  return Date.UTC(year, month - 1, day, hour, minute, second, ms)
}

// "June 19, 2023 4:13pm"
function spoken(text: string): number | null {
  const found = /^([a-z]{3})[a-z]* (\d{1,2}), (\d{4}) (\d{1,2}):(\d\d) ?([ap])m$/i.exec(text)
  if (!found) return null
  const [, month = '', day, year, hour, minute, half = ''] = found
  const at = MONTHS.indexOf(month.toLowerCase())
  if (at === -1) return null
  return Date.UTC(
    Number(year),
    at,
    Number(day),
    (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0),
    Number(minute),
  )
}
