import fc from 'fast-check'
import { type Fields, type Pick, picks } from './random-worlds.ts'
import { type Manner, manners } from './replies.ts'

/** The kinds of operations, with their weights. */
const KINDS = {
  play: 24,
  retry: 9,
  part: 4,
  switch: 8,
  edit: 7,
  undo: 7,
  hand: 7,
  fail: 7,
  again: 3,
  stop: 4,
  leave: 4,
  keep: 4,
  discard: 1,
  busy: 1,
  author: 3,
  refresh: 5,
  rest: 4,
  card: 1,
  form: 3,
  stale: 2,
  refused: 3,
  copy: 1,
  branch: 2,
  other: 4,
  restart: 0.3,
  asked: 6,
  meanwhile: 9,
}

export type Kind = keyof typeof KINDS

/** One operation, before its target is known. */
export interface Operation {
  kind: Kind
  a: number
  b: number
  manner: Manner
  picked: Pick[]
}

const kinds: fc.Arbitrary<Kind> = fc.oneof(
  ...Object.entries(KINDS).map(([kind, weight]) => ({
    weight: Math.round(weight * 10),
    arbitrary: fc.constant(kind as Kind),
  })),
)

export const operationArbitrary: fc.Arbitrary<Operation> = fc.record({
  kind: kinds,
  a: fc.nat({ max: 99 }),
  b: fc.nat({ max: 99 }),
  manner: manners,
  picked: picks,
})

/** The value after a round trip through JSON. */
export function asJson(value: Fields): Fields {
  return JSON.parse(JSON.stringify(value)) as Fields
}

/** Changes as they are sent, with scalar values only. */
export function asSent(changes: Fields): Fields {
  return Object.fromEntries(
    Object.entries(asJson(changes))
      .filter(
        ([path, value]) => path !== '' && path.length <= 200 && (value === null || typeof value !== 'object'),
      )
      // A body with a lone surrogate is rejected.
      .map(([path, value]) => [
        path.toWellFormed(),
        typeof value === 'string' ? value.toWellFormed() : value,
      ]),
  )
}
