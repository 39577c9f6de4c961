import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { start } from '../../src/start.ts'
import { allowTarget } from '../support/endpoint/allowed-targets.ts'
import { say, startEndpoint } from '../support/endpoint/endpoint.ts'
import { openLibrary } from '../support/library/open.ts'
import { faultsIn } from '../support/library/whole-library.ts'
import { playTurn } from '../support/service/events.ts'
import { loopback } from '../support/service/loopback.ts'
import { startServer, type TestServer } from '../support/service/server.ts'
import { temporaryFolder } from '../support/temporary.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

/** A service with a story of one turn, in a folder of its own. */
async function begin(): Promise<TestServer & { id: number }> {
  const dbPath = join(temporaryFolder(), 'stories', 'library.db')
  mkdirSync(dirname(dbPath))
  const server = await startServer({ dbPath })
  await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
  const { id } = (await server.post('/api/adventures', { title: 'Lamp' })).body
  endpoint.byDefault(say('The lamp burns low.'))
  await playTurn(server, id, { type: 'do', text: 'look' })
  return { ...server, id }
}

const titlesIn = (path: string) => {
  using db = new Database(path, { readonly: true })
  return db.query<{ title: string }, []>('SELECT title FROM adventures').all()
}

/** What other programs do with the file of a running service, and how it comes back; null if it cannot. */
const MOVES: [what: string, move: (path: string) => void, back: ((path: string) => void) | null][] = [
  [
    'its folder is renamed',
    (path) => renameSync(dirname(path), `${dirname(path)}-old`),
    (path) => renameSync(`${dirname(path)}-old`, dirname(path)),
  ],
  ['it is renamed', (path) => renameSync(path, `${path}.old`), (path) => renameSync(`${path}.old`, path)],
  ['it is deleted', (path) => rmSync(path), null],
  [
    'another file takes its place',
    (path) => {
      copyFileSync(path, `${path}.copy`)
      renameSync(`${path}.copy`, path)
    },
    null,
  ],
  [
    'another file is there for a while',
    (path) => {
      renameSync(path, `${path}.old`)
      copyFileSync(`${path}.old`, path)
    },
    (path) => renameSync(`${path}.old`, path),
  ],
]

for (const [what, move, back] of MOVES)
  describe(`when ${what} while the service runs`, () => {
    test('nothing is confirmed that would be lost, and every page says why', async () => {
      const { path, send, ask, id, ...server } = await begin()
      const story = `/api/adventures/${id}`
      move(path)
      expect(await send('PATCH', story, { title: 'Lost' })).toMatchObject({
        status: 503,
        body: { code: 'library_moved' },
      })
      const played = await playTurn({ ...server, path, send, ask }, id, { type: 'do', text: 'wait' })
      expect(played.at(-1)).toMatchObject({ type: 'error', code: 'library_moved' })
      for (const [read, status] of [
        ['/api/backup', 503],
        [`${story}/export`, 503],
        [story, 200],
      ] as const)
        expect([read, (await ask(read)).status]).toEqual([read, status])
      for (const page of ['/', `/adventures/${id}`, '/settings', '/storage', '/search?q=lamp']) {
        const html = await (await ask(page)).text()
        expect([page, html.includes('Save what is open as a copy')]).toEqual([page, true])
      }
    })

    test('what is open is saved as a whole copy', async () => {
      const { path, ask } = await begin()
      const around = new Set([dirname(path), dirname(dirname(path))].flatMap((folder) => readdirSync(folder)))
      move(path)
      const page = await (await ask('/storage/save-open', { method: 'POST' })).text()
      const copy = /<code[^>]*>([^<]+)<\/code>/.exec(page)?.[1] ?? ''
      expect(around.has(basename(copy))).toBe(false)
      expect([titlesIn(copy), faultsIn(copy)]).toEqual([[{ title: 'Lamp' }], []])
      // A folder that was renamed can still come back.
      if (back) back(path)
      expect(existsSync(path)).toBe(what !== 'it is deleted')
    })

    test.skipIf(back === null)('the service goes on when it is back', async () => {
      const { path, send, ask, id, ...server } = await begin()
      move(path)
      expect((await send('PATCH', `/api/adventures/${id}`, { title: 'Lost' })).status).toBe(503)
      back?.(path)
      const played = await playTurn({ ...server, path, send, ask }, id, { type: 'do', text: 'wait' })
      expect(played.at(-1)).toMatchObject({ type: 'done' })
      expect(await (await ask('/')).text()).not.toContain('Save what is open')
      expect(faultsIn(path)).toEqual([])
    })
  })

test('a write that a move overtakes is not stored in the file that nobody will find', () => {
  const path = join(temporaryFolder(), 'library.db')
  const library = openLibrary(path)
  const moved = () =>
    library.write((tx) => {
      tx.run('DELETE FROM scenarios')
      renameSync(path, `${path}.old`)
    })
  expect(moved).toThrow('moved, replaced or deleted')
  expect(library.reader.value<number>('SELECT count(*) FROM scenarios')).toBe(3)
  renameSync(`${path}.old`, path)
  library.write((tx) => tx.run('DELETE FROM scenarios'))
  library.close()
})

test('a file system that gives a file another number at each look is not watched', async () => {
  const path = join(temporaryFolder(), 'library.db')
  let looks = 0
  const service = await start(loopback(path), { idleDelay: 1_000_000, fileNumber: () => String(looks++) })
  allowTarget(service.address)
  const { status } = await fetch(new URL('/api/adventures', service.address), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"title": "Lamp"}',
  })
  expect(status).toBe(201)
  await service.stop()
})
