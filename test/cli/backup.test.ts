import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listScenarios } from '../../src/db/tables/scenarios.ts'
import { openLibrary } from '../support/library/open.ts'
import { programCommand } from '../support/service/program-command.ts'
import { startServer } from '../support/service/server.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function run(
  program: string,
  path: string,
  ...args: string[]
): Promise<{ code: number; said: string }> {
  return runWith([], {}, program, path, ...args)
}

async function runWith(
  flags: string[],
  env: Record<string, string>,
  program: string,
  path: string,
  ...args: string[]
): Promise<{ code: number; said: string }> {
  const [run = '', ...source] = programCommand()
  const child = Bun.spawn([run, ...flags, ...source, program, ...args], {
    env: { PATH: process.env.PATH ?? '', APP_DB_PATH: path, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  return { code: await child.exited, said }
}

test('the library can be backed up while it is in use, and restored while it is not', async () => {
  const server = await startServer()
  const { path } = server
  const title = async () => (await server.get('/api/scenarios')).body[0].title
  await server.post('/api/scenarios', { title: 'Committed' })
  const made = await run('backup', path)
  const [copy = ''] = /\S+\.db/.exec(made.said) ?? []
  expect([made.code, copy]).toEqual([0, expect.stringMatching(/backups\/library\.copy-\d{8}T\d{6}\.db$/)])
  expect(await title()).toBe('Committed')
  await server.post('/api/scenarios', { title: 'Later' })

  const refused = await run('restore', path, copy)
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('Stop it first') })
  expect(await title()).toBe('Later')

  await server.stop()
  const restored = await run('restore', path, copy)
  const [kept = ''] = /\S+before-restore\S+\.db/.exec(restored.said) ?? []
  expect(restored).toMatchObject({
    code: 0,
    said: expect.stringContaining(`Restored ${path} from ${copy}`),
  })
  const titles = (file: string) => {
    const library = openLibrary(file)
    const [first] = listScenarios(library.reader)
    library.close()
    return first?.title
  }
  expect([titles(path), titles(kept)]).toEqual(['Committed', 'Later'])
})

test('a backup is saved under the given name, and never overwrites a file', async () => {
  const path = join(temporaryFolder(), 'library.db')
  openLibrary(path).close()
  const copy = join(temporaryFolder(), 'my copy.db')
  expect(await run('backup', path, copy)).toEqual({ code: 0, said: `Backup saved to ${copy}\n` })
  expect(await run('backup', path, copy)).toMatchObject({ code: 1, said: expect.stringContaining('already') })
  expect(existsSync(copy)).toBe(true)
})

test('an impossible backup or restore is reported in a sentence', async () => {
  const path = join(temporaryFolder(), 'library.db')
  expect(await run('backup', path)).toEqual({
    code: 1,
    said: `No backup was made. There is no library at ${path}.\n`,
  })
  expect(await run('restore', path)).toMatchObject({
    code: 1,
    said: expect.stringContaining('Name the backup'),
  })
  expect(await run('restore', path, '/nowhere/copy.db')).toEqual({
    code: 1,
    said: '/nowhere/copy.db was not restored. There is no such file.\n',
  })
  expect(readdirSync(dirname(path))).toEqual([])
})

// Nothing can be preloaded into an executable.
describe.if(programCommand().length > 1)('if killed before any change of a file', () => {
  const preload = join(import.meta.dir, '../support/service/killed-at.ts')

  /** Runs a program to its end, then repeatedly, killed at a different file change each time. Returns the runs in order. */
  async function killedAtEach(program: string, make: () => { path: string; args: string[] }) {
    const runAt = async (at: number) => {
      const { path, args } = make()
      const env = { KILLED_AT: String(at) }
      return { path, args, ...(await runWith(['--preload', preload], env, program, path, ...args)) }
    }
    const whole = await runAt(0)
    const changes = Number(/changes: (\d+)/.exec(whole.said)?.[1])
    const killed = await Promise.all(Array.from({ length: changes }, (_, i) => runAt(i + 1)))
    return [...killed, whole]
  }

  const titles = (file: string) => {
    const library = openLibrary(file)
    const found = listScenarios(library.reader).map(({ title }) => title)
    library.close()
    return found.join()
  }

  /** Libraries with one scenario left by a killed service: the last changes are in the journal. */
  function leftByKill(): () => string {
    const path = join(temporaryFolder(), 'library.db')
    openLibrary(path).close()
    const open = new Database(path)
    open.run('DELETE FROM scenarios WHERE id > 1')
    open.run("UPDATE scenarios SET title = 'Last words'")
    const [file, journal] = [readFileSync(path), readFileSync(`${path}-wal`)]
    open.close()
    return () => {
      const left = join(temporaryFolder(), 'library.db')
      writeFileSync(left, file)
      writeFileSync(`${left}-wal`, journal)
      return left
    }
  }

  test('a restore leaves the old library or the new one, complete', async () => {
    const copy = join(temporaryFolder(), 'copy.db')
    openLibrary(copy).close()
    const other = new Database(copy)
    other.run('DELETE FROM scenarios WHERE id > 1')
    other.run("UPDATE scenarios SET title = 'Put back'")
    other.close()
    const library = leftByKill()
    const runs = await killedAtEach('restore', () => ({ path: library(), args: [copy] }))
    expect(runs.length).toBeGreaterThan(8)
    const found = runs.map(({ path }) => {
      const kept = readdirSync(dirname(path)).filter((name) => /before-restore-\w+\.db$/.test(name))
      const title = titles(path)
      if (title === 'Put back')
        expect(kept.map((name) => titles(join(dirname(path), name)))).toEqual(['Last words'])
      // The next start deletes unfinished work, and nothing else is left.
      expect(readdirSync(dirname(path)).filter((name) => name.includes('.restoring'))).toEqual([])
      return title
    })
    const turned = found.indexOf('Put back')
    expect(found.slice(0, turned).every((title) => title === 'Last words')).toBe(true)
    expect(turned).toBeGreaterThan(5)
    expect(found.slice(turned).every((title) => title === 'Put back')).toBe(true)
    expect(titles(copy)).toBe('Put back')
  })

  test('a backup is complete or does not exist', async () => {
    const library = leftByKill()
    const runs = await killedAtEach('backup', () => {
      const path = library()
      return { path, args: [join(dirname(path), 'copies/mine.db')] }
    })
    expect(runs.length).toBeGreaterThan(4)
    for (const { path, args, code } of runs) {
      const [copy = ''] = args
      expect(existsSync(copy) || code !== 0).toBe(true)
      if (existsSync(copy)) expect(titles(copy)).toBe('Last words')
      expect(titles(path)).toBe('Last words')
    }
  })
})
