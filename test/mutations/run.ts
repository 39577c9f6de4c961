// Breaks one rule after the other in a copy of the source and runs the random stories on it. Each must be noticed.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MUTATIONS, type Mutation } from './rules.ts'

const root = join(import.meta.dir, '../..')
const folder = mkdtempSync(join(tmpdir(), 'inglenook-mutations-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const name of ['src', 'test', 'public', 'migrations', 'package.json', 'tsconfig.json', 'bunfig.toml'])
  cpSync(join(root, name), join(folder, name), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))

// Arguments select rules by their words.
const words = process.argv.slice(2).join(' ')
const chosen = MUTATIONS.filter(({ rule }) => rule.includes(words))
const survivors: Mutation[] = []

const sound = await noticed()
if (sound !== null) throw new Error(`The stories go otherwise although nothing is broken.\n${sound}`)
for (const mutation of chosen) {
  const file = join(folder, mutation.file)
  const whole = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    whole.replace(mutation.find, () => mutation.replace),
  )
  const output = await noticed()
  writeFileSync(file, whole)
  if (output === null) survivors.push(mutation)
  const operations = /after (\d+) operations/.exec(output ?? '')?.[1]
  const how =
    output === null ? 'SURVIVED' : operations ? `noticed after ${operations} operations` : 'noticed at once'
  console.log(`${how.padEnd(28)} ${mutation.rule}`)
}
console.log(`${chosen.length - survivors.length} of ${chosen.length} broken rules were noticed.`)
process.exitCode = survivors.length === 0 ? 0 : 1

/** The output of the stories if they fail; null if they pass. As deep as `npm test` unless APP_TEST_OPERATIONS says otherwise. */
async function noticed(): Promise<string | null> {
  const tests = Bun.spawn([process.execPath, 'test', '--timeout=60000', 'test/stories/random.test.ts'], {
    cwd: folder,
    env: { ...process.env, APP_TEST_SHRINK: '0' },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const output = await new Response(tests.stderr).text()
  return (await tests.exited) === 0 ? null : output
}
