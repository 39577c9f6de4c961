import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runDoctor } from '../../src/app/files/doctor.ts'
import {
  fallSilent,
  frame,
  json,
  raw,
  type Step,
  silent,
  startEndpoint,
} from '../support/endpoint/endpoint.ts'
import { type Ask, Service } from '../support/service/service.ts'
import { temporaryFolder } from '../support/temporary.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

/** A service with a story, in its own library. */
async function begin(settings: object = {}) {
  const path = join(temporaryFolder(), 'library.db')
  const service = await Service.start({ APP_DB_PATH: path })
  await service.ask('PUT', '/api/settings', {
    endpoint_url: endpoint.url,
    model: 'test-model',
    loop_guard: false,
    ...settings,
  })
  const { id } = await service.json('POST', '/api/adventures', {})
  return { path, service, story: `/api/adventures/${id}`, page: `/adventures/${id}` }
}

/** All that remains after a service has stopped: only the library file. */
async function expectClosed(path: string): Promise<void> {
  expect(readdirSync(dirname(path)).sort()).toEqual(['library.db', 'library.db.lock'])
  expect((await runDoctor(path, { version: '' })).findings).toEqual([])
}

/** The stored lines and passages, oldest first. */
function storedIn(path: string): string[] {
  using db = new Database(path, { readonly: true })
  return db
    .query<{ text: string }, []>(`SELECT text FROM actions WHERE type <> 'start' ORDER BY "index"`)
    .all()
    .map(({ text }) => text)
}

/** Enough data in the library to make copying it slow. */
function pad(path: string): void {
  using db = new Database(path)
  db.run('CREATE TABLE padding AS SELECT randomblob(20000000) AS bytes')
}

/** The requested copies, without the daily copy, which may be made at any idle time. */
function backups(path: string): string[] {
  const folder = join(dirname(path), 'backups')
  const all = existsSync(folder) ? readdirSync(folder) : []
  return all.filter((name) => !/^library\.\d{4}-\d\d-\d\d\.db$/.test(name))
}

/** A response that is read bit by bit. */
function read(answer: Response) {
  const reader = answer.body?.getReader()
  let told = ''
  const more = async (): Promise<boolean> => {
    const { done, value } = (await reader?.read()) ?? { done: true }
    told += new TextDecoder().decode(value)
    return !done
  }
  return {
    /** Waits until the response contains a text. */
    async until(words: string) {
      while (!told.includes(words)) if (!(await more())) throw new Error(`It ended without ${words}: ${told}`)
    },
    async whole() {
      while (await more());
      return told
    },
  }
}

/** Some passages of a hidden story are there, and others not. */
const PARTLY = `SELECT 1 FROM adventures a WHERE importing AND
  (SELECT count(*) FROM actions WHERE adventure_id = a.id) BETWEEN 1 AND 1999`
const LONG_STORY = {
  method: 'POST',
  path: '/api/import?apply=1',
  body: {
    format: 'ai-dnd-adventure-v1',
    title: 'Long',
    actions: Array.from({ length: 2_000 }, (_, index) => ({
      index,
      type: index === 0 ? 'start' : 'ai',
      text: `The silverfinch sings for the ${index}th time. ${'Rain falls. '.repeat(30)}`,
    })),
  },
}
const LINE = { type: 'do', text: 'wait' }

