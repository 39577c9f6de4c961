import fc from 'fast-check'
import { asJson, type Deed, deed } from './operation.ts'
import { type Fields, type Pick, schemas } from './random-worlds.ts'
import { only, pathsIn } from './schemas.ts'
import type { StoryService } from './service.ts'
import { fewest } from './shorten.ts'
import { StoryDeeds } from './story-deeds.ts'

/** Random courses of a story, applied to the service and to the model, which are compared after every operation. */

/** Operations in the longest course; most have half as many. */
const LONGEST = 80

/** The initial schema and the operations. */
export interface Course {
  schema: Fields
  deeds: readonly Deed[]
}

export const courses: fc.Arbitrary<Course> = fc.record({
  schema: fc.oneof(
    { weight: 9, arbitrary: schemas().map(asJson) },
    { weight: 1, arbitrary: fc.constant({}) },
  ),
  deeds: fc.array(deed, { minLength: 1, maxLength: LONGEST, size: 'max' }),
})

/** A difference between the service and the model, and how the story got there. */
export class Disagreement extends Error {
  constructor(
    log: readonly string[],
    /** What was compared. */
    readonly what: string,
    details: string,
  ) {
    super(`${log.join('\n').replace(LONG_WORD, '$1$1…')}\n\n${what}\n${details}`)
  }
}

/** Runs a course; null if the service agrees with the model. */
export async function run(service: StoryService, { schema, deeds }: Course): Promise<Disagreement | null> {
  const told = new StoryDeeds(service, schema)
  try {
    await told.begin()
    for (const one of deeds) await told.do(one)
    await told.compareAll()
    return null
  } catch (error) {
    const fault = error instanceof Error ? error : new Error(String(error))
    return new Disagreement(told.log, fault.message.split('\n')[0] ?? '', fault.stack ?? fault.message)
  }
}

/** The shortest course that leads to the same disagreement. */
export async function shortest(
  { schema, deeds }: Course,
  disagree: (course: Course) => Promise<boolean>,
): Promise<Course> {
  let kept = await fewest(deeds, (deeds) => disagree({ schema, deeds }))
  for (const [i, one] of kept.entries()) {
    const having = (picked: readonly Pick[]) => kept.with(i, { ...one, picked: [...picked] })
    kept = having(await fewest(one.picked, (picked) => disagree({ schema, deeds: having(picked) })))
  }
  const paths = await fewest(pathsIn(schema), (paths) =>
    disagree({ schema: only(schema, paths), deeds: kept }),
  )
  return { schema: only(schema, paths), deeds: kept }
}

/** Long repetitions, which are cut in reports. */
const LONG_WORD = /(\S)\1{40,}/gu
