import { afterAll, describe, expect, test } from 'bun:test'
import { json, silent, startEndpoint, status } from '../support/endpoint/endpoint.ts'
import { mean } from '../support/endpoint/allowed-targets.ts'
import { startServer } from '../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const names: Record<string, string[]> = { 'model.lan': ['127.0.0.1'], 'split.lan': ['127.0.0.1', '8.8.8.8'] }
const server = await startServer({
  narrator: { listTimeout: 0.2, resolve: async (host) => names[host] ?? [] },
})
const put = (body: object) => server.send('PUT', '/api/settings', body)

describe('settings', () => {
  test('practise at first', async () => {
    expect((await server.get('/api/settings')).body).toMatchObject({
      endpoint_url: '',
      model: '',
      practice: true,
      context_token_budget: 16_384,
      read_timeout_seconds: 300,
    })
  })

  test('are changed in part', async () => {
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
  for (const [field, inside, outside] of bounds)
    test(`${field} has its bounds`, async () => {
      for (const value of inside) expect((await put({ [field]: value })).status).toBe(200)
      for (const value of outside)
        expect(await put({ [field]: value })).toMatchObject({ status: 422, body: { code: 'invalid' } })
    })
})

describe('an address that is saved', () => {
  const refused: [address: string, says: string][] = [
    ['https://api.openai.com/v1', 'api.openai.com'],
    ['http://8.8.8.8/v1', '8.8.8.8'],
    ['http://split.lan/v1', '8.8.8.8'],
    ['http://nowhere.lan/v1', 'nowhere.lan'],
    ['http://user:key@127.0.0.1/v1', ''],
    ['ftp://127.0.0.1/', ''],
    ['not an address', ''],
  ]
  for (const [address, says] of refused)
    test(`${address} is refused with the reason`, async () => {
      const before = (await server.get('/api/settings')).body
      expect(await put({ endpoint_url: address, temperature: 2 })).toMatchObject({
        status: 422,
        body: { code: 'endpoint_refused', detail: expect.stringContaining(says) },
      })
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
    test(`${address || 'none'} is taken`, async () =>
      expect((await put({ endpoint_url: address })).body.endpoint_url).toBe(address))
})

describe('the model server', () => {
  test('names its models', async () => {
    await put({ endpoint_url: endpoint.url })
    expect((await server.get('/api/settings/models')).body).toEqual({
      models: [{ id: 'test-model', context_length: 8192 }],
    })
    expect((await server.post('/api/settings/test')).body).toEqual({ ok: true, models: ['test-model'] })
  })

  test('is tried before it is saved', async () => {
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

  test('that does not answer is said to be so', async () => {
    mean('http://127.0.0.1:1/v1')
    await put({ endpoint_url: 'http://127.0.0.1:1/v1' })
    expect(await server.get('/api/settings/models')).toMatchObject({
      status: 502,
      body: { code: 'endpoint_unreachable' },
    })
    await put({ endpoint_url: endpoint.url })
    endpoint.listWith(silent)
    expect(await server.get('/api/settings/models')).toMatchObject({
      status: 504,
      body: { code: 'endpoint_slow' },
    })
    endpoint.listWith(status(401, 'Unauthorized'))
    expect((await server.post('/api/settings/test')).body).toMatchObject({
      ok: false,
      detail: expect.stringContaining('key'),
    })
  })

  for (const odd of [[], null, { data: null }, { data: [{}, { id: 5 }] }, 'text'])
    test(`that answers ${JSON.stringify(odd)} is still connected`, async () => {
      endpoint.listWith(json(200, odd))
      expect((await server.post('/api/settings/test')).body).toEqual({ ok: true, models: [] })
    })
})
