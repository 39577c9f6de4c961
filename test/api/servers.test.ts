import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type ScriptedEndpoint, say, sayAsOllama, startEndpoint } from '../support/endpoint/endpoint.ts'
import { playTurn } from '../support/service/events.ts'
import { mean } from '../support/endpoint/allowed-targets.ts'
import { startServer, type TestServer } from '../support/service/server.ts'

const LLAMA = { default_generation_settings: { n_ctx: 8_192 } }

let endpoint: ScriptedEndpoint
let server: TestServer
beforeEach(async () => {
  endpoint = await startEndpoint()
  // Both families of this machine are looked at.
  mean(endpoint.url.replace('127.0.0.1', '[::1]'))
  server = await startServer({ rest: 0, narrator: { ports: [portOf(endpoint.url)], retryEvery: 0.01 } })
})
afterEach(() => endpoint.close())

const portOf = (url: string) => Number(new URL(url).port)
const settings = async () => (await server.get('/api/settings')).body
async function put(fields: object): Promise<void> {
  await server.send('PUT', '/api/settings', fields)
  await server.deps.idle.ended()
}
const form = (path: string, fields: Record<string, string> = {}) =>
  server.ask(path, { method: 'POST', body: new URLSearchParams(fields) })
async function turn(): Promise<void> {
  const { id } = (await server.post('/api/adventures', { title: 'Rain' })).body
  const events = await playTurn(server, id, { type: 'continue' })
  expect(events.at(-1)?.type).toBe('done')
}

describe('servers on this machine', () => {
  test('are found with what shows which they are', async () => {
    endpoint.pages.set('/props', LLAMA)
    expect((await server.post('/api/settings/detect')).body).toEqual({
      servers: [
        {
          url: endpoint.url,
          server: 'llama-cpp',
          name: 'llama.cpp',
          evidence: ['/props: default_generation_settings.n_ctx 8192'],
          models: ['test-model'],
          advice: '',
        },
      ],
    })
  })

  test('are one press away, without script too', async () => {
    endpoint.pages.set('/props', LLAMA)
    const found = await (await form('/settings/detect')).text()
    expect(found).toContain('<button type="submit">Use test-model</button>')
    const saved = await (await form('/settings', { endpoint_url: endpoint.url, model: 'test-model' })).text()
    expect(saved).toContain('The settings are saved.')
    expect(saved).toContain('This is llama.cpp, as it says at /props')
    expect(saved).toContain('The model takes in 8,192 tokens')
    expect(await settings()).toMatchObject({ endpoint_url: endpoint.url, model: 'test-model' })
  })

  test('are not there: it is said', async () => {
    await endpoint.close()
    expect(await (await form('/settings/detect')).text()).toContain('No model server answers on this machine')
    expect((await server.post('/api/settings/detect')).body).toEqual({ servers: [] })
  })
})

describe('an address that is pasted', () => {
  test('is put right, and what was done is said', async () => {
    const root = new URL(endpoint.url).host
    const cases: [pasted: string, says: string][] = [
      [`${endpoint.url}/chat/completions`, 'was taken off the end'],
      [`http://${root}/`, '/v1 was added'],
      [root, 'http:// was put in front'],
    ]
    for (const [pasted, says] of cases) {
      const page = await (await form('/settings', { endpoint_url: pasted, model: 'test-model' })).text()
      expect([pasted, page.includes(says)]).toEqual([pasted, true])
      expect((await settings()).endpoint_url).toBe(endpoint.url)
      await put({ endpoint_url: '' })
    }
  })

  test('is tried as it was meant', async () => {
    const tested = (await server.post('/api/settings/test', { endpoint_url: `${endpoint.url}/models` })).body
    expect(tested).toMatchObject({ ok: true, models: ['test-model'] })
    expect(tested.advice).toContain('was taken off the end')
  })

  test('of somebody else is still refused', async () => {
    const answer = await form('/settings', { endpoint_url: 'api.openai.com/v1', model: 'x' })
    expect([answer.status, (await settings()).endpoint_url]).toEqual([422, ''])
  })
})

describe('what a server takes', () => {
  const WISHES = { min_p: 0.05, dry_multiplier: 0.8, stop_at_player: true, reasoning_effort: 'low' }

  test('is sent to the server that is known to take it, and to no other', async () => {
    await put({ endpoint_url: endpoint.url, model: 'unseen', ...WISHES })
    await turn()
    expect(Object.keys(endpoint.requests[0]?.body ?? {})).toEqual([
      'model',
      'messages',
      'temperature',
      'max_tokens',
      'stream',
    ])
    endpoint.pages.set('/props', LLAMA)
    await put({ model: 'seen' })
    await turn()
    expect(endpoint.requests.at(-1)?.body).toMatchObject({
      min_p: 0.05,
      dry_multiplier: 0.8,
      stop: ['\n> You'],
      reasoning_effort: 'low',
    })
  })

  test('is what the form offers; an empty field is not sent', async () => {
    const before = await (await server.ask('/settings')).text()
    expect(before).toContain('name="num_ctx"')
    endpoint.pages.set('/props', LLAMA)
    await form('/settings', { endpoint_url: endpoint.url, model: 'b', min_p: '0.1', top_p: '' })
    expect(await settings()).toMatchObject({ min_p: 0.1, top_p: null })
    const page = await (await server.ask('/settings')).text()
    expect(page).toContain('name="dry_multiplier"')
    expect(page).not.toContain('name="num_ctx"')
    await form('/settings', { min_p: '' })
    expect((await settings()).min_p).toBeNull()
  })

  test('of Ollama is a window of its own', async () => {
    endpoint.routes.set('/', ({ response }) => void response.end('Ollama is running'))
    endpoint.byDefault(sayAsOllama('Rain.'))
    await put({ endpoint_url: endpoint.url, model: 'a', num_ctx: 16_384 })
    await turn()
    expect(endpoint.requests[0]).toMatchObject({
      path: '/api/chat',
      body: { options: { num_ctx: 16_384 } },
    })
  })
})

describe('where a story can go', () => {
  test('is the endpoint alone, with its addresses and all that was sent', async () => {
    endpoint.byDefault(say('Rain.'))
    await put({ endpoint_url: endpoint.url, model: 'test-model' })
    await turn()
    const { checked, sent } = (await server.get('/api/settings/whereabouts')).body
    expect(checked.addresses).toEqual([{ address: '127.0.0.1', class: 'this machine itself (loopback)' }])
    expect(sent.every(({ host }: { host: string }) => host === new URL(endpoint.url).host)).toBe(true)
    expect(sent.find(({ path }: { path: string }) => path === '/v1/chat/completions')).toMatchObject({
      times: 1,
      address: '127.0.0.1',
    })
    const page = await (await server.ask('/settings')).text()
    expect(page).toContain('this machine itself (loopback), checked <time')
    expect(page).toContain('<td>/v1/chat/completions</td>')
  })

  test('is said of the practice narrator too', async () => {
    const page = await (await server.ask('/settings')).text()
    expect(page).toContain('The practice narrator was not looked up since Inglenook started')
    expect(page).toContain('Every request since Inglenook started (none)')
  })
})
