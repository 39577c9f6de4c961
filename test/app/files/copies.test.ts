import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { runDoctor } from '../../../src/app/files/doctor.ts'
import { keepDailyCopy } from '../../../src/app/storage/backup.ts'
import { runInWorker } from '../../../src/app/worker/run-in-worker.ts'
import { openImmutable } from '../../../src/db/connections.ts'
import { restoreLibrary } from '../../../src/db/library/restore.ts'
import { gate, sayAndRecord, sayAround, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { openLibrary } from '../../support/library/open.ts'
import { ofType, playTurn, startTurn } from '../../support/service/events.ts'
import { programCommand } from '../../support/service/program-command.ts'
import { startServer, type TestServer } from '../../support/service/server.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
endpoint.byDefault(sayAndRecord('The wind sings.', { 'player.warmth': -1 }))
let now = new Date('2030-03-01T10:00:00Z')
const server = await startServer({ now: () => new Date(now.getTime() + performance.now()) })
const folder = join(dirname(server.path), 'backups')
const actions = '/api/adventures/1/actions'

beforeAll(async () => {
  await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
  await server.post('/api/scenarios', {
    title: 'Rock',
    prompt: 'The lamp is lit.',
    stat_schema: LANTERN_ROCK,
  })
  await server.post('/api/adventures', { scenario_id: 4 })
  await playTurn(server, 1, { type: 'do', text: 'wait' })
  // So much that a copy takes its time.
  server.deps.library.write((tx) => {
    for (let i = 0; i < 80; i++)
      tx.run("INSERT INTO endpoint_facts (url, model, evidence) VALUES ('', ?, hex(randomblob(50000)))", i)
  })
})

/** Copies the library by a road and gives the copy, which is then nobody's. */
type Road = (server: TestServer) => Promise<string>

const keep = (bytes: ArrayBuffer): string => {
  const copy = join(temporaryFolder(), 'copy.db')
  writeFileSync(copy, new Uint8Array(bytes))
  return copy
}

const byAddress: Road = async () => keep(await (await server.ask('/api/backup')).arrayBuffer())

const byButton: Road = async () => {
  const page = await (await server.ask('/')).text()
  const [, href = ''] = /href="([^"]+)">Back up the whole library</.exec(page) ?? []
  const answer = await server.ask(href)
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="library\.copy-\d{8}T\d{6}\.db"/,
  )
  return keep(await answer.arrayBuffer())
}

const byProgram: Road = async () => {
  const copy = join(temporaryFolder(), 'copy.db')
  const program = Bun.spawn([...programCommand(), 'backup', copy], {
    env: { PATH: process.env.PATH ?? '', APP_DB_PATH: server.path },
    stdout: 'ignore',
  })
  expect(await program.exited).toBe(0)
  return copy
}

const byDay: Road = async () => {
  now = new Date(now.getTime() + 24 * 60 * 60 * 1_000)
  const day = `library.${now.toISOString().slice(0, 10)}.db`
  await keepDailyCopy(server.deps, new AbortController().signal)
  const copy = keep(readFileSync(join(folder, day)).buffer)
  rmSync(join(folder, day))
  return copy
}

const ROADS: [name: string, road: Road][] = [
  ['by its address', byAddress],
  ['by the button of the page', byButton],
  ['by the program', byProgram],
  ['once a day', byDay],
]

/** Every row of every table, as it is stored. */
function rowsIn(path: string): Record<string, string> {
  using db = new Database(path, { readonly: true })
  const tables = db
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      Bun.hash(JSON.stringify(db.query(`SELECT * FROM "${name}"`).all())).toString(),
    ]),
  )
}

async function findingsIn(path: string) {
  return (await runDoctor(path, { version: '' })).findings
}

