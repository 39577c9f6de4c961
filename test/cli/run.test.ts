import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { programCommand } from '../support/service/program-command.ts'
import { temporaryFolder } from '../support/temporary.ts'

test.each<string[][]>([
  [['backup', '--help']],
  [['restore', '-h']],
  [['doctor', '--json', '--help']],
  [['play', '--help']],
  [['-h']],
])('%j shows the help, and does nothing', async (args) => {
  expect(await run(args)).toEqual({ code: 0, said: expect.stringContaining('backup [FILE]'), left: [] })
})

test.each([
  [['doctor', '--jsn'], 'There is no option "--jsn".'],
  [['backup', '-f'], 'There is no option "-f".'],
  [['import', '--dup', '.'], 'There is no option "--dup".'],
  [['backup', 'one.db', 'two.db'], 'There is no use for "two.db" here.'],
  [['start', 'library.db'], 'There is no use for "library.db" here.'],
  [['play', 'one.gguf', 'two.gguf'], 'There is no use for "two.gguf" here.'],
])('%j is refused in a sentence, and does nothing', async (args, sentence) => {
  const said = `${sentence} --help lists what there is.\n`
  expect(await run(args)).toEqual({ code: 1, said, left: [] })
})

async function run(args: string[]) {
  const folder = temporaryFolder()
  const child = Bun.spawn([...programCommand(), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', APP_DB_PATH: join(folder, 'library.db'), APP_PORT: '0' },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  return { code: await child.exited, said, left: readdirSync(folder) }
}
