/**
 * How often the random tests try, by lane: `unit` while one works, `short` in `npm test`, `full` in `npm run test:full`.
 * A variable of its own (`APP_TEST_OPERATIONS=1000000`) overrides the lane.
 */
const DEPTHS = {
  /** Operations of random stories played against an independent model. */
  OPERATIONS: { unit: 200, short: 400, full: 20_000 },
  /** Operations on the branches of random stories. */
  BRANCHES: { unit: 50, short: 100, full: 10_000 },
  /** Random deltas judged by the referee and by its independent model. */
  DELTAS: { unit: 300, short: 1_000, full: 100_000 },
  /** Whole courses of random deltas. */
  STORIES: { unit: 300, short: 1_000, full: 100_000 },
  /** Random answers under the JSON Schema of the second call. */
  ANSWERS: { unit: 100, short: 500, full: 20_000 },
  /** Random addresses judged by the endpoint policy and by the registries' tables. */
  ADDRESSES: { unit: 1_000, short: 5_000, full: 100_000 },
  /** Random prompts that have to fit into their context. */
  PROMPTS: { unit: 50, short: 100, full: 1_000 },
  /** Files of one format that somebody has meddled with. */
  FILES: { unit: 100, short: 200, full: 10_000 },
  /** Books that are checked by EPUBCheck. */
  BOOKS: { unit: 0, short: 1, full: 20 },
  /** Times that the service is killed. */
  KILLS: { unit: 4, short: 6, full: 100 },
  /** Times that the engine's process is killed. */
  ENGINE_KILLS: { unit: 4, short: 12, full: 100 },
  /** Schedules in which two players meet. */
  SCHEDULES: { unit: 10, short: 20, full: 300 },
} as const

type Lane = 'unit' | 'short' | 'full'

const lane = (process.env.APP_TEST_LANE ?? 'short') as Lane

export const isFullLane = lane === 'full'

/** How often this run tries. */
export function depth(name: keyof typeof DEPTHS): number {
  return Number(process.env[`APP_TEST_${name}`] ?? DEPTHS[name][lane])
}

/** How often a property is tried that has no row above: a tenth outside the full lane. */
export function runs(full: number): number {
  return isFullLane ? full : Math.ceil(full / 10)
}

/** All of a list in the full lane; otherwise so many, evenly spread from its first to its last, or its first alone. */
export function sampled<T>(list: readonly T[], few = Math.ceil(list.length / 4)): readonly T[] {
  if (isFullLane) return list
  const gap = (list.length - 1) / Math.max(1, few - 1)
  const chosen = new Set(Array.from({ length: few }, (_, i) => Math.round(i * gap)))
  return list.filter((_, i) => chosen.has(i))
}
