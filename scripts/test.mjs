// Runs every test and ends with one line that a person and a program can read: "N passed, N failed".
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { become, prepare } from './bun.mjs'

const chromium = process.env.APP_TEST_CHROMIUM ?? '/usr/bin/chromium'
const bun = prepare({ development: true })
const folder = mkdtempSync(join(tmpdir(), 'inglenook-test-'))
const report = join(folder, 'report.xml')
const code = await become(bun, [
  'test',
  // A slow machine is no failure.
  '--timeout=60000',
  // As many files at once as there are processors.
  '--parallel',
  '--reporter=junit',
  `--reporter-outfile=${report}`,
  ...process.argv.slice(2),
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
