/** Pseudo-random numbers, reproducible by their seed. */
export interface Dice {
  readonly seed: number
  /** At least 0, less than 1. */
  next(): number
  /** An integer from 0 up to but not including `below`. */
  below(below: number): number
  pick<T>(choices: readonly T[]): T
}

/** The seed of a run: `APP_TEST_SEED`, or a random one, which failing tests print. */
export const SEED = Number(process.env.APP_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Mulberry32, by Tommy Ettinger. */
export function dice(seed: number): Dice {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { seed, next, below, pick: <T>(choices: readonly T[]) => choices[below(choices.length)] as T }
}
