// Runs the tests of a lane and ends with one line that a person and a program can read: "N passed, N failed".
//   npm test              everything that guards a change, the browser's tests included; or the files that are named
//   npm run test:unit     rules, formats, views and the tables of the narrator, with few random tries
//   npm run test:full     the random tests, at full depth
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'

const LANES = {
  short: () => [],
  unit: () => [
    'test/architecture.test.ts',
    'test/docs.test.ts',
    ...['domain', 'formats', 'lib', 'mutations', 'public', 'views'].map((name) => `test/${name}/`),
    ...['policy', 'reply', 'servers'].map((name) => `test/narrator/${name}/`),
  ],
  full: () =>
    readdirSync(join(root, 'test'), { recursive: true })
      .map((name) => join('test', name))
      .filter(
        (file) =>
          file.endsWith('.test.ts') && /support\/depth\.ts'/.test(readFileSync(join(root, file), 'utf8')),
      ),
}

const [first, ...rest] = process.argv.slice(2)
const lane = first in LANES ? first : 'short'
const named = first in LANES || first === undefined ? rest : [first, ...rest]
process.env.APP_TEST_LANE ??= lane

const chromium = process.env.APP_TEST_CHROMIUM ?? '/usr/bin/chromium'
const bun = prepare({ development: true })
const folder = mkdtempSync(join(tmpdir(), 'inglenook-test-'))
const report = join(folder, 'report.xml')
const code = await become(bun, [
  'test',
  // A slow machine is no failure: this only ends what hangs. No test has a limit of its own.
  `--timeout=${lane === 'full' ? 86_400_000 : 600_000}`,
  // More files at once than processors: many tests wait for a browser, a child process or a timer.
  `--parallel=${2 * availableParallelism()}`,
  '--reporter=junit',
  `--reporter-outfile=${report}`,
  ...LANES[lane](),
  ...named,
])

const totals = existsSync(report) ? readFileSync(report, 'utf8').match(/<testsuites [^>]*>/)?.[0] : undefined
rmSync(folder, { recursive: true })
const count = (name) => Number(totals?.match(new RegExp(` ${name}="(\\d+)"`))?.[1] ?? 0)
const failed = count('failures') + count('errors')
const skipped = count('skipped')
const unread = totals === undefined || (code !== 0 && failed === 0) ? 1 : 0
if (skipped > 0 && !existsSync(chromium)) console.log(`${skipped} skipped: no Chromium found`)
console.log(`${count('tests') - failed - skipped} passed, ${failed + unread} failed`)
process.exitCode = code
