import { afterAll, describe, expect, test } from 'bun:test'
import { allowTarget } from '../support/endpoint/allowed-targets.ts'
import { json, type Step, silent, startEndpoint, status } from '../support/endpoint/endpoint.ts'
import { turnOthersAway } from '../support/endpoint/recorder.ts'
import { startServer } from '../support/service/server.ts'

turnOthersAway()
const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const names: Record<string, string[]> = { 'model.lan': ['127.0.0.1'], 'split.lan': ['127.0.0.1', '8.8.8.8'] }
const server = await startServer({
  narrator: { resolve: async (host) => names[host] ?? [] },
})
const put = (body: object) => server.send('PUT', '/api/settings', body)

describe('settings', () => {
  test('start with the practice narrator', async () => {
    expect((await server.get('/api/settings')).body).toMatchObject({
      endpoint_url: '',
      model: '',
      practice: true,
      context_token_budget: 16_384,
      read_timeout_seconds: 300,
    })
  })

  test('are changed field by field', async () => {
    expect(await put({ temperature: 0.3, read_timeout_seconds: 3600 })).toMatchObject({
      status: 200,
      body: { temperature: 0.3, read_timeout_seconds: 3600, max_output_tokens: 800 },
    })
  })

  const bounds: [field: string, inside: number[], outside: unknown[]][] = [
    ['read_timeout_seconds', [10, 3600], [9, 3601, 10.5, '60', null]],
    ['temperature', [0, 5], [-0.1, 5.1, 'hot']],
    ['max_output_tokens', [1, 100_000], [0, 100_001]],
    ['reasoning_max_tokens', [-1, 100_000], [-2]],
    ['context_token_budget', [256, 200_000], [255, 200_001]],
  ]
  /** Settings that leave room for a story beside any value of these. */
  const room: Record<string, object> = {
    max_output_tokens: { context_token_budget: 200_000 },
    reasoning_max_tokens: { context_token_budget: 200_000, max_output_tokens: 800 },
    context_token_budget: { max_output_tokens: 1, reasoning_max_tokens: 0, narrator_prompt: '' },
  }
  for (const [field, inside, outside] of bounds)
    test(`${field} has limits`, async () => {
      for (const value of inside) expect((await put({ ...room[field], [field]: value })).status).toBe(200)
      for (const value of outside)
        expect(await put({ [field]: value })).toMatchObject({ status: 422, body: { code: 'invalid' } })
    })
})

test('settings that leave no room for a story are refused, all of them, with the sum', async () => {
  const before = (await server.get('/api/settings')).body
  const given = { temperature: 0.1, context_token_budget: 2_000, max_output_tokens: 2_000 }
  expect(await put(given)).toEqual({
    status: 422,
    body: {
      code: 'invalid',
      detail: expect.stringMatching(
        /2000 tokens\. The reply may take 2000.* leaves 0 .* at least \d+\. Raise/,
      ),
      errors: [{ path: '/context_token_budget', message: expect.any(String) }],
    },
  })
  const form = { ...before, ...given, read_ahead: 'true', loop_guard: 'true', stop_at_player: 'false' }
  const texts = Object.entries(form).map(([name, value]): [string, string] => [name, String(value ?? '')])
  const body = new URLSearchParams(texts.filter(([name]) => name !== 'practice'))
  const page = await server.ask('/settings', { method: 'POST', body })
  expect([page.status, await page.text()]).toEqual([422, expect.stringContaining('leaves 0 for the story')])
  expect((await server.get('/api/settings')).body).toEqual(before)
})

describe('a saved address', () => {
  const refused: [address: string, says: string][] = [
    ['https://api.openai.com/v1', 'api.openai.com'],
    ['http://8.8.8.8/v1', '8.8.8.8'],
    ['http://split.lan/v1', '8.8.8.8'],
    ['http://nowhere.lan/v1', 'nowhere.lan'],
    ['http://user:key@127.0.0.1/v1', ''],
    ['ftp://127.0.0.1/', ''],
    ['not an address', ''],
  ]
  for (const field of ['endpoint_url', 'embedding_endpoint_url'])
    for (const [address, says] of refused)
      test(`${address} is refused as ${field} with a reason`, async () => {
        const before = (await server.get('/api/settings')).body
        expect(await put({ [field]: address, temperature: 2 })).toMatchObject({
          status: 422,
          body: { code: 'endpoint_refused', detail: expect.stringContaining(says) },
        })
        expect((await server.get('/api/settings')).body).toEqual(before)
      })

  test('is refused beside another that is allowed, and neither is saved', async () => {
    const before = (await server.get('/api/settings')).body
    const both = { endpoint_url: 'http://127.0.0.1:8080/v1', embedding_endpoint_url: 'http://8.8.8.8/v1' }
    expect(await put(both)).toMatchObject({ status: 422, body: { code: 'endpoint_refused' } })
    expect((await server.get('/api/settings')).body).toEqual(before)
  })

  for (const address of [
    'http://127.0.0.1:11434/v1',
    'http://[::1]:8080/v1',
    'http://100.64.0.1/v1',
    'http://model.lan/v1',
    'http://192.168.1.20:1234',
    '',
  ])
    test(`${address || 'none'} is accepted`, async () => {
      const both = { endpoint_url: address, embedding_endpoint_url: address }
      expect((await put(both)).body).toMatchObject(both)
    })
})

