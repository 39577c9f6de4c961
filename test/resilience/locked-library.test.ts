import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Step, say, startEndpoint } from '../support/endpoint/endpoint.ts'
import { openLibrary } from '../support/library/open.ts'
import { faultsIn, wholeLibrary } from '../support/library/whole-library.ts'
import { playTurn, retryTurn } from '../support/service/events.ts'
import { refusalOf, spawnService } from '../support/service/process.ts'
import { startServer } from '../support/service/server.ts'
import { type Ask, initOf, Service } from '../support/service/service.ts'
import { temporaryFolder } from '../support/temporary.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const MODEL = { endpoint_url: endpoint.url, model: 'test-model', loop_guard: false }
const PROSE = 'The lamp burns low.'

/** Another program that locks a library until it is released. */
function hold(path: string, how = 'BEGIN IMMEDIATE'): Disposable {
  const other = new Database(path)
  other.run(how)
  return {
    [Symbol.dispose]: () => {
      other.run('COMMIT')
      other.close()
    },
  }
}

describe('76 a library locked by another program', () => {
  test('is refused at the start with a sentence, and opens when it is unlocked', async () => {
    const path = join(temporaryFolder(), 'library.db')
    openLibrary(path).close()
    const before = readFileSync(path)
    {
      using _ = hold(path, 'BEGIN EXCLUSIVE')
      const { code, said } = await refusalOf(spawnService({ APP_DB_PATH: path }))
      expect([code, said]).toEqual([
        1,
        `${path} was not opened. Another program is using it. Close that program, then try again.`,
      ])
    }
    expect(readFileSync(path).equals(before)).toBe(true)
    openLibrary(path).close()
  })

  test('refuses each write with a sentence, changes nothing, and can still be read', async () => {
    const path = join(temporaryFolder(), 'library.db')
    const service = await Service.start({ APP_DB_PATH: path })
    await service.ask('PUT', '/api/settings', MODEL)
    const { id } = await service.json('POST', '/api/adventures', { scenario_id: 1 })
    endpoint.byDefault(say(PROSE))
    const story = `/api/adventures/${id}`
    const line = { type: 'do', text: 'look' }
    expect((await service.turn(`${story}/actions`, line)).at(-1)).toMatchObject({ type: 'done' })
    const before = wholeLibrary(path)
    const writes: Ask[] = [
      { method: 'PUT', path: '/api/settings', body: { memory_top_k: 4 } },
      { method: 'POST', path: '/api/scenarios', body: { title: 'New' } },
      { method: 'PATCH', path: '/api/scenarios/1', body: { title: 'New' } },
      { method: 'DELETE', path: '/api/scenarios/1' },
      { method: 'POST', path: '/api/story-cards', body: { scenario_id: 1, name: 'New' } },
      { method: 'POST', path: '/api/adventures', body: {} },
      { method: 'PATCH', path: story, body: { memory: 'New' } },
      { method: 'PATCH', path: `${story}/actions/1`, body: { text: 'New' } },
      { method: 'POST', path: `${story}/undo` },
      { method: 'POST', path: `${story}/refresh` },
      { method: 'POST', path: `${story}/copy`, body: { up_to: null } },
      { method: 'DELETE', path: story },
      { method: 'POST', path: '/api/import?apply=1', body: { format: 'ai-dnd-scenario-v1', title: 'New' } },
    ]
    {
      using _ = hold(path)
      for (const write of writes) {
        const answer = await fetch(new URL(write.path, service.address), initOf(write))
        const said = await answer.text()
        expect([write.path, answer.status]).toEqual([write.path, 503])
        expect(said).toContain('Another program is using the library file. Try again in a moment.')
        expect(JSON.parse(said).code).toBe('library_busy')
      }
      // After 5 seconds. The text is not stored, and the stream says so.
      expect((await service.turn(`${story}/actions`, { type: 'do', text: 'wait' })).at(-1)).toMatchObject({
        type: 'error',
        code: 'storage_failed',
        detail: expect.stringContaining('Another program is using the library file'),
        retryable: true,
      })
      const form = { method: 'POST', path: `/adventures/${id}/turns`, form: { type: 'do', text: 'wait <b>' } }
      const page = await fetch(new URL(form.path, service.address), initOf(form))
      expect([page.status, (await page.text()).includes('wait &lt;b')]).toEqual([503, true])
      for (const read of ['/', `/adventures/${id}`, '/settings', story, '/api/settings', '/api/backup'])
        expect([read, (await service.ask('GET', read)).status]).toEqual([read, 200])
      expect(wholeLibrary(path)).toEqual(before)
    }
    expect((await service.turn(`${story}/actions`, line)).at(-1)).toMatchObject({ type: 'done' })
    expect(faultsIn(path)).toEqual([])
  })

  test('does not stop the service while it makes memories', async () => {
    const path = join(temporaryFolder(), 'library.db')
    const first = await Service.start({ APP_DB_PATH: path })
    await first.ask('PUT', '/api/settings', MODEL)
    const { id } = await first.json('POST', '/api/adventures', {})
    expect(await first.end()).toBe(0)
    // It pauses for two turns, and even that is stored.
    const resting = new Database(path)
    resting.run('INSERT INTO remember_troubles (adventure_id, failures, rests, detail) VALUES (?, 2, 2, ?)', [
      id,
      '',
    ])
    resting.close()
    const service = await Service.start({ APP_DB_PATH: path })
    // A write is answered when the library was checked.
    await service.ask('PUT', '/api/settings', MODEL)
    {
      using _ = hold(path)
      const log = service.child.stderr.getReader()
      let said = ''
      while (!said.includes('could not be recorded')) {
        const { done, value } = await log.read()
        if (done) break
        said += new TextDecoder().decode(value)
      }
      expect(said).toContain('A failed memory could not be recorded')
      expect((await service.json('GET', '/api/health')).ok).toBe(true)
    }
    expect(await service.end()).toBe(0)
  })
})

