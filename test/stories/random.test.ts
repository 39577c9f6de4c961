import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { depth } from '../support/depth.ts'
import { type Course, courses, type Disagreement, run, shortest } from '../support/stories/course.ts'
import { type StoryService, startStoryService } from '../support/stories/service.ts'

/** Operations in a run of the tests. */
const OPERATIONS = depth('OPERATIONS')
/** A failed course can be repeated with the seed and the path that were printed. */
const { APP_TEST_SEED: seed, APP_TEST_PATH: path, APP_TEST_SHORTEN: shortens = '1' } = process.env
/** Stories per library: a larger one only takes longer to open. */
const STORIES = 25
const LONG = 24 * 3_600_000

let service: StoryService | null = null
let stories = 0
let done = 0
afterAll(() => service?.close())

/** Runs a course in a service in which no other course is in progress. */
async function tried(course: Course): Promise<Disagreement | null> {
  if (service === null || ++stories > STORIES) {
    await service?.close()
    service = await startStoryService()
    stories = 0
  }
  const found = await run(service, course)
  if (found) stories = STORIES
  return found
}

/** Throws the shortest failing course and how to repeat it. */
async function report(details: fc.RunDetails<[Course]>) {
  const { failed, seed, counterexamplePath, counterexample, errorInstance } = details
  if (!failed || counterexample === null) return
  const [course] = counterexample
  const first = await tried(course)
  const short =
    shortens === '0'
      ? course
      : await shortest(course, async (one) => (await tried(one))?.what === first?.what)
  const found = (await tried(short)) ?? first
  const again = `APP_TEST_SEED=${seed} APP_TEST_PATH=${counterexamplePath}`
  throw new Error(
    `A story went otherwise, after ${done} deeds; again with ${again}\n\n${found?.message ?? `Only once: ${errorInstance}`}`,
  )
}

test(
  'a story follows the rules, whatever happens in it',
  async () => {
    await fc.assert(
      fc.asyncProperty(courses, async (course) => {
        if (done >= OPERATIONS) return
        done += course.deeds.length
        const found = await tried(course)
        if (found) throw found
      }),
      {
        // A course has thirty operations or more on average.
        numRuns: Math.ceil(OPERATIONS / 20),
        endOnFailure: true,
        ...(seed === undefined ? {} : { seed: Number(seed) }),
        ...(path === undefined ? {} : { path }),
        asyncReporter: report,
      },
    )
    if (path === undefined) expect(done).toBeGreaterThanOrEqual(OPERATIONS)
  },
  LONG,
)
