/** Null for no values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** The smallest value that at least this share of the values does not exceed; null for no values. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}

export const median = (values: readonly number[]) => percentile(values, 0.5)
export const p95 = (values: readonly number[]) => percentile(values, 0.95)

/** How many of all hold; null for none at all. */
export function shareOf(some: number, all: number): number | null {
  return all === 0 ? null : some / all
}

export function isNumber(value: number | null | undefined): value is number {
  return value !== null && value !== undefined
}
