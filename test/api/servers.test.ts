import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { allowTarget } from '../support/endpoint/allowed-targets.ts'
import {
  type ScriptedEndpoint,
  say,
  sayAsOllama,
  silent,
  startEndpoint,
} from '../support/endpoint/endpoint.ts'
import { playTurn } from '../support/service/events.ts'
import { startServer, type TestServer } from '../support/service/server.ts'

const LLAMA = { default_generation_settings: { n_ctx: 8_192 } }

let endpoint: ScriptedEndpoint
let server: TestServer
beforeEach(async () => {
  endpoint = await startEndpoint()
  // Both IPv4 and IPv6 loopback addresses are searched.
  allowTarget(endpoint.url.replace('127.0.0.1', '[::1]'))
  server = await startServer({ idleDelay: 0, narrator: { ports: [portOf(endpoint.url)], retryEvery: 0.01 } })
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
  test('are found, with the evidence of what they are', async () => {
    endpoint.pages.set('/props', LLAMA)
    expect((await server.post('/api/settings/detect')).body).toEqual({
      servers: [
        {
          url: endpoint.url,
          server: 'llama-cpp',
          name: 'llama.cpp',
          evidence: ['/props: default_generation_settings.n_ctx 8192'],
          models: ['test-model'],
          windows: { 'test-model': 8192 },
          advice: '',
        },
      ],
    })
  })

  test('are one click away, also without script', async () => {
    endpoint.pages.set('/props', LLAMA)
    const found = await (await form('/settings/detect')).text()
    expect(found).toMatch(
      /test model<\/strong><small>8,192 tokens · test-model<.*Use<span class="unseen"> test-model</,
    )
    const saved = await (await form('/settings', { endpoint_url: endpoint.url, model: 'test-model' })).text()
    expect(saved).toContain('Settings saved.')
    expect(saved).toContain('Server: llama.cpp, detected from /props')
    expect(saved).toContain('This model’s context is 8,192 tokens')
    expect(await settings()).toMatchObject({ endpoint_url: endpoint.url, model: 'test-model' })
  })

  test('are reported missing when there are none', async () => {
    await endpoint.close()
    expect(await (await form('/settings/detect')).text()).toContain(
      'No model server was found on this machine',
    )
    expect((await server.post('/api/settings/detect')).body).toEqual({ servers: [] })
  })
})

describe('a pasted address', () => {
  test('is corrected, and the correction is explained', async () => {
    const root = new URL(endpoint.url).host
    const cases: [pasted: string, says: string][] = [
      [`${endpoint.url}/chat/completions`, 'was removed from the end'],
      [`http://${root}/`, '/v1 was added'],
      [root, 'http:// was added'],
    ]
    for (const [pasted, says] of cases) {
      const given = { endpoint_url: pasted, model: 'test-model' }
      const page = await (await form('/settings', given)).text()
      expect([pasted, page.includes(says)]).toEqual([pasted, true])
      expect((await settings()).endpoint_url).toBe(endpoint.url)
      await put({ endpoint_url: '' })
      expect(await server.send('PUT', '/api/settings', given)).toMatchObject({
        status: 200,
        body: { endpoint_url: endpoint.url, advice: expect.stringContaining(says) },
      })
      await put({ endpoint_url: '' })
    }
  })

  test('is tested in its corrected form', async () => {
    const tested = (await server.post('/api/settings/test', { endpoint_url: `${endpoint.url}/models` })).body
    expect(tested).toMatchObject({ ok: true, models: ['test-model'] })
    expect(tested.advice).toContain('was removed from the end')
  })

  test('outside the allowed networks is still refused', async () => {
    const answer = await form('/settings', { endpoint_url: 'api.openai.com/v1', model: 'x' })
    expect([answer.status, (await settings()).endpoint_url]).toEqual([422, ''])
  })
})

