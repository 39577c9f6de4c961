import { readerLocale } from '../../http/current-reader.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const PRECISIONS = {
  day: { dateStyle: 'long' },
  minute: { dateStyle: 'long', timeStyle: 'short' },
  second: { dateStyle: 'long', timeStyle: 'medium' },
} as const

type Precision = keyof typeof PRECISIONS

export function Time({ at, to }: { at: Date; to: Precision }): Markup {
  return <time datetime={at.toISOString()}>{timeInWords(at, to)}</time>
}

export function TimeAgo({ at, now }: { at: string; now: Date }): Markup {
  return <time datetime={at}>{agoInWords(at, now)}</time>
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** A moment by the clock of this machine, as the reader's country writes it: 4 January 2025 at 10:00. '' for no moment. */
function timeInWords(at: Date, to: Precision): string {
  const locale = readerLocale()
  const key = `${locale} ${to}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, PRECISIONS[to])
  formats.set(key, format)
  return Number.isNaN(at.getTime()) ? '' : format.format(at)
}

/** A date after a month. */
export function agoInWords(time: string, now: Date): string {
  const past = now.getTime() - Date.parse(time)
  if (!(past >= MINUTE)) return 'just now'
  if (past < HOUR) return count(past / MINUTE, 'minute')
  if (past < DAY) return count(past / HOUR, 'hour')
  return past < 31 * DAY ? count(past / DAY, 'day') : timeInWords(new Date(time), 'day')
}

function count(amount: number, unit: string): string {
  const whole = Math.floor(amount)
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`
}

/** True after a day, when a reader may need a recap. */
export function isLongAgo(time: string, now: Date): boolean {
  return now.getTime() - Date.parse(time) >= DAY
}
