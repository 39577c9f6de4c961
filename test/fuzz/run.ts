// Sends generated requests to every operation of the OpenAPI document and checks the answers against it. Run with
// `npm run fuzz`, or `npm run fuzz -- --seconds 120` for a short run. Ends with "N passed, N failed".
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { CannotRun } from '../../bench/real/cannot-run.ts'
import { pythonWith } from '../../bench/real/python.ts'
import { ServiceProcess } from '../../bench/real/service-process.ts'

const SCHEMATHESIS = 'schemathesis==4.32.5'
/** Cases for each operation, about 20,000 in all. */
const CASES = 250

async function run(folder: string, seconds: number | undefined, seed: string): Promise<number> {
  const python = pythonWith([[SCHEMATHESIS]])
  await using service = await ServiceProcess.start(join(import.meta.dir, '../..'), folder)
  const child = Bun.spawn(
    [
      join(dirname(python), 'schemathesis'),
      ...['--config-file', join(import.meta.dir, 'schemathesis.toml')],
      ...['run', new URL('/api/openapi.json', service.address).href, '--no-color'],
      ...['--workers', '2', '--continue-on-failure', '--max-examples', String(CASES), '--seed', seed],
      ...(seconds ? ['--max-time', String(seconds)] : []),
    ],
    { cwd: folder, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
  )
  const output = await new Response(child.stdout).text()
  const isClean = (await child.exited) === 0
  console.log(isClean ? output.split('\n').slice(-12).join('\n') : output)
  const count = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0)
  const failed = isClean ? 0 : Math.max(1, count(/(\d+) failures?/))
  console.log(`${Math.max(0, count(/Tested: (\d+)/) - failed)} passed, ${failed} failed`)
  return isClean ? 0 : 1
}

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, seed: { type: 'string', default: '1' } },
})
const folder = mkdtempSync(join(tmpdir(), 'inglenook-fuzz-'))
try {
  process.exitCode = await run(folder, values.seconds ? Number(values.seconds) : undefined, values.seed)
} catch (error) {
  if (!(error instanceof CannotRun)) throw error
  console.error(`Skipped: ${error.message}`)
  console.log('0 passed, 0 failed')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
