// Tests that take too long for a normal run: ten million random deltas, a million stories, a million operations in stories
// that are really played, a thousand kills, ten thousand schedules of two players, a thousand books, a model that takes minutes to load.
import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'

const DEPTHS = {
  DELTAS: 10_000_000,
  ANSWERS: 10_000_000,
  STORIES: 1_000_000,
  OPERATIONS: 1_000_000,
  SECOND: 1_000,
  KILLS: 1_000,
  SCHEDULES: 10_000,
  BOOKS: 1_000,
}
for (const [name, depth] of Object.entries(DEPTHS)) process.env[`APP_TEST_${name}`] ??= String(depth)
process.exitCode = await become(prepare({ development: true }), [
  'test',
  '--timeout=86400000',
  join(root, 'test/domain/world'),
  join(root, 'test/stories'),
  join(root, 'test/app/turn/cold-load.test.ts'),
  join(root, 'test/app/turn/concurrent-players.test.ts'),
  join(root, 'test/resilience'),
  join(root, 'test/formats/epub-check.test.ts'),
])
