// Breaks one rule after the other in a copy of the source, and runs the random stories on it: each has to be noticed.
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

// Words of a rule may be named, so that it alone is tried.
const words = process.argv.slice(2).join(' ')
const chosen = MUTATIONS.filter(({ rule }) => rule.includes(words))
const survivors: Mutation[] = []

const sound = await noticed('2000')
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
  const deeds = /after (\d+) deeds/.exec(output ?? '')?.[1]
  const how = output === null ? 'SURVIVED' : deeds ? `noticed after ${deeds} deeds` : 'noticed at once'
  console.log(`${how.padEnd(28)} ${mutation.rule}`)
}
console.log(`${chosen.length - survivors.length} of ${chosen.length} broken rules were noticed.`)
process.exitCode = survivors.length === 0 ? 0 : 1

/** What the stories say when they fail; null when they do not. */
async function noticed(operations = '20000'): Promise<string | null> {
  const tests = Bun.spawn([process.execPath, 'test', '--timeout=60000', 'test/stories/random.test.ts'], {
    cwd: folder,
    env: { ...process.env, APP_TEST_SHORTEN: '0', APP_TEST_OPERATIONS: operations },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const output = await new Response(tests.stderr).text()
  return (await tests.exited) === 0 ? null : output
}