describe('while a turn streams, a copy that is made', () => {
  for (const [name, road] of ROADS)
    test(`${name} is the library as it is committed, and a whole file by itself`, async () => {
      const half = gate()
      endpoint.next(sayAround('The wind ', half, 'sings.'))
      const turn = await startTurn(server, actions, { type: 'say', text: 'What now?' })
      await turn.until(ofType('chunk'))
      const committed = rowsIn(server.path)
      const copy = await road(server)
      expect(rowsIn(server.path)).toEqual(committed)
      half.open()
      expect((await turn.rest()).at(-1)).toMatchObject({ type: 'done', action: { text: 'The wind sings.' } })

      expect(readdirSync(dirname(copy))).toEqual(['copy.db'])
      // Not in the mode that needs a journal beside it: it opens where nothing can be written.
      expect(readFileSync(copy).subarray(18, 20)).toEqual(Buffer.of(1, 1))
      expect(rowsIn(copy)).toEqual(committed)
      expect(await findingsIn(copy)).toEqual([])
      const place = join(temporaryFolder(), 'library.db')
      restoreLibrary(place, copy, now)
      const library = openLibrary(place)
      expect(library.reader.get('SELECT text FROM actions ORDER BY id DESC LIMIT 1')).toEqual({
        text: '> You say "What now?"',
      })
      library.close()
    })
})

test('a turn that is committed while copies are made stands in each of them whole, or not at all', async () => {
  let isCopying = true
  const copying = Promise.all(
    ROADS.flatMap(([, road]) => (road === byAddress ? [road, road] : [road])).map((road) => road(server)),
  )
  const copied = copying.finally(() => {
    isCopying = false
  })
  let turns = 0
  for (; isCopying; turns++)
    expect((await playTurn(server, 1, { type: 'do', text: 'wait' })).at(-1)).toMatchObject({ type: 'done' })
  expect(turns).toBeGreaterThan(0)
  for (const copy of await copied) expect(await findingsIn(copy)).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

test('others are answered while a copy is held open', async () => {
  const answer = await server.ask('/api/backup')
  const reader = answer.body?.getReader()
  const first = await reader?.read()
  for (let i = 0; i < 20; i++) expect((await server.ask('/adventures/1')).status).toBe(200)
  expect((await playTurn(server, 1, { type: 'do', text: 'wait' })).at(-1)).toMatchObject({ type: 'done' })
  const pieces = [first?.value ?? new Uint8Array()]
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) pieces.push(read.value)
  expect(await findingsIn(keep(Buffer.concat(pieces).buffer))).toEqual([])
})

describe('nothing stays of a copy whose client leaves', () => {
  /** What has been seen of a copy when its client goes. */
  const moments: [when: string, isThere: (got: number) => boolean][] = [
    ['before it is begun', () => true],
    [
      'while it is made',
      () => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.unfinished')),
    ],
    ['at its first bytes', (got) => got > 0],
    ['in the middle', (got) => got > 4_000_000],
  ]
  for (const [when, isThere] of moments)
    test(when, async () => {
      let got = 0
      const { hostname, port } = new URL(server.address)
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET /api/backup HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`),
      )
      socket.on('data', (bytes) => {
        got += bytes.length
      })
      await new Promise((connected) => socket.once('connect', connected))
      while (!isThere(got)) await new Promise((later) => setTimeout(later, 1))
      socket.destroy()
      // Whatever comes next is behind it.
      expect((await server.ask('/api/backup', { method: 'HEAD' })).status).toBe(200)
      await (await server.ask('/api/backup')).arrayBuffer()
      while (readdirSync(folder).length > 0) await new Promise((later) => setTimeout(later, 5))
    })
})

test('the thread of a copy that nobody waits for has ended before it is cleared away', async () => {
  const leaving = new AbortController()
  const place = temporaryFolder()
  const given = { path: server.path, target: join(place, 'copy.db') }
  const copying = runInWorker('copy', given, leaving.signal)
  while (readdirSync(place).length === 0) await new Promise((later) => setTimeout(later, 1))
  leaving.abort()
  expect(await copying.catch(({ code }) => code)).toBe('disconnected')
  // What SQLite was in the middle of is done: else it would go on to write behind the back of who clears it away.
  const [left = ''] = readdirSync(place)
  using db = openImmutable(join(place, left))
  expect(db.query('PRAGMA quick_check(1)').all()).toEqual([{ quick_check: 'ok' }])
})
