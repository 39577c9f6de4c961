/** Whole percent of work that is not complete: at most 99, and 0 while the total is unknown. */
export function percentOf({ done, total }: { done: number; total: number }): number {
  return total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total))
}
