// Runs the tests of a lane and ends with one line that a person and a program can read: "N passed, N failed".
//   npm test              what guards a change, the browser's tests included, with a sample of the slow cases
//   npm run test:unit     rules, formats, views and the tables of the narrator, with few random tries
//   npm run test:full     the files with random or sampled cases: at full depth, and every case
// Files that are named after `--` are run alone, in any lane.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'
import { serviceProgram } from './bundle.mjs'

const LANES = {
  short: () => [],
  unit: () => [
    'test/architecture.test.ts',
    'test/docs.test.ts',
    ...['domain', 'formats', 'lib', 'mutations', 'public', 'views'].map((name) => `test/${name}/`),
    ...['policy', 'reply', 'servers'].map((name) => `test/narrator/${name}/`),
  ],
  full: () => allFiles().filter(dependsOnLane),
}

function allFiles() {
  return readdirSync(join(root, 'test'), { recursive: true })
    .map((name) => join('test', name).replaceAll('\\', '/'))
    .filter((file) => /\.test\.tsx?$/.test(file))
}

/** How often it tries, or which of its cases, depends on the lane. */
function dependsOnLane(file) {
  return /support\/depth\.ts'/.test(readFileSync(join(root, file), 'utf8'))
}

/** A second run would draw other cases than those that failed. */
function drawsCases(file) {
  return /property|'fast-check'|\b(?:depth|runs)\b.* from '.*support\/depth\.ts'/.test(
    file + readFileSync(join(root, file), 'utf8'),
  )
}

const [first, ...rest] = process.argv.slice(2)
const lane = first in LANES ? first : 'short'
const named = first in LANES || first === undefined ? rest : [first, ...rest]
process.env.APP_TEST_LANE ??= lane

/** The first of them that is there: the one without windows takes a third less processor time. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
process.env.APP_TEST_CHROMIUM ??= BROWSERS.find((path) => existsSync(path)) ?? ''
const bun = prepare({ development: true })
// Tests that start processes start what `npm start` does, which takes half as long as the sources.
if (lane !== 'unit') process.env.APP_TEST_PROGRAM ??= serviceProgram(bun)

/** How long a run may take, in minutes: several times what a slow machine needs. Only what never ends takes longer. */
const MAX_MINUTES = 40

/** Failed files that are run again, at most: with more than these, something is broken. */
const MAX_AGAIN = 3

let result = await run(
  // More files at once than processors: many tests wait for a browser, a child process or a timer.
  `--parallel=${2 * availableParallelism()}`,
  // The slowest files of earlier runs of this lane come first, so that none of them is left for the end.
  `--timings=${join(root, `.runtime/test-timings-${lane}.json`)}`,
  '--update-timings',
  ...(named.length > 0 ? named : LANES[lane]()),
)
const again = lane === 'short' && named.length === 0 ? result.failedFiles : []
if (again.length > 0 && again.length <= MAX_AGAIN && !again.some(drawsCases) && result.isComplete) {
  console.log(`Failed beside the others, run again alone: ${again.join(', ')}`)
  const alone = await run('--parallel=1', ...again)
  const failed = alone.failed + (alone.code !== 0 && alone.failed === 0 ? 1 : 0)
  result = { ...result, code: alone.code, passed: result.passed + result.failed - failed, failed }
}
if (result.skipped > 0 && !existsSync(process.env.APP_TEST_CHROMIUM))
  console.log(`${result.skipped} skipped: no Chromium found`)
console.log(`${result.passed} passed, ${result.failed + (result.isComplete ? 0 : 1)} failed`)
process.exitCode = result.code

/** Runs tests, and reads from the report how they ended. */
async function run(...args) {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-test-'))
  const file = join(folder, 'report.xml')
  const end = setTimeout(() => {
    console.log(`Ended: a file of tests was still running after ${MAX_MINUTES} minutes.`)
    process.kill(process.pid, 'SIGTERM')
  }, MAX_MINUTES * 60_000)
  // A slow machine is no failure: this only ends what hangs. No test has a limit of its own.
  const timeout = `--timeout=${lane === 'full' ? 86_400_000 : 600_000}`
  const code = await become(bun, ['test', timeout, '--reporter=junit', `--reporter-outfile=${file}`, ...args])
  clearTimeout(end)
  const report = existsSync(file) ? readFileSync(file, 'utf8') : ''
  rmSync(folder, { recursive: true })
  const totals = report.match(/<testsuites [^>]*>/)?.[0]
  const count = (name) => Number(totals?.match(new RegExp(` ${name}="(\\d+)"`))?.[1] ?? 0)
  const failed = count('failures') + count('errors')
  const skipped = count('skipped')
  return {
    code,
    failed,
    skipped,
    passed: count('tests') - failed - skipped,
    failedFiles: [...new Set(failuresIn(report))],
    // A file that cannot be loaded is in no report.
    isComplete: totals !== undefined && (code === 0 || (failed > 0 && hasAllFiles(report))),
  }
}

/** The files of the failed tests in a report of Bun. */
function failuresIn(report) {
  return [...report.matchAll(/<testcase(?: \w+="[^"]*")* file="([^"]*)"(?: \w+="[^"]*")*>\s*<failure/g)].map(
    ([, file]) => file,
  )
}

/** The report has every file that was to be run. */
function hasAllFiles(report) {
  return lane !== 'short' || named.length > 0 || allFiles().every((file) => report.includes(`file="${file}"`))
}
