import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assertRoomToImport } from '../../src/db/storage-errors.ts'
import { leaveEarlierLibrary } from '../support/earlier/release.ts'
import { json, type Step, say, startEndpoint } from '../support/endpoint/endpoint.ts'
import { type Disk, diskOf, diskUnder, shortOf, withoutPowers } from '../support/library/full-disk.ts'
import { openLibrary } from '../support/library/open.ts'
import { faultsIn, wholeLibrary } from '../support/library/whole-library.ts'
import { refusalOf, spawnProgram, spawnService } from '../support/service/process.ts'
import { startServer } from '../support/service/server.ts'
import { type Ask, initOf, Service } from '../support/service/service.ts'
import { temporaryFolder } from '../support/temporary.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
// Lines too long for the window that it tells by default.
endpoint.listWith(json(200, { data: [{ id: 'test-model' }] }))
const PROSE = 'The lamp burns low.'

/** A service on its own disk, with a story of one turn. */
interface Sick {
  path: string
  disk: Disk
  ask(ask: Ask): Promise<Response>
  /** The paths of the API and the page of the story. */
  story: string
  page: string
}

const disks: [what: string, start: () => Promise<Omit<Sick, 'story' | 'page'>>][] = [
  [
    'takes no byte more',
    async () => {
      const path = join(temporaryFolder(), 'library.db')
      const service = await Service.start({ APP_DB_PATH: path })
      const ask = (asked: Ask) => fetch(new URL(asked.path, service.address), initOf(asked))
      return { path, disk: diskOf(service.child.pid), ask }
    },
  ],
  [
    'has no room for another page',
    async () => {
      const server = await startServer()
      const ask = (asked: Ask) => server.ask(asked.path, initOf(asked))
      return { path: server.path, disk: diskUnder(server.deps.library.reader), ask }
    },
  ],
]

async function begin(start: () => Promise<Omit<Sick, 'story' | 'page'>>): Promise<Sick> {
  const sick = await start()
  const body = { endpoint_url: endpoint.url, model: 'test-model', loop_guard: false }
  await sick.ask({ method: 'PUT', path: '/api/settings', body })
  const stats = { player: { warmth: { initial: 9, min: 0 } } }
  const scenario = await sick.ask({ method: 'POST', path: '/api/scenarios', body: { stat_schema: stats } })
  const { id: scenario_id } = (await scenario.json()) as { id: number }
  const made = await sick.ask({ method: 'POST', path: '/api/adventures', body: { scenario_id } })
  const { id } = (await made.json()) as { id: number }
  const whole = { ...sick, story: `/api/adventures/${id}`, page: `/adventures/${id}` }
  await sick.ask({ method: 'PATCH', path: whole.story, body: { memory: LONG } })
  endpoint.byDefault(say(PROSE))
  expect(await turn(whole, 'look')).toMatchObject({ type: 'done' })
  return whole
}

/** Plays a turn, or retries if there is no text, and returns the last event. */
async function turn({ ask, story }: Sick, text: string) {
  const body = { type: 'do', text }
  const answer = await ask(
    text ? { method: 'POST', path: `${story}/actions`, body } : { method: 'POST', path: `${story}/retry` },
  )
  expect(answer.status).toBe(200)
  const events = [...(await answer.text()).matchAll(/^data: (.*)$/gm)].map(([, data = '']) =>
    JSON.parse(data),
  )
  return events.at(-1)
}

const LONG = 'Salt. '.repeat(3_000)
const IMPORT: Ask = {
  method: 'POST',
  path: '/api/import?apply=1',
  body: { format: 'ai-dnd-scenario-v1', title: 'Salt', prompt: LONG },
}

