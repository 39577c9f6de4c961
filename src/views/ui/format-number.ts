import { readerLocale } from '../../http/current-reader.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** A number as the reader's country writes it: 12,345. At most three digits after the point. */
export function formatNumber(value: number): string {
  const locale = readerLocale()
  const format = formats.get(locale) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: 3 })
  formats.set(locale, format)
  return format.format(value)
}

export function countOf(count: number, one: string, several = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : several}`
}

/** Milliseconds as seconds, to a tenth: 1.5 s. */
export function secondsInWords(milliseconds: number): string {
  return `${formatNumber(Math.round(milliseconds / 100) / 10)} s`
}

/** Whole percent of work that is not complete: at most 99, and 0 while the total is unknown. */
export function percentOf({ done, total }: { done: number; total: number }): number {
  return total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total))
}

/** A size in bytes as a page shows it: 512 bytes, 24 KB, 1.3 MB. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${formatNumber(value < 10 && power > 1 ? Math.round(10 * value) / 10 : Math.round(value))} ${UNITS[power - 1]}`
}

const UNITS = ['KB', 'MB', 'GB', 'TB']