describe('the model server', () => {
  test('lists its models', async () => {
    await put({ endpoint_url: endpoint.url })
    expect((await server.get('/api/settings/models')).body).toEqual({
      models: [{ id: 'test-model', context_length: 8192 }],
    })
    expect((await server.post('/api/settings/test')).body).toEqual({ ok: true, models: ['test-model'] })
  })

  test('can be tested before it is saved', async () => {
    await put({ endpoint_url: '' })
    expect((await server.post('/api/settings/test', { endpoint_url: endpoint.url, model: '' })).body).toEqual(
      { ok: true, models: ['test-model'] },
    )
    expect((await server.post('/api/settings/test')).body).toEqual({
      ok: true,
      models: ['practice-narrator'],
    })
    expect(
      (await server.post('/api/settings/test', { endpoint_url: 'http://8.8.8.8/v1' })).body,
    ).toMatchObject({ ok: false, code: 'endpoint_refused' })
    expect((await server.get('/api/settings')).body.endpoint_url).toBe('')
  })

  test('that does not respond is reported', async () => {
    allowTarget('http://127.0.0.1:1/v1')
    await put({ endpoint_url: 'http://127.0.0.1:1/v1' })
    expect(await server.get('/api/settings/models')).toMatchObject({
      status: 502,
      body: { code: 'endpoint_unreachable' },
    })
    await put({ endpoint_url: endpoint.url })
    endpoint.listWith(status(401, 'Unauthorized'))
    expect((await server.post('/api/settings/test')).body).toMatchObject({
      ok: false,
      detail: expect.stringContaining('key'),
    })
  })

  test('that stays silent is reported', async () => {
    const impatient = await startServer({ narrator: { listTimeout: 0.05 } })
    await impatient.send('PUT', '/api/settings', { endpoint_url: endpoint.url })
    endpoint.listWith(silent)
    expect(await impatient.get('/api/settings/models')).toMatchObject({
      status: 504,
      body: { code: 'endpoint_slow' },
    })
  })

  for (const odd of [[], null, { data: null }, { data: [{}, { id: 5 }] }, 'text'])
    test(`that answers ${JSON.stringify(odd)} still counts as connected`, async () => {
      endpoint.listWith(json(200, odd))
      expect((await server.post('/api/settings/test')).body).toEqual({ ok: true, models: [] })
    })
})

describe('the embedding model', () => {
  const vectors: Step = (exchange) => json(200, { data: [{ embedding: [3, 4, 0] }] })(exchange)
  const ask = (tried?: object) => server.post('/api/settings/test/embeddings', tried)

  test('is tested at the address of the model, or at its own, saved or not', async () => {
    await using own = await startEndpoint()
    own.embedWith(vectors)
    endpoint.embedWith(vectors)
    await put({ endpoint_url: endpoint.url, embedding_endpoint_url: '', embedding_model: 'small' })
    expect((await ask()).body).toEqual({ ok: true, dimensions: 3 })
    expect(endpoint.embedRequests.map(({ body }) => body?.model)).toEqual(['small'])
    const tried = { embedding_endpoint_url: own.url, embedding_model: 'large' }
    expect((await ask(tried)).body).toEqual({ ok: true, dimensions: 3 })
    expect(own.embedRequests.map(({ body }) => body?.model)).toEqual(['large'])
    expect((await server.get('/api/settings')).body.embedding_endpoint_url).toBe('')
    await put({ embedding_endpoint_url: own.url })
    expect((await ask()).body).toEqual({ ok: true, dimensions: 3 })
    expect(endpoint.embedRequests).toHaveLength(1)
  })

  test('that does not answer is reported with the reason', async () => {
    endpoint.embedWith(status(501, 'This server does not support embeddings.'))
    const at = (embedding_endpoint_url: string, embedding_model = 'small') =>
      ask({ embedding_endpoint_url, embedding_model })
    const rows: [address: string, model: string, code: string, says: string][] = [
      [endpoint.url, 'small', 'provider_error', 'does not support embeddings'],
      ['http://127.0.0.1:1/v1', 'small', 'provider_error', 'No server answered'],
      ['http://8.8.8.8/v1', 'small', 'endpoint_refused', '8.8.8.8'],
      [endpoint.url, '', 'invalid', 'name of an embedding model'],
    ]
    for (const [address, model, code, says] of rows)
      expect((await at(address, model)).body).toMatchObject({
        ok: false,
        code,
        detail: expect.stringContaining(says),
      })
    await put({ endpoint_url: '', embedding_endpoint_url: '', embedding_model: 'small' })
    expect((await ask()).body).toMatchObject({ ok: false, code: 'invalid' })
  })

  test('is tested by a button of the page, and its address is corrected when it is saved', async () => {
    await using own = await startEndpoint()
    own.embedWith(vectors)
    const form = (path: string, fields: Record<string, string>) =>
      server.ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
        body: new URLSearchParams(fields).toString(),
      })
    const fields = { embedding_endpoint_url: `${own.url}/embeddings`, embedding_model: 'small' }
    const tested = await (await form('/settings/test/embeddings', fields)).text()
    expect(tested).toContain('The embedding model works (3 dimensions).')
    expect(tested).toContain(`value="${own.url}/embeddings"`)
    const saved = await (await form('/settings', fields)).text()
    expect(saved).toContain('was removed from the end')
    expect((await server.get('/api/settings')).body.embedding_endpoint_url).toBe(own.url)
    const refused = await (await form('/settings', { embedding_endpoint_url: 'http://8.8.8.8/v1' })).text()
    expect(refused).toContain('8.8.8.8 is on the public internet')
    expect(refused).toContain('value="http://8.8.8.8/v1"')
    expect((await server.get('/api/settings')).body.embedding_endpoint_url).toBe(own.url)
  })
})
