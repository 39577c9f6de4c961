export const LARGEST_NUMBER = Number.MAX_SAFE_INTEGER

export function isCount(value: unknown, min = 0): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}

/** Parses a number as people and models write it: sign, digits, fraction, exponent. Null for anything else. */
export function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string') return null
  const text = value.trim().replace(/^[−–]/, '-')
  if (text.length > 40 || !/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) return null
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}

/** Rounds to six decimals, so that 0.1 added three times is 0.3. Never minus zero. */
export function roundedNumber(value: number): number {
  if (Number.isInteger(value)) return value + 0
  return Number(value.toFixed(6)) + 0
}

export function clamp(value: number, min: number | null, max: number | null): number {
  const raised = Math.max(value, min ?? -LARGEST_NUMBER)
  return Math.min(raised, max ?? LARGEST_NUMBER) + 0
}

/** Number of sorted values below `value`; also the index of the first that is not. */
export function countBelow(sorted: ArrayLike<number>, value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