for (const [what, start] of disks)
  describe(`76 a disk that ${what} while the service is running`, () => {
    test('refuses every write with a sentence, changes nothing, and can still be read', async () => {
      const sick = await begin(start)
      const { path, disk, ask, story, page } = sick
      const writes: Ask[] = [
        { method: 'PUT', path: '/api/settings', body: { narrator_prompt: LONG } },
        { method: 'POST', path: '/api/scenarios', body: { memory: LONG } },
        { method: 'PATCH', path: '/api/scenarios/1', body: { memory: LONG } },
        { method: 'POST', path: '/api/story-cards', body: { scenario_id: 1, entry: LONG } },
        { method: 'PATCH', path: story, body: { memory: LONG + LONG } },
        { method: 'PATCH', path: `${story}/actions/1`, body: { text: LONG } },
        { method: 'POST', path: `${story}/copy`, body: { up_to: null } },
        // An import has a connection of its own, which the limit of the other one does not reach.
        ...(what === 'takes no byte more' ? [IMPORT] : []),
      ]
      const before = wholeLibrary(path)
      disk.fill()
      for (const write of writes) {
        const answer = await ask(write)
        expect([write.path, answer.status, await answer.json()]).toEqual([
          write.path,
          507,
          {
            code: 'storage_full',
            detail: expect.stringMatching(/disk is full.*Nothing was changed.*try again/),
          },
        ])
      }
      expect(wholeLibrary(path)).toEqual(before)
      for (const read of [
        '/',
        page,
        '/settings',
        '/api/settings',
        story,
        `${story}/actions`,
        '/api/scenarios',
      ])
        expect([read, (await ask({ method: 'GET', path: read })).status]).toEqual([read, 200])
      disk.makeRoom()
      for (const write of writes)
        expect([write.path, (await ask(write)).status < 300]).toEqual([write.path, true])
      expect(await turn(sick, 'wait')).toMatchObject({ type: 'done', action: { text: PROSE } })
      expect(faultsIn(path)).toEqual([])
    })

    test('keeps the typed text in the composer, and reports the error in the stream', async () => {
      const sick = await begin(start)
      const { path, disk, ask, page } = sick
      const before = wholeLibrary(path)
      const text = `wait <b> ${LONG}`.slice(0, 19_000)
      const form = { type: 'say', text }
      disk.fill()
      const refused = await ask({ method: 'POST', path: `${page}/turns`, form })
      const html = await refused.text()
      expect([refused.status, html.includes('disk is full')]).toEqual([507, true])
      expect(html).toContain('wait &lt;b')
      expect(html.match(/Salt\. /g)?.length).toBeGreaterThan(2_900)
      expect(await turn(sick, text)).toMatchObject({
        type: 'error',
        code: 'storage_failed',
        detail: expect.stringContaining('disk is full'),
        retryable: true,
      })
      expect(wholeLibrary(path)).toEqual(before)
      disk.makeRoom()
      const answer = await ask({ method: 'POST', path: `${page}/turns`, form })
      expect(answer.status).toBe(303)
      const shown = async () => (await ask({ method: 'GET', path: page })).text()
      while ((await shown()).includes('id="telling"')) await Bun.sleep(10)
      expect(await turn(sick, '')).toMatchObject({ type: 'done' })
    })

    test('that fills up during generation leaves no half-finished turn, and the reply can be kept', async () => {
      const sick = await begin(start)
      const { path, disk, ask, story, page } = sick
      const REPLY = `${LONG.slice(0, 12_000)}${PROSE}`
      /** Fills the disk before the reply arrives. */
      const meanwhile: Step = (exchange) => {
        disk.fill()
        return say(REPLY)(exchange)
      }
      const keep: Ask = { method: 'POST', path: `${story}/interrupted/keep` }
      const shown = async () => (await ask({ method: 'GET', path: story })).json()
      endpoint.next(meanwhile)
      expect(await turn(sick, 'wait')).toMatchObject({ type: 'error', code: 'storage_failed' })
      const lined = wholeLibrary(path)
      const { actions, interrupted } = (await shown()) as { actions: object[]; interrupted: object }
      expect(actions.at(-1)).toMatchObject({ type: 'do', text: '> You wait.', waiting: true })
      const reason = expect.stringContaining('disk is full')
      expect(interrupted).toEqual({ text: REPLY, retry: false, reason, unsaved: true })
      const html = await (await ask({ method: 'GET', path: page })).text()
      expect([html.includes(PROSE), html.includes('could not be saved: the disk is full')]).toEqual([
        true,
        true,
      ])
      // While the disk is full, nothing is asked for that would be lost too.
      const { length } = endpoint.requests
      for (const text of ['', 'wait', 'go'])
        expect(await turn(sick, text)).toMatchObject({ type: 'error', code: 'storage_failed' })
      expect([(await ask(keep)).status, endpoint.requests.length]).toEqual([507, length])
      expect(wholeLibrary(path)).toEqual(lined)
      expect(await shown()).toMatchObject({ interrupted })
      disk.makeRoom()
      expect(await (await ask(keep)).json()).toMatchObject({ text: REPLY, cut: null, variant_count: 1 })
      await (await ask({ method: 'POST', path: `${story}/record` })).text()
      // A retry that cannot be stored leaves the existing variant, and can be kept too.
      const told = wholeLibrary(path)
      endpoint.next(meanwhile)
      expect(await turn(sick, '')).toMatchObject({ type: 'error', code: 'storage_failed' })
      expect(wholeLibrary(path)).toEqual(told)
      expect(await shown()).toMatchObject({ interrupted: { text: REPLY, retry: true, unsaved: true } })
      disk.makeRoom()
      expect(await (await ask(keep)).json()).toMatchObject({ text: REPLY, variant_count: 2 })
      expect(await shown()).toMatchObject({ interrupted: null })
      expect(await turn(sick, '')).toMatchObject({ type: 'done', action: { variant_count: 3 } })
      expect(faultsIn(path)).toEqual([])
    })

    test('and stays full keeps the reply out of the way of a discard and a retry', async () => {
      const sick = await begin(start)
      const { disk, ask, story } = sick
      const interrupted = async () =>
        ((await (await ask({ method: 'GET', path: story })).json()) as { interrupted: object }).interrupted
      const fail = async () => {
        endpoint.next((exchange) => {
          disk.fill()
          return say(LONG)(exchange)
        })
        expect(await turn(sick, 'wait')).toMatchObject({ type: 'error', code: 'storage_failed' })
      }
      await fail()
      expect((await ask({ method: 'DELETE', path: `${story}/interrupted` })).status).toBe(204)
      expect(await interrupted()).toBeNull()
      disk.makeRoom()
      await fail()
      disk.makeRoom()
      expect(await turn(sick, '')).toMatchObject({ type: 'done', action: { text: PROSE, variant_count: 1 } })
      expect(await interrupted()).toBeNull()
    })
  })

