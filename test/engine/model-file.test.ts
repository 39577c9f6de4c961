import { afterAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { depth } from '../support/depth.ts'
import { startEndpoint } from '../support/endpoint/endpoint.ts'
import { fakeEngine, modelFile } from '../support/engine/fake-engine.ts'
import { ggufFile } from '../support/engine/gguf.ts'
import { faultsIn } from '../support/library/whole-library.ts'
import { ofType, playTurn } from '../support/service/events.ts'
import { startServer, type TestServer } from '../support/service/server.ts'
import { dice, SEED } from '../support/stories/dice.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

const quick = { narrator: { retryEvery: 0.02 } }

async function until(server: TestServer, kind: string): Promise<void> {
  for (;;) {
    const state = server.deps.engine.current()
    if (state.kind === kind) return
    if (state.kind === 'resting' && state.failure !== '') throw new Error(state.failure)
    await Bun.sleep(1)
  }
}

async function withModel(name = 'lamp.gguf'): Promise<{ server: TestServer; story: number; path: string }> {
  const server = await startServer({ ...quick, engine: fakeEngine() })
  const path = modelFile(name)
  await server.send('PUT', '/api/settings', { second_call: 'never' })
  await server.ask('/settings/engine/use', {
    method: 'POST',
    body: new URLSearchParams({ model_file: path }),
  })
  const { body } = await server.post('/api/adventures', {})
  return { server, story: body.id, path }
}

describe('a model file', () => {
  test('tells a story, as one more model server', async () => {
    const { server, story, path } = await withModel()
    const events = await playTurn(server, story, { type: 'do', text: 'open the door' })
    expect(events.filter(ofType('done'))).toHaveLength(1)
    const { body: page } = await server.get(`/api/adventures/${story}/actions`)
    expect(JSON.stringify(page)).toContain('The door opens and the lamp burns low')
    const { body: settings } = await server.get('/api/settings')
    expect(settings).toMatchObject({ model_file: path, endpoint_url: '', practice: false })
    const { body: privacy } = await server.get('/api/settings/privacy')
    const hosts = new Set(privacy.sent.map(({ host }: { host: string }) => host))
    expect([...hosts]).toEqual([new URL(server.address).host])
  })

  test('is known: its window, and what it has kept of a prompt', async () => {
    const { server, story } = await withModel()
    await playTurn(server, story, { type: 'do', text: 'open the door' })
    await playTurn(server, story, { type: 'do', text: 'go in' })
    const { body: insights } = await server.get(`/api/adventures/${story}/insights`)
    const { prompt, reused } = insights.costs.at(-1)
    expect(reused).toBeGreaterThan(0)
    expect(reused).toBeLessThan(prompt)
    const facts = server.deps.library.reader.all('SELECT * FROM endpoint_facts')
    expect(JSON.stringify(facts)).toContain('inglenook-engine')
    expect(JSON.stringify(facts)).toContain('8192')
  })

  test('gives way to the model server again, whose address has stayed', async () => {
    const { server } = await withModel()
    await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'other' })
    expect((await server.get('/api/settings')).body.endpoint_url).toBe(endpoint.url)
    const response = await server.ask('/settings/engine/leave', { method: 'POST' })
    expect(response.status).toBe(303)
    expect((await server.get('/api/settings')).body).toMatchObject({
      model_file: '',
      endpoint_url: endpoint.url,
      model: 'other',
    })
  })

  test('gives way to a model server that the player uses from the list', async () => {
    const { server } = await withModel()
    const body = new URLSearchParams({ endpoint_url: endpoint.url, model: 'test-model', model_file: '' })
    await server.ask('/settings', { method: 'POST', body })
    expect((await server.get('/api/settings')).body).toMatchObject({ model_file: '', model: 'test-model' })
  })

  test('that is none is refused, by the API and the page', async () => {
    const server = await startServer({ engine: fakeEngine() })
    const path = modelFile('none.gguf', ggufFile({ 'general.architecture': 'clip' }))
    const refused = await server.send('PUT', '/api/settings', { model_file: path })
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'invalid', errors: [{ path: '/model_file' }] },
    })
    const page = await server.ask('/settings/engine/use', {
      method: 'POST',
      body: new URLSearchParams({ model_file: path }),
    })
    expect(page.status).toBe(422)
    expect(await page.text()).toContain('part of a model')
    expect((await server.get('/api/settings')).body.model_file).toBe('')
  })

  test('that cannot be loaded costs the turn a sentence', async () => {
    const { server, story } = await withModel('broken.gguf')
    const events = await playTurn(server, story, { type: 'do', text: 'open the door' })
    expect(events.filter(ofType('error'))).toMatchObject([{ detail: expect.stringContaining('Bad tensor') }])
  })

  test('that is gone costs the turn a sentence', async () => {
    const { server, story, path } = await withModel()
    await server.deps.engine.unload()
    rmSync(path)
    const events = await playTurn(server, story, { type: 'do', text: 'open the door' })
    expect(events.filter(ofType('error'))).toMatchObject([
      { detail: expect.stringContaining('There is no file') },
    ])
  })
})

describe('without a model file', () => {
  test('the engine has no model, and nothing to say', async () => {
    const server = await startServer({ engine: fakeEngine() })
    expect((await server.get('/api/engine/v1/models')).body).toEqual({ object: 'list', data: [] })
    const asked = { messages: [{ role: 'user', content: 'Hello' }] }
    expect((await server.post('/api/engine/v1/chat/completions', asked)).status).toBe(404)
  })
})

test(`an engine that dies at a random moment, ${depth('ENGINE_KILLS')} times`, async () => {
  const { server, story } = await withModel('slow.gguf')
  const random = dice(SEED)
  let broken = 0
  for (let i = 0; i < depth('ENGINE_KILLS'); i++) {
    await until(server, 'ready')
    const before = (await server.get(`/api/adventures/${story}`)).body.action_count
    const turn = playTurn(server, story, { type: 'do', text: `open door ${i}` })
    await Bun.sleep(random.below(250))
    const pid = server.deps.engine.processId()
    if (pid !== null) process.kill(pid, 'SIGKILL')
    const events = await turn
    const [error] = events.filter(ofType('error'))
    const after = (await server.get(`/api/adventures/${story}`)).body.action_count
    if (error) broken++
    expect(error ? error.code : events.filter(ofType('done')).length).toBe(error ? 'provider_error' : 1)
    // The line of a turn that failed waits for its answer.
    expect(after - before).toBeLessThanOrEqual(2)
  }
  expect(broken).toBeGreaterThan(0)
  expect(faultsIn(server.path)).toEqual([])
  await until(server, 'ready')
  const events = await playTurn(server, story, { type: 'do', text: 'go on' })
  expect(events.filter(ofType('done'))).toHaveLength(1)
})
