import fc from 'fast-check'
import { asJson, type Operation, operationArbitrary } from './operation.ts'
import { type Fields, type Pick, schemas } from './random-worlds.ts'
import { only, pathsIn } from './schemas.ts'
import type { StoryService } from './service.ts'
import { minimize } from './shrink.ts'
import { StoryRunner } from './story-runner.ts'

/** Random sequences of operations, applied to the service and to the model, which are compared after every operation. */

/** Operations in the longest sequence; most have half as many. */
const LONGEST = 80

/** The initial schema and the operations. */
export interface Sequence {
  schema: Fields
  operations: readonly Operation[]
}

export const sequenceArbitrary: fc.Arbitrary<Sequence> = fc.record({
  schema: fc.oneof(
    { weight: 9, arbitrary: schemas().map(asJson) },
    { weight: 1, arbitrary: fc.constant({}) },
  ),
  operations: fc.array(operationArbitrary, { minLength: 1, maxLength: LONGEST, size: 'max' }),
})

/** A mismatch between the service and the model, and the operations that led to it. */
export class Mismatch extends Error {
  constructor(
    log: readonly string[],
    /** What was compared. */
    readonly what: string,
    details: string,
  ) {
    super(`${log.join('\n').replace(LONG_WORD, '$1$1…')}\n\n${what}\n${details}`)
  }
}

/** Runs a sequence; null if the service matches the model. */
export async function run(service: StoryService, { schema, operations }: Sequence): Promise<Mismatch | null> {
  const runner = new StoryRunner(service, schema)
  try {
    await runner.begin()
    for (const operation of operations) await runner.run(operation)
    await runner.compareAll()
    return null
  } catch (error) {
    const fault = error instanceof Error ? error : new Error(String(error))
    return new Mismatch(runner.log, fault.message.split('\n')[0] ?? '', fault.stack ?? fault.message)
  }
}

/** The shortest sequence that still fails. */
export async function shrink(
  { schema, operations }: Sequence,
  fails: (sequence: Sequence) => Promise<boolean>,
): Promise<Sequence> {
  let kept = await minimize(operations, (operations) => fails({ schema, operations }))
  for (const [i, one] of kept.entries()) {
    const having = (picked: readonly Pick[]) => kept.with(i, { ...one, picked: [...picked] })
    kept = having(await minimize(one.picked, (picked) => fails({ schema, operations: having(picked) })))
  }
  const paths = await minimize(pathsIn(schema), (paths) =>
    fails({ schema: only(schema, paths), operations: kept }),
  )
  return { schema: only(schema, paths), operations: kept }
}

/** Long repetitions, which are cut in reports. */
const LONG_WORD = /(\S)\1{40,}/gu
