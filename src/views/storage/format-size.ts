import { formatNumber } from '../ui/format-number.ts'

/** A size in bytes as a page shows it: 512 bytes, 24 KB, 1.3 MB. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${formatNumber(value < 10 && power > 1 ? Math.round(10 * value) / 10 : Math.round(value))} ${UNITS[power - 1]}`
}

const UNITS = ['KB', 'MB', 'GB', 'TB']