describe('a service that is being stopped', () => {
  const moments: [when: string, step: Step, until: string][] = [
    ['while the model is silent', silent, '"waiting"'],
    ['while the model tells', fallSilent('Once upon a time'), '"chunk"'],
  ]
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    for (const [when, step, until] of moments)
      test(`${when} tells the page, keeps the line, and closes the library (${signal})`, async () => {
        const { path, service, story } = await begin()
        endpoint.next(step)
        const turn = read(await service.ask('POST', `${story}/actions`, LINE))
        await endpoint.requestArrived()
        await turn.until(until)
        const ended = service.end(signal)
        const [, said = '{}'] = /data: (\{"type":"error".*)/.exec(await turn.whole()) ?? []
        const error = JSON.parse(said)
        expect(error).toMatchObject({ code: 'disconnected', retryable: true })
        expect(error.detail).toBe('Inglenook was stopped before the reply was complete. Your line is saved.')
        expect(await ended).toBe(0)
        await expectClosed(path)
        expect(storedIn(path)).toEqual(['> You wait.'])
      })

  test('stores a finished reply that waits for the file', async () => {
    const { path, service, story } = await begin()
    using other = new Database(path)
    // In one chunk, so that whoever has received the text has received the end too.
    const whole = frame({ choices: [{ delta: { content: 'The lamp burns low.' }, finish_reason: 'stop' }] })
    endpoint.next((exchange) => {
      other.run('BEGIN IMMEDIATE')
      return raw(200, whole)(exchange)
    })
    const turn = read(await service.ask('POST', `${story}/actions`, LINE))
    await turn.until('"chunk"')
    const ended = service.end()
    const isOpen = () =>
      service.ask('GET', '/api/health').then(
        () => true,
        () => false,
      )
    while (await isOpen()) await Bun.sleep(5)
    other.run('COMMIT')
    expect(await turn.whole()).toContain('"done"')
    expect(await ended).toBe(0)
    other.close()
    expect(storedIn(path)).toEqual(['> You wait.', 'The lamp burns low.'])
  })

  test('does not wait for a silent model server during idle work', async () => {
    endpoint.listWith(silent)
    const { path, service } = await begin()
    const listed = endpoint.listRequests.length
    await service.ask('PUT', '/api/settings', {
      endpoint_url: endpoint.url,
      model: 'other-model',
      loop_guard: false,
    })
    while (endpoint.listRequests.length === listed) await Bun.sleep(10)
    expect(await service.end()).toBe(0)
    endpoint.listWith(json(200, { data: [] }))
    await expectClosed(path)
  })

  const jobs: [what: string, ask: (id: number) => Ask, isUnderWay: string][] = [
    ['indexed', () => LONG_STORY, 'SELECT 1 FROM adventures WHERE id > 2 AND importing IS NULL'],
    ['imported', () => LONG_STORY, PARTLY],
    ['copied', (id) => ({ method: 'POST', path: `/api/adventures/${id}/copy`, body: {} }), PARTLY],
    ['deleted', (id) => ({ method: 'DELETE', path: `/api/adventures/${id}` }), PARTLY],
  ]
  test.each(jobs)(
    'leaves nothing for the doctor to find while a long story is %s',
    async (_, ask, isUnderWay) => {
      const { path, service } = await begin()
      const {
        adventure_ids: [id],
      } = await service.json('POST', LONG_STORY.path, LONG_STORY.body)
      using db = new Database(path, { readonly: true })
      const wanted = ask(id)
      const asked = service.ask(wanted.method, wanted.path, wanted.body).catch(() => {})
      while (db.query(isUnderWay).get() === null) await Bun.sleep(1)
      expect(await service.end()).toBe(0)
      db.close()
      await asked
      expect((await runDoctor(path, { version: '' })).findings).toEqual([])
    },
  )

  test('leaves neither a copy nor a journal if the library was being copied', async () => {
    const { path, service } = await begin()
    pad(path)
    const asking = service.ask('GET', '/api/backup').catch(() => {})
    while (backups(path).length === 0) await Bun.sleep(1)
    expect(await service.end()).toBe(0)
    await asking
    expect(backups(path)).toEqual([])
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  test('does not wait for a client that does not read, and leaves no copy', async () => {
    const { path, service } = await begin()
    pad(path)
    const answer = await service.ask('GET', '/api/backup')
    expect(answer.status).toBe(200)
    expect(await service.end()).toBe(0)
    expect(backups(path)).toEqual([])
  })
})
