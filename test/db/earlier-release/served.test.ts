import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIVE_TEXT, leaveEarlierLibrary, WORLD } from '../../support/earlier/release.ts'
import { say, startEndpoint, status } from '../../support/endpoint/endpoint.ts'
import { retryTurn } from '../../support/service/events.ts'
import { startServer, type TestServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
const folder = mkdtempSync(join(tmpdir(), 'inglenook-'))
afterAll(async () => {
  await endpoint.close()
  rmSync(folder, { recursive: true, force: true })
})

let made = 0

async function serverOn(): Promise<TestServer> {
  const dbPath = join(folder, `${++made}.db`)
  leaveEarlierLibrary(dbPath)
  const server = await startServer({ dbPath })
  await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url })
  return server
}

const world = async (server: TestServer) => (await server.get('/api/adventures/1/world-state')).body.state
const switchTo = (server: TestServer, index: number) =>
  server.post('/api/adventures/1/actions/14/variant', { index })

describe('a library of the earlier release can be continued', () => {
  test('its lists and settings are unchanged, and no key is shown', async () => {
    const server = await serverOn()
    expect((await server.get('/api/adventures')).body).toMatchObject([
      { title: 'Old Debts', action_count: 3 },
      {
        title: 'Nine Nights',
        action_count: 14,
        snippet: LIVE_TEXT,
        image_url: expect.stringMatching(/^\/api\/scenarios\/2\/image\?v=\w{32}$/),
      },
    ])
    const { body } = await server.get('/api/settings')
    expect(body).toMatchObject({
      context_token_budget: 24_000,
      model: 'old-model',
      read_timeout_seconds: 300,
      practice: false,
    })
    expect(JSON.stringify(body)).not.toContain('inert')
    expect((await server.get('/api/scenarios')).body.map(({ title }: { title: string }) => title)).toContain(
      'Nobody’s',
    )
  })

  test('a key in a request is ignored, and everything or nothing is stored', async () => {
    const server = await serverOn()
    await server.send('PUT', '/api/settings', { api_key: 'secret', temperature: 1.5 })
    expect(server.deps.library.reader.get<{ api_key: string }>('SELECT api_key FROM settings')).toEqual({
      api_key: 'enc:inert',
    })
    await server.send('PUT', '/api/settings', { temperature: 0.1, endpoint_url: 'https://api.openai.com/v1' })
    expect((await server.get('/api/settings')).body.temperature).toBe(1.5)
  })

  test('its variants are listed and switched, each with its world state', async () => {
    const server = await serverOn()
    expect((await server.get('/api/adventures/1')).body.actions.at(-1)).toMatchObject({
      variant_count: 3,
      variant_index: 1,
      text: LIVE_TEXT,
    })
    for (const index of [0, 2, 1]) {
      expect((await switchTo(server, index)).body.variant_index).toBe(index)
      expect(await world(server)).toEqual(WORLD.after[index])
    }
  })

  test('a retry starts from the world state before it and becomes the fourth variant', async () => {
    const server = await serverOn()
    endpoint.next(say('A fourth way.'))
    expect((await retryTurn(server, 1)).at(-1)).toMatchObject({
      type: 'done',
      action: { id: 14, index: 13, variant_count: 4, variant_index: 3 },
    })
    expect(await world(server)).toEqual(WORLD.before)
    await switchTo(server, 2)
    expect(await world(server)).toEqual(WORLD.after[2])
  })

  test('a failed retry changes neither the variant nor the world state', async () => {
    const server = await serverOn()
    const before = JSON.stringify([(await server.get('/api/adventures/1')).body, await world(server)])
    endpoint.next(status(500))
    expect((await retryTurn(server, 1)).at(-1)).toMatchObject({ type: 'error' })
    expect(JSON.stringify([(await server.get('/api/adventures/1')).body, await world(server)])).toBe(before)
  })

  test('a narration that was never retried becomes a variant with its first retry', async () => {
    const server = await serverOn()
    await server.post('/api/adventures/1/undo')
    expect((await server.get('/api/adventures/1/actions/12/variants')).body).toMatchObject([
      { text: 'You land badly.', active: true },
    ])
    const worldNow = await world(server)
    await retryTurn(server, 1)
    const { body } = await server.get('/api/adventures/1/actions/12/variants')
    expect(body).toMatchObject([{ text: 'You land badly.', active: false }, { active: true }])
    await server.post('/api/adventures/1/actions/12/variant', { index: 0 })
    expect(await world(server)).toEqual(worldNow)
  })

  test('undo restores the world state and deletes the memories of the undone passages', async () => {
    const server = await serverOn()
    const memories = () =>
      server.deps.library.reader
        .all<{ source_end: number | null }>('SELECT source_end FROM memories ORDER BY id')
        .map(({ source_end }) => source_end)
    expect((await server.post('/api/adventures/1/undo')).body.total).toBe(12)
    expect(await world(server)).toEqual(WORLD.before)
    expect(memories()).toEqual([5, 11, null])
    expect((await server.post('/api/adventures/1/undo')).body.total).toBe(10)
    expect(await world(server)).toEqual(WORLD.beforeTheStair)
    expect(memories()).toEqual([5, null])
    expect(
      server.deps.library.reader.get<{ memory_cursor: number }>(
        'SELECT memory_cursor FROM adventures WHERE id = 1',
      ),
    ).toEqual({ memory_cursor: 6 })
  })

  test('its schema becomes the story’s own when the scenario is deleted', async () => {
    const server = await serverOn()
    await server.send('DELETE', '/api/scenarios/2')
    expect((await server.get('/api/adventures/1/world-state')).body.schema).toMatchObject({
      player: { hp: { max: 100 } },
    })
  })

  test('its stored prompts can still be read', async () => {
    const server = await serverOn()
    expect((await server.get('/api/adventures/1/actions/14/context')).body).toMatchObject({
      sections: [{ label: 'narrator', text: 'You narrate.' }],
      tokens: { budget: 24_000 },
    })
    expect((await server.get('/api/adventures/1/actions/10/context')).status).toBe(404)
  })
})