test('76 a reply that a full disk kept from being saved is saved when the service ends', async () => {
  const env = { APP_DB_PATH: join(temporaryFolder(), 'library.db') }
  const service = await Service.start(env)
  const disk = diskOf(service.child.pid)
  await service.ask('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
  const { id } = await service.json('POST', '/api/adventures', {})
  endpoint.next((exchange) => {
    disk.fill()
    return say(PROSE)(exchange)
  })
  const last = (await service.turn(`/api/adventures/${id}/actions`, { type: 'do', text: 'wait' })).at(-1)
  expect(last).toMatchObject({ type: 'error', code: 'storage_failed' })
  disk.makeRoom()
  await service.end()
  const next = await Service.start(env)
  expect((await next.json('GET', `/api/adventures/${id}`)).interrupted).toEqual({
    text: PROSE,
    retry: false,
    reason: last?.detail,
  })
  await next.end()
})

describe('76 a copy that does not fit on the disk', () => {
  const backups = (path: string) => {
    const folder = join(dirname(path), 'backups')
    return existsSync(folder) ? readdirSync(folder) : []
  }

  test('is refused with a sentence, and leaves no incomplete file', async () => {
    const path = join(temporaryFolder(), 'library.db')
    const service = await Service.start({ APP_DB_PATH: path })
    const disk = diskOf(service.child.pid)
    disk.fill()
    expect([(await service.ask('GET', '/api/backup')).status, backups(path)]).toEqual([507, []])
    disk.makeRoom()
    expect((await service.ask('GET', '/api/backup')).status).toBe(200)
    // A service that rests makes a copy of its own.
    await service.end()
    const before = backups(path)
    const { code, said } = await refusalOf(
      spawnProgram('backup', { APP_DB_PATH: path }, [], { before: shortOf(20) }),
    )
    expect([code, said]).toEqual([1, 'No backup was made. The disk is full or failing.'])
    expect(backups(path)).toEqual(before)
  })

  test('leaves the library unchanged if it is being restored', async () => {
    const [path, copy] = [join(temporaryFolder(), 'library.db'), join(temporaryFolder(), 'copy.db')]
    openLibrary(path).close()
    leaveEarlierLibrary(copy)
    using old = new Database(path)
    old.run('CREATE TABLE padding AS SELECT randomblob(1000000) AS bytes')
    old.close()
    const before = readFileSync(path)
    // The last limit leaves space for the restored library, but not for keeping the old one.
    for (const bytes of [0, 4_096, 51_200, statSync(copy).size + 409_600]) {
      const restoring = spawnProgram('restore', { APP_DB_PATH: path }, [copy], {
        before: shortOf(Math.floor(bytes / 512)),
      })
      const { code, said } = await refusalOf(restoring)
      expect([code, said]).toEqual([1, `${copy} was not restored. The disk is full or failing.`])
      expect(readFileSync(path).equals(before)).toBe(true)
      expect(readdirSync(dirname(path)).sort()).toEqual(['library.db', 'library.db.lock'])
    }
  })
})

test('76 an import that does not fit is refused before anything of it is written', () => {
  const room = (bytes: number) => () => assertRoomToImport('/library.db', 20_000_000, () => bytes)
  expect(room(19_800_000)).toThrow('too full for this import')
  expect(room(100_000_000)).not.toThrow()
})

test('76 a library that a full disk kept from being closed can be read at the next start, and played with room', async () => {
  const path = join(temporaryFolder(), 'library.db')
  {
    using library = openLibrary(path)
    library.write((tx) =>
      tx.insert('adventures', { title: 'Lamp', user_id: 1, created_at: '', updated_at: '' }),
    )
  }
  utimesSync(path, new Date(), new Date())
  const service = await Service.start({ APP_DB_PATH: path }, ...shortOf(20))
  expect(await (await service.ask('GET', '/')).text()).toContain('Lamp')
  expect(await service.json('PATCH', '/api/adventures/1', { title: 'New' })).toMatchObject({
    code: 'storage_full',
  })
  await service.end()
  const again = await Service.start({ APP_DB_PATH: path })
  expect(await again.json('PATCH', '/api/adventures/1', { title: 'New' })).toMatchObject({ title: 'New' })
  await again.end()
})

describe('76 a start on a full disk is refused in one sentence', () => {
  const refused = async (path: string, blocks: number) => {
    const { code, said } = await refusalOf(spawnService({ APP_DB_PATH: path }, { before: shortOf(blocks) }))
    expect([code, said]).toEqual([1, `${path} was not opened. The disk is full or failing.`])
  }

  test('and leaves nothing unfinished', async () => {
    const path = join(temporaryFolder(), 'library.db')
    for (const blocks of [0, 1, 50, 300]) {
      await refused(path, blocks)
      expect(readdirSync(dirname(path))).toEqual(['library.db.lock'])
    }
    openLibrary(path).close()
  })

  test('and leaves a library of the earlier release unchanged', async () => {
    const path = join(temporaryFolder(), 'library.db')
    leaveEarlierLibrary(path)
    const words = wholeLibrary(path)
    const { size } = statSync(path)
    // Before, during and after the trial copy, and in the middle of the migrations.
    for (const bytes of [0, 4_096, size - 512, size, size + 16_384]) {
      const before = readFileSync(path)
      const { code, said } = await refusalOf(
        spawnService({ APP_DB_PATH: path }, { before: shortOf(bytes / 512) }),
      )
      expect([code, said]).toEqual([1, expect.stringContaining(`${path} was not opened. The disk is full`)])
      if (bytes < size) expect(readFileSync(path).equals(before)).toBe(true)
      expect([bytes, wholeLibrary(path)]).toEqual([bytes, words])
      expect(
        readdirSync(dirname(path)).filter(
          (name) => !/^library\.(db(-wal|-shm|\.lock)?|before-0001-baseline-\d{8}T\d{6}\.db)$/.test(name),
        ),
      ).toEqual([])
    }
    openLibrary(path).close()
  })
})

describe('76 a read-only library', () => {
  const places: [what: string, prepare: (path: string) => void][] = [
    ['itself', (path) => chmodSync(path, 0o444)],
    ['with its folder', (path) => chmodSync(dirname(path), 0o555)],
    [
      'with its lock',
      (path) => {
        openLibrary(path).close()
        chmodSync(`${path}.lock`, 0o444)
      },
    ],
  ]
  for (const [what, prepare] of places)
    test(`${what} is refused with a sentence, and left unchanged`, async () => {
      const folder = join(temporaryFolder(), 'shelf')
      mkdirSync(folder)
      const path = join(folder, 'library.db')
      openLibrary(path).close()
      prepare(path)
      const before = readFileSync(path)
      const { code, said } = await refusalOf(spawnService({ APP_DB_PATH: path }, { before: withoutPowers() }))
      chmodSync(folder, 0o755)
      expect([code, said]).toEqual([
        1,
        `${path} was not opened. The file or its folder is not writable. Change its permissions, or set APP_DB_PATH to another file.`,
      ])
      expect(readFileSync(path).equals(before)).toBe(true)
      expect(readdirSync(folder).sort()).toEqual(['library.db', 'library.db.lock'])
    })

  test('in a folder that has become read-only can be played, but not copied into that folder', async () => {
    const folder = join(temporaryFolder(), 'shelf')
    mkdirSync(folder)
    const path = join(folder, 'library.db')
    const service = await Service.start({ APP_DB_PATH: path }, ...withoutPowers())
    const { id } = await service.json('POST', '/api/adventures', {})
    chmodSync(folder, 0o555)
    const last = (await service.turn(`/api/adventures/${id}/actions`, { type: 'do', text: 'wait' })).at(-1)
    const copied = await service.json('GET', '/api/backup')
    chmodSync(folder, 0o755)
    expect([last.type, copied.code]).toEqual(['done', 'storage_full'])
  })
})
