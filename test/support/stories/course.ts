import fc from 'fast-check'
import { type Fields, type Pick, schemas } from './random-worlds.ts'
import { asJson, type Deed, deed } from './operation.ts'
import { StoryDeeds } from './operations.ts'
import { only, pathsIn } from './schemas.ts'
import type { StoryService } from './service.ts'
import { fewest } from '../story-shorten.ts'

/** A course of a story: what happens in it, done to the service and to the model, and compared after every deed. */

/** Deeds in the longest course; half as many in most. */
const LONGEST = 80

/** The rules at first, and what happens then. */
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

/** Where the service and the model disagreed: how the story went until then, and in what. */
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

/** Runs a course; null when all went as the model says. */
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

/** The course without all that it does not need to come to the same disagreement. */
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

/** What a reader of a course would only scroll past. */
const LONG_WORD = /(\S)\1{40,}/gu
