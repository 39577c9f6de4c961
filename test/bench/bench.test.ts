import { expect, test } from 'bun:test'
import { join } from 'node:path'

test('the benchmarks load outside the test runner', async () => {
  const bench = Bun.spawn([process.execPath, join(import.meta.dir, '../../bench/run.ts'), 'nothing'], {
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const output = await new Response(bench.stderr).text()
  expect(output).toContain('There is no benchmark "nothing".')
  expect(await bench.exited).toBe(1)
})
