// Tests that a test run has no time for: ten million random changes, a million stories, a million deeds in stories that are
// really played, a thousand kills, ten thousand schedules of two players, a model that loads for minutes.
import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'

process.env.APP_TEST_DELTAS ??= '10000000'
process.env.APP_TEST_STORIES ??= '1000000'
process.env.APP_TEST_OPERATIONS ??= '1000000'
process.env.APP_TEST_SECOND ??= '1000'
process.env.APP_TEST_KILLS ??= '1000'
process.env.APP_TEST_SCHEDULES ??= '10000'
process.exitCode = await become(prepare({ development: true }), [
  'test',
  '--timeout=86400000',
  join(root, 'test/domain/world'),
  join(root, 'test/stories'),
  join(root, 'test/api/cold-load.test.ts'),
  join(root, 'test/api/interleavings.test.ts'),
  join(root, 'test/kills'),
])