describe('a server is looked at by a save of the API too,', () => {
  const save = async (service: TestServer, given: object) => {
    const { status, body } = await service.send('PUT', '/api/settings', given)
    expect(status).toBe(200)
    return body
  }
  /** A service without background work, so that whatever it knows it has learnt from the save. */
  const idleless = (repairTimeout = 60) =>
    startServer({ narrator: { repairTimeout, isContained: () => false } })

  test('which learns its kind and its window, and has nothing to say', async () => {
    endpoint.pages.set('/props', LLAMA)
    const service = await idleless()
    const saved = await save(service, { endpoint_url: endpoint.url, model: 'test-model' })
    expect(saved).toEqual((await service.get('/api/settings')).body)
    const page = await (await service.ask('/settings')).text()
    expect(page).toContain('Server: llama.cpp, detected from /props')
    expect(page).toContain('This model’s context is 8,192 tokens')
    // The model's name alone is a reason to look again.
    endpoint.pages.set('/props', { default_generation_settings: { n_ctx: 4_096 } })
    await save(service, { model: 'test-model' })
    expect(await (await service.ask('/settings')).text()).toContain('context is 4,096 tokens')
  })

  test('but not where no server is named', async () => {
    const service = await idleless()
    await save(service, { endpoint_url: endpoint.url, model: 'test-model' })
    const asked = endpoint.listRequests.length
    await save(service, { temperature: 1, context_token_budget: 8_000 })
    expect(endpoint.listRequests).toHaveLength(asked)
  })

  test('and one that does not answer is saved all the same, with the reason', async () => {
    const service = await idleless(0.1)
    endpoint.listWith(silent)
    const slow = { endpoint_url: `${endpoint.url}/chat/completions`, embedding_endpoint_url: endpoint.url }
    expect(await save(service, { ...slow, model: 'test-model' })).toMatchObject({
      endpoint_url: endpoint.url,
      embedding_endpoint_url: endpoint.url,
      advice: expect.stringContaining('did not answer within'),
    })
    await endpoint.close()
    expect(await save(service, { endpoint_url: endpoint.url.replace('http://', '') })).toMatchObject({
      endpoint_url: endpoint.url,
      advice: expect.stringMatching(/http:\/\/ was added.*No server answered/),
    })
  })

  test('and what it answers may be sent back', async () => {
    const saved = await save(server, { endpoint_url: new URL(endpoint.url).origin, model: 'test-model' })
    expect(saved.advice).toContain('/v1 was added')
    const { advice: _, ...stored } = saved
    expect(await save(server, saved)).toEqual(stored)
  })
})

describe('a server-specific setting', () => {
  const WISHES = { min_p: 0.05, dry_multiplier: 0.8, stop_at_player: true, reasoning_effort: 'low' }

  test('is sent only to a server known to accept it', async () => {
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
    // Prompts are read ahead after the turn.
    const told = endpoint.requests.findLast(({ body }) => body?.max_tokens !== 1)
    expect(told?.body).toMatchObject({
      min_p: 0.05,
      dry_multiplier: 0.8,
      stop: ['\n> You', '\n> "'],
      reasoning_effort: 'low',
    })
  })

  test('is offered by the form, and not sent while its field is empty', async () => {
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

  test('of Ollama is its context size', async () => {
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

describe('the privacy report', () => {
  test('lists the endpoint, with its addresses and every request', async () => {
    endpoint.byDefault(say('Rain.'))
    await put({ endpoint_url: endpoint.url, model: 'test-model' })
    await turn()
    const { checked, sent } = (await server.get('/api/settings/privacy')).body
    expect(checked.addresses).toEqual([{ address: '127.0.0.1', class: 'this machine (loopback)' }])
    expect(sent.every(({ host }: { host: string }) => host === new URL(endpoint.url).host)).toBe(true)
    expect(sent.find(({ path }: { path: string }) => path === '/v1/chat/completions')).toMatchObject({
      times: 1,
      address: '127.0.0.1',
    })
    const page = await (await server.ask('/settings')).text()
    expect(page).toContain('this machine (loopback), checked <time')
    expect(page).toContain('<td>/v1/chat/completions</td>')
  })

  test('lists an embedding server of its own', async () => {
    await using own = await startEndpoint()
    const report = async () => (await server.get('/api/settings/privacy')).body
    await put({ endpoint_url: endpoint.url, model: 'test-model' })
    expect(await report()).toMatchObject({ embedding_server: '', embedding_checked: null })
    await put({ embedding_model: 'small', embedding_endpoint_url: own.url })
    expect(await report()).toMatchObject({
      embedding_server: own.url,
      embedding_checked: { addresses: [{ address: '127.0.0.1', class: 'this machine (loopback)' }] },
    })
    const page = await (await server.ask('/settings')).text()
    expect(page).toContain('also to the embedding server')
    await put({ embedding_model: '', embedding_endpoint_url: '' })
    expect(await report()).toMatchObject({ embedding_server: '', embedding_checked: null })
  })

  test('covers the practice narrator too', async () => {
    const page = await (await server.ask('/settings')).text()
    expect(page).toContain('The practice narrator is a part of Inglenook and sends nothing.')
    expect(page).toContain('Requests since Inglenook started (none)')
  })
})
