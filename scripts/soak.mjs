// The random tests, far beyond what a test run has time for: ten million changes, a million stories.
import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'

process.env.APP_TEST_DELTAS ??= '10000000'
process.env.APP_TEST_STORIES ??= '1000000'
process.exitCode = await become(prepare({ development: true }), [
  'test',
  '--timeout=86400000',
  join(root, 'test/domain/world'),
])
