/** A count as a page shows it, so that a large one can be read: 12,345. At most three digits after the point. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 3 })
}
