import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { depth } from '../support/depth.ts'
import { type Mismatch, run, type Sequence, sequenceArbitrary, shrink } from '../support/stories/sequence.ts'
import { type StoryService, startStoryService } from '../support/stories/service.ts'

/** Operations in a run of the tests. */
const OPERATIONS = depth('OPERATIONS')
/** A failed run can be repeated with the seed and the path that were printed. */
const { APP_TEST_SEED: seed, APP_TEST_PATH: path, APP_TEST_SHRINK: shrinks = '1' } = process.env
/** Stories per library: a larger one only takes longer to open. */
const STORIES = 25
const LONG = 24 * 3_600_000

let service: StoryService | null = null
let stories = 0
let done = 0
afterAll(() => service?.close())

/** Runs a sequence in a service in which no other sequence is in progress. */
async function runOnce(sequence: Sequence): Promise<Mismatch | null> {
  if (service === null || ++stories > STORIES) {
    await service?.close()
    service = await startStoryService()
    stories = 0
  }
  const mismatch = await run(service, sequence)
  if (mismatch) stories = STORIES
  return mismatch
}

/** Shrinks the counterexample, and throws it with the variables that repeat it. */
async function report(details: fc.RunDetails<[Sequence]>) {
  const { failed, seed, counterexamplePath, counterexample, errorInstance } = details
  if (!failed || counterexample === null) return
  const [sequence] = counterexample
  const first = await runOnce(sequence)
  const shrunk =
    shrinks === '0'
      ? sequence
      : await shrink(sequence, async (one) => (await runOnce(one))?.what === first?.what)
  const mismatch = (await runOnce(shrunk)) ?? first
  const variables = `APP_TEST_SEED=${seed} APP_TEST_PATH=${counterexamplePath}`
  throw new Error(
    `Service and model differ after ${done} operations. Repeat with ${variables}\n\n${mismatch?.message ?? `Not reproducible: ${errorInstance}`}`,
  )
}

test(
  'a story follows the rules, whatever happens in it',
  async () => {
    await fc.assert(
      fc.asyncProperty(sequenceArbitrary, async (sequence) => {
        if (done >= OPERATIONS) return
        done += sequence.operations.length
        const mismatch = await runOnce(sequence)
        if (mismatch) throw mismatch
      }),
      {
        // A sequence has thirty operations or more on average.
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
