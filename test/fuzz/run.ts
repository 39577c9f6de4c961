// Sends generated requests to every operation of the OpenAPI document and checks the answers against it. Run with
// `npm run fuzz`, or `npm run fuzz -- --cases 20` for a short run. Ends with "N passed, N failed".
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { CannotRun } from '../../bench/real/cannot-run.ts'
import { pythonWith } from '../../bench/real/python.ts'
import { ServiceProcess } from '../../bench/real/service-process.ts'

const SCHEMATHESIS = 'schemathesis==4.32.5'

interface Outcome {
  /** How many operations were tested. */
  operations: number
  failures: number
  /** Of Schemathesis itself. */
  errors: number
}

async function run(cases: string, seed: string): Promise<Outcome> {
  const python = pythonWith([[SCHEMATHESIS]])
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-fuzz-'))
  try {
    await using service = await ServiceProcess.start(join(import.meta.dir, '../..'), folder)
    const child = Bun.spawn(
      [
        join(dirname(python), 'schemathesis'),
        ...['--config-file', join(import.meta.dir, 'schemathesis.toml')],
        ...['run', new URL('/api/openapi.json', service.address).href, '--no-color'],
        // One worker and no limit on time: the same seed sends the same requests.
        ...['--workers', '1', '--continue-on-failure', '--max-examples', cases, '--seed', seed],
      ],
      { cwd: folder, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
    )
    const output = await new Response(child.stdout).text()
    return outcomeOf(output, (await child.exited) === 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Prints what was found. */
function outcomeOf(output: string, isClean: boolean): Outcome {
  console.log(isClean ? output.split('\n').slice(-12).join('\n') : output)
  const summary = output.trimEnd().split('\n').at(-1) ?? ''
  const count = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)
  const failures = count(summary, /(\d+) failure/)
  const errors = count(summary, /(\d+) error/)
  const operations = count(output, /Tested: (\d+)/)
  return { operations, failures, errors: isClean || failures + errors > 0 ? errors : 1 }
}

const { values } = parseArgs({
  // Cases for each operation: 250 are about 20,000 in all.
  options: { cases: { type: 'string', default: '250' }, seed: { type: 'string', default: '1' } },
})
try {
  let outcome = await run(values.cases, values.seed)
  // Some versions of Python break off the generation of requests now and then.
  if (outcome.failures === 0 && outcome.errors > 0) outcome = await run(values.cases, `${values.seed}1`)
  const failed = outcome.failures + outcome.errors
  console.log(`${Math.max(0, outcome.operations - failed)} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
} catch (error) {
  if (!(error instanceof CannotRun)) throw error
  console.error(`Skipped: ${error.message}`)
  console.log('0 passed, 0 failed')
}