describe('76 a library that is locked during generation', () => {
  /** The clock advances a second with each reading, so that no test waits for the timeout of a commit. */
  async function begin() {
    let time = Date.now()
    const now = () => {
      time += 1_000
      return new Date(time)
    }
    const server = await startServer({ now })
    await server.send('PUT', '/api/settings', MODEL)
    const { id } = (await server.post('/api/adventures', {})).body
    endpoint.byDefault(say(PROSE))
    await playTurn(server, id, { type: 'do', text: 'look' })
    return { server, id }
  }
  const held =
    (path: string, holds: Disposable[]): Step =>
    (exchange) => {
      holds.push(hold(path))
      return say('The wind sings.')(exchange)
    }

  for (const [what, retries] of [
    ['a turn', false],
    ['a retry', true],
  ] as const)
    test(`finally fails ${what}, and stores nothing of it`, async () => {
      const { server, id } = await begin()
      const before = wholeLibrary(server.path)
      const holds: Disposable[] = []
      endpoint.next(held(server.path, holds))
      const events = await (retries ? retryTurn(server, id) : playTurn(server, id))
      expect(events.at(-1)).toMatchObject({
        type: 'error',
        code: 'storage_failed',
        detail: expect.stringContaining('Another program is using the library file'),
      })
      expect(wholeLibrary(server.path)).toEqual(before)
      for (const one of holds) one[Symbol.dispose]()
      expect(server.deps.locks.isTaken(id)).toBe(false)
      expect((await playTurn(server, id)).at(-1)).toMatchObject({ type: 'done', action: { text: PROSE } })
    })

  for (const how of ['the API', 'a form'])
    test(`does not fail a turn of ${how} whose line cannot be stored at once`, async () => {
      const server = await startServer()
      await server.send('PUT', '/api/settings', MODEL)
      const { id } = (await server.post('/api/adventures', {})).body
      endpoint.byDefault(say(PROSE))
      const held = hold(server.path)
      const line = { type: 'do', text: 'wait' }
      const playing =
        how === 'a form'
          ? server.ask(`/adventures/${id}/turns`, initOf({ method: 'POST', path: '', form: line }))
          : playTurn(server, id, line)
      // Each attempt blocks for a moment; a request is answered between two of them.
      for (let tries = 0; tries < 3; tries++)
        expect((await server.send('PATCH', '/api/scenarios/1', { title: 'x' })).status).toBe(503)
      held[Symbol.dispose]()
      const played = await playing
      if (played instanceof Response) await server.deps.locks.freed(id)
      const { actions } = (await server.get(`/api/adventures/${id}`)).body
      expect(actions.slice(-2).map(({ text }: { text: string }) => text)).toEqual(['> You wait.', PROSE])
    })

  test('stores the turn as soon as it is unlocked', async () => {
    const server = await startServer()
    await server.send('PUT', '/api/settings', MODEL)
    const { id } = (await server.post('/api/adventures', {})).body
    const holds: Disposable[] = []
    endpoint.next(held(server.path, holds))
    const playing = playTurn(server, id, { type: 'do', text: 'wait' })
    // The first attempt to commit blocks for a moment; other requests are answered only after it.
    while (holds.length === 0) await server.get('/api/health')
    for (let tries = 0; tries < 3; tries++)
      expect((await server.send('PATCH', '/api/scenarios/1', { title: 'x' })).status).toBe(503)
    for (const one of holds) one[Symbol.dispose]()
    expect((await playing).at(-1)).toMatchObject({ type: 'done', action: { text: 'The wind sings.' } })
  })
})
