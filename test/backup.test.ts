import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openLibrary } from '../src/db/open.ts'
import { listScenarios } from '../src/db/scenarios.ts'
import { startServer } from './support/server.ts'
import { temporaryFolder } from './support/temporary.ts'

async function run(
  program: string,
  path: string,
  ...args: string[]
): Promise<{ code: number; said: string }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `../src/${program}.ts`), ...args], {
    env: { PATH: process.env.PATH ?? '', APP_DB_PATH: path },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  return { code: await child.exited, said }
}

test('a person copies the library while it is used, and puts the copy back when it is not', async () => {
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
    said: expect.stringContaining(`${path} is now what was in ${copy}`),
  })
  const titles = (file: string) => {
    const library = openLibrary(file)
    const [first] = listScenarios(library.reader)
    library.close()
    return first?.title
  }
  expect([titles(path), titles(kept)]).toEqual(['Committed', 'Later'])
})

test('a copy goes where it is asked to, and over nothing', async () => {
  const path = join(temporaryFolder(), 'library.db')
  openLibrary(path).close()
  const copy = join(temporaryFolder(), 'my copy.db')
  expect(await run('backup', path, copy)).toEqual({ code: 0, said: `Copied to ${copy}\n` })
  expect(await run('backup', path, copy)).toMatchObject({ code: 1, said: expect.stringContaining('already') })
  expect(existsSync(copy)).toBe(true)
})

test('what cannot be is a sentence', async () => {
  const path = join(temporaryFolder(), 'library.db')
  expect(await run('backup', path)).toEqual({
    code: 1,
    said: `Nothing was copied. There is no library at ${path}.\n`,
  })
  expect(await run('restore', path)).toMatchObject({
    code: 1,
    said: expect.stringContaining('Name the copy'),
  })
  expect(await run('restore', path, '/nowhere/copy.db')).toEqual({
    code: 1,
    said: '/nowhere/copy.db was not put back. There is no such file.\n',
  })
  expect(readdirSync(dirname(path))).toEqual([])
})
