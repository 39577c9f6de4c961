// Tests that take too long for a normal run: ten million random deltas, a million stories, a million operations in stories
// that are really played, a thousand kills, ten thousand schedules of two players, a thousand books, a model that takes
// minutes to load. Then every test that starts the service in its own process, with an executable in its place.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { become, platformName, prepare, root } from './bun.mjs'

const DEPTHS = {
  DELTAS: 10_000_000,
  ANSWERS: 10_000_000,
  STORIES: 1_000_000,
  OPERATIONS: 1_000_000,
  SECOND: 1_000,
  KILLS: 1_000,
  ENGINE_KILLS: 1_000,
  SCHEDULES: 10_000,
  BOOKS: 1_000,
}
process.env.APP_TEST_LANE ??= 'full'
for (const [name, depth] of Object.entries(DEPTHS)) process.env[`APP_TEST_${name}`] ??= String(depth)
const bun = prepare({ development: true })
const code = await become(bun, [
  'test',
  '--timeout=86400000',
  join(root, 'test/domain/world'),
  join(root, 'test/stories'),
  join(root, 'test/app/turn/cold-load.test.ts'),
  join(root, 'test/app/turn/concurrent-players.test.ts'),
  join(root, 'test/resilience'),
  join(root, 'test/engine'),
  join(root, 'test/formats/epub-check.test.ts'),
])

const platform = platformName()
const built = await become(bun, [join(root, 'scripts/build.ts'), platform])
process.env.APP_TEST_PROGRAM = join(root, 'dist', platform, 'inglenook')
process.exitCode = code || built || (await become(bun, ['test', '--timeout=600000', ...testsOfProcesses()]))

function testsOfProcesses() {
  const files = readdirSync(join(root, 'test'), { recursive: true }).map((name) => join(root, 'test', name))
  const startsService = /support\/service\/(?:process|service|under-attack)\.ts'/
  return files.filter((file) => file.endsWith('.test.ts') && startsService.test(readFileSync(file, 'utf8')))
}
