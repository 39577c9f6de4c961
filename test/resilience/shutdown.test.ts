import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fallSilent, frame, json, raw, type Step, silent, startEndpoint } from '../support/endpoint/endpoint.ts'
import { Service } from '../support/service/service.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { faultsIn } from '../support/library/whole-library.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

/** A service with a story, on a library of its own. */
async function begin(settings: object = {}) {
  const path = join(temporaryFolder(), 'library.db')
  const service = await Service.start({ APP_DB_PATH: path })
  await service.ask('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model', ...settings })
  const { id } = await service.json('POST', '/api/adventures', {})
  return { path, service, story: `/api/adventures/${id}`, page: `/adventures/${id}` }
}

/** All that is left of a service that has ended: the file alone. */
function expectClosed(path: string): void {
  expect(readdirSync(dirname(path)).sort()).toEqual(['library.db', 'library.db.lock'])
  expect(faultsIn(path)).toEqual([])
}

/** The lines and passages that are stored, the oldest first. */
function storedIn(path: string): string[] {
  using db = new Database(path, { readonly: true })
  return db
    .query<{ text: string }, []>(`SELECT text FROM actions WHERE type <> 'start' ORDER BY "index"`)
    .all()
    .map(({ text }) => text)
}

/** So much in the library that copying it takes its time. */
function pad(path: string): void {
  using db = new Database(path)
  db.run('CREATE TABLE padding AS SELECT randomblob(20000000) AS bytes')
}

/** Copies that were asked for. That of the day comes in idle time, whenever there is some. */
function backups(path: string): string[] {
  const folder = join(dirname(path), 'backups')
  const all = existsSync(folder) ? readdirSync(folder) : []
  return all.filter((name) => !/^library\.\d{4}-\d\d-\d\d\.db$/.test(name))
}

/** An answer that comes bit by bit. */
function read(answer: Response) {
  const reader = answer.body?.getReader()
  let told = ''
  const more = async (): Promise<boolean> => {
    const { done, value } = (await reader?.read()) ?? { done: true }
    told += new TextDecoder().decode(value)
    return !done
  }
  return {
    /** Waits until it says that. */
    async until(words: string) {
      while (!told.includes(words)) if (!(await more())) throw new Error(`It ended without ${words}: ${told}`)
    },
    async whole() {
      while (await more());
      return told
    },
  }
}

const LINE = { type: 'do', text: 'wait' }

describe('a service that is stopped', () => {
  const moments: [when: string, step: Step, until: string][] = [
    ['while the model is silent', silent, '"waiting"'],
    ['while the model tells', fallSilent('Once upon a time'), '"chunk"'],
  ]
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    for (const [when, step, until] of moments)
      test(`${when} says so to the page, keeps the line, and closes the library (${signal})`, async () => {
        const { path, service, story } = await begin()
        endpoint.next(step)
        const turn = read(await service.ask('POST', `${story}/actions`, LINE))
        await endpoint.requestArrived()
        await turn.until(until)
        const ended = service.end(signal)
        const [, said = '{}'] = /data: (\{"type":"error".*)/.exec(await turn.whole()) ?? []
        const error = JSON.parse(said)
        expect(error).toMatchObject({ code: 'disconnected', retryable: true })
        expect(error.detail).toBe('Inglenook was stopped before the narrator had ended. Your line is kept.')
        expect(await ended).toBe(0)
        expectClosed(path)
        expect(storedIn(path)).toEqual(['> You wait.'])
      })

  test('tells a page without script the same', async () => {
    const { service, page } = await begin()
    endpoint.next(fallSilent('Once upon a time'))
    const answer = await fetch(new URL(`${page}/turns`, service.address), {
      method: 'POST',
      body: new URLSearchParams(LINE),
    })
    await endpoint.requestArrived()
    const [ended, html] = await Promise.all([service.end(), answer.text()])
    expect([ended, html.includes('Inglenook was stopped before')]).toEqual([0, true])
    expect(html).toEndWith('</html>')
  })

  test('while a finished reply waits for the file stores it first', async () => {
    const { path, service, story } = await begin()
    using other = new Database(path)
    // In one piece: whoever has seen the words has the end too.
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

  test('does not wait for a model server that says nothing in idle time', async () => {
    endpoint.listWith(silent)
    const { path, service } = await begin()
    const listed = endpoint.listRequests.length
    await service.ask('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'other-model' })
    while (endpoint.listRequests.length === listed) await Bun.sleep(10)
    expect(await service.end()).toBe(0)
    endpoint.listWith(json(200, { data: [] }))
    expectClosed(path)
  })

  test('while the library is copied leaves neither a copy nor a journal', async () => {
    const { path, service } = await begin()
    pad(path)
    const asking = service.ask('GET', '/api/backup').catch(() => {})
    while (backups(path).length === 0) await Bun.sleep(1)
    expect(await service.end()).toBe(0)
    await asking
    expect(backups(path)).toEqual([])
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  test('does not wait for a client that does not read, and leaves no copy behind', async () => {
    const { path, service } = await begin()
    pad(path)
    const answer = await service.ask('GET', '/api/backup')
    expect(answer.status).toBe(200)
    expect(await service.end()).toBe(0)
    expect(backups(path)).toEqual([])
  })
})
