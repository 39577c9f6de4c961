/** A count as a page shows it, so that a large one can be read: 12,345. At most three digits after the point. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 3 })
}

/** Whole percent of work that is not complete: at most 99, and 0 while the total is unknown. */
export function percentOf({ done, total }: { done: number; total: number }): number {
  return total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total))
}
