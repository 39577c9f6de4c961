import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Course, courses, type Disagreement, run, shortest } from '../support/stories/course.ts'
import { type StoryService, startStoryService } from '../support/stories/service.ts'

/** Deeds that are tried in a run of the tests. */
const OPERATIONS = Number(process.env.APP_TEST_OPERATIONS ?? 20_000)
/** A course that failed is seen again by the seed and the path that were printed then. */
const { APP_TEST_SEED: seed, APP_TEST_PATH: path, APP_TEST_SHORTEN: shortens = '1' } = process.env
/** Stories in one library: a larger one only takes longer to open. */
const STORIES = 25
const LONG = 24 * 3_600_000

let service: StoryService | null = null
let stories = 0
let done = 0
afterAll(() => service?.close())

/** Runs a course in a service that nothing of another course is under way in. */
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

/** Throws what a person needs of a course that failed: how it goes at its shortest, and how to see it again. */
async function report({ failed, seed, counterexamplePath, counterexample }: fc.RunDetails<[Course]>) {
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
    `A story went otherwise, after ${done} deeds; again with ${again}\n\n${found?.message ?? 'Only once.'}`,
  )
}

test(
  'a story is what the rules say, whatever happens in it',
  async () => {
    await fc.assert(
      fc.asyncProperty(courses, async (course) => {
        if (done >= OPERATIONS) return
        done += course.deeds.length
        const found = await tried(course)
        if (found) throw found
      }),
      {
        // A course has thirty deeds or more in the mean.
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
