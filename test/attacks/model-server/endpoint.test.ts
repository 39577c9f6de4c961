import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { certify, makeAuthority } from '../../narrator/connect/certificates.ts'
import { allowTarget } from '../../support/endpoint/allowed-targets.ts'
import { say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { turnOthersAway } from '../../support/endpoint/recorder.ts'
import { playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'
import { type ServiceUnderAttack, startUnderAttack } from '../../support/service/under-attack.ts'
import { temporaryFolder } from '../../support/temporary.ts'

turnOthersAway()

/** The addresses of each name. */
const NAMES: Record<string, string[]> = {
  'model.lan': ['127.0.0.1'],
  'split.lan': ['127.0.0.1', '8.8.8.8'],
  'split.rev': ['8.8.8.8', '127.0.0.1'],
  'xn--exmple-cua.com': ['203.0.113.9'],
}
const lookups: string[] = []
const server = await startServer({
  narrator: {
    resolve: async (host) => {
      lookups.push(host)
      return NAMES[host] ?? []
    },
  },
})
const put = (endpoint_url: string) => server.send('PUT', '/api/settings', { endpoint_url, model: 'm' })

async function expectRefused(address: string, message: string): Promise<void> {
  const before = (await server.get('/api/settings')).body
  const { status, body } = await put(address)
  expect([status, body.code]).toEqual([422, 'endpoint_refused'])
  expect(body.detail).toContain(message)
  expect(body.detail).not.toContain('secret')
  expect((await server.get('/api/settings')).body).toEqual(before)
}

describe('53 a cloud service is refused by name, without a look-up:', () => {
  const clouds: [address: string, cloud: string][] = [
    ['https://api.openai.com/v1', 'OpenAI'],
    ['https://API.OpenAI.com./v1', 'OpenAI'],
    ['https://api.anthropic.com/v1', 'Anthropic'],
    ['https://generativelanguage.googleapis.com/v1beta/openai', 'Google'],
    ['https://openrouter.ai/api/v1', 'OpenRouter'],
    ['https://api.mistral.ai/v1', 'Mistral'],
    ['https://api.groq.com/openai/v1', 'Groq'],
    ['https://api.together.xyz/v1', 'Together AI'],
    ['https://api.deepseek.com', 'DeepSeek'],
    ['https://api.x.ai/v1', 'xAI'],
    ['https://api.cohere.ai/v1', 'Cohere'],
    ['https://text.novelai.net/oa/v1', 'NovelAI'],
    ['https://nano-gpt.com/api/v1', 'NanoGPT'],
    ['https://router.huggingface.co/v1', 'Hugging Face'],
    ['https://mine.openai.azure.com/openai', 'Microsoft Azure'],
    ['https://bedrock-runtime.us-east-1.amazonaws.com/v1', 'Amazon Web Services'],
  ]
  for (const [address, cloud] of clouds)
    test(`${address} is refused as ${cloud}`, async () => {
      lookups.length = 0
      await expectRefused(address, `belongs to ${cloud}, a cloud service.`)
      expect(lookups).toEqual([])
    })

  test('http://8.8.8.8/v1 is refused as public', () =>
    expectRefused('http://8.8.8.8/v1', '8.8.8.8 is on the public internet'))
  test('a local name is accepted', async () =>
    expect((await put('http://model.lan:8080/v1')).status).toBe(200))
})

function expectAllRefused(cases: [address: string, message: string][]): void {
  for (const [address, message] of cases)
    test(`${JSON.stringify(address)}: ${message}`, () => expectRefused(address, message))
}

function expectAllAccepted(addresses: string[]): void {
  for (const address of addresses)
    test(`${JSON.stringify(address)} is accepted`, async () => expect((await put(address)).status).toBe(200))
}

describe('54 a misleading address is refused:', () => {
  expectAllRefused([
    ['http://127.0.0.1@evil.example/', 'before an @'],
    ['http://user:secret@127.0.0.1/', 'before an @'],
    ['http://@127.0.0.1/', 'before an @'],
    ['http://[fe80::1%25eth0]@evil.example/', 'before an @'],
    ['http://evil.example#@127.0.0.1', '? or #'],
    ['http://127.0.0.1/v1?key=secret', '? or #'],
    ['http://evil.example\\@127.0.0.1', 'backslash'],
    ['http:\\\\127.0.0.1/', 'backslash'],
    ['http://127.0.0.1\t.evil.example/', 'line break'],
    ['http://127.0.0.1\n.evil.example/', 'line break'],
    ['http://evil example/', 'space'],
    ['http:127.0.0.1', 'start with http://'],
    ['http:/127.0.0.1', 'start with http://'],
    ['http:///127.0.0.1', 'start with http://'],
    ['http://exämple.com/', 'xn--exmple-cua.com is reserved for documentation (203.0.113.9).'],
    ['http://[fe80::1%]/', 'not valid'],
    ['http://[::1.2.3.4.5]/', 'not valid'],
    ['http://127.0.0.1:99999/', 'not valid'],
    ['http://256.1.1.1/', 'not valid'],
  ])
  expectAllAccepted(['http://127.0.0.1:8080/v1', 'HTTPS://127.0.0.1:8443', ' http://[::1]:8080/v1 '])
  expectAllAccepted(['127.0.0.1:8080', 'model.lan/v1', '[::1]:8080'])
})

describe('55 another scheme is refused:', () => {
  expectAllRefused([
    ['file:///etc/passwd', 'start with http://'],
    ['ftp://127.0.0.1/', 'start with http://'],
    ['gopher://127.0.0.1/', 'start with http://'],
    ['unix:/run/model.sock', 'start with http://'],
    ['javascript:alert(1)', 'start with http://'],
    ['data:text/plain,x', 'start with http://'],
    ['ws://127.0.0.1/', 'start with http://'],
    ['HTTP+unix://127.0.0.1/', 'start with http://'],
  ])
  expectAllAccepted(['https://127.0.0.1/v1'])
})

const OUTSIDE = 'Stories stay on your own network.'
const urls = (hosts: string) => hosts.split(' ').map((host) => `http://${host}/v1`)
const refusesAll = (hosts: string) => expectAllRefused(urls(hosts).map((url) => [url, OUTSIDE]))
const takesAll = (hosts: string) => expectAllAccepted(urls(hosts))

describe('58 an embedded IPv4 address decides:', () => {
  refusesAll('[::ffff:8.8.8.8] [::8.8.8.8] [fe80::5efe:8.8.8.8] [fd00::200:5efe:8.8.8.8]')
  refusesAll('[64:ff9b::a00:1] [64:ff9b:1::a00:1] [2002:a00:1::] [2001:0:a00:1::]')
  takesAll('[::ffff:192.168.1.1] [fe80::5efe:192.168.1.1]')
})

describe('59 allowed:', () => {
  takesAll('[::ffff:127.0.0.1] [fe80::1%25eth0] [fd00::5] 100.64.0.1 169.254.10.1 10.0.0.1')
})

describe('60 special ranges are refused:', () => {
  refusesAll('192.0.2.1 198.51.100.1 203.0.113.1 [2001:db8::1] 0.0.0.0 [::] 224.0.0.1 [ff02::1]')
  refusesAll('255.255.255.255 240.0.0.1 198.18.0.1')
  // Cloud metadata addresses are in ranges of home networks, and harmless there.
  takesAll('169.254.169.254 100.100.100.200 [fd00:ec2::254]')
})

describe('61 the boundaries of ranges:', () => {
  refusesAll('9.255.255.255 172.15.255.255 172.32.0.0 100.63.255.255 100.128.0.0 [fbff::] [fe00::]')
  takesAll('10.0.0.0 172.16.0.0 172.31.255.255 100.64.0.0 100.127.255.255 [fc00::] [fdff::]')
})

describe('56 57 a name that resolves to something else', () => {
  for (const name of ['split.lan', 'split.rev'])
    test(`56 in part, like ${name}, is refused when it is saved`, () =>
      expectRefused(`http://${name}/v1`, `${name} is on the public internet (8.8.8.8).`))

  const later: [row: number, what: string, answer: string[]][] = [
    [56, 'in part', ['127.0.0.1', '8.8.8.8']],
    [56, 'in part, the other way round', ['8.8.8.8', '127.0.0.1']],
    [57, 'altogether', ['8.8.8.8']],
    [57, 'nothing at all', []],
  ]
  for (const [row, what, addresses] of later)
    test(`${row} ${what} after it was saved gets no byte of the story`, async () => {
      await using endpoint = await startEndpoint()
      const { port } = new URL(endpoint.url)
      allowTarget(`http://turning.lan:${port}/v1`)
      NAMES['turning.lan'] = ['127.0.0.1']
      expect((await put(`http://turning.lan:${port}/v1`)).status).toBe(200)
      const { id } = (await server.post('/api/adventures', { title: 'Fog' })).body
      expect((await playTurn(server, id)).at(-1)).toMatchObject({ type: 'done' })
      NAMES['turning.lan'] = addresses
      const listed = endpoint.listRequests.length
      expect((await playTurn(server, id)).at(-1)).toMatchObject({
        type: 'error',
        code: 'provider_error',
        reason: addresses.length > 0 ? 'endpoint_refused' : 'unresolved',
        retryable: addresses.length === 0,
      })
      expect(endpoint.requests).toHaveLength(1)
      expect((await server.get('/api/settings/models')).status).toBe(422)
      expect((await server.post('/api/settings/test')).body).toMatchObject({
        ok: false,
        code: 'endpoint_refused',
      })
      expect(endpoint.listRequests).toHaveLength(listed)
    })
})

test('57 an embedding server whose name becomes public gets no byte of the story', async () => {
  await using own = await startEndpoint()
  const { port } = new URL(own.url)
  allowTarget(`http://words.lan:${port}/v1`)
  NAMES['words.lan'] = ['127.0.0.1']
  const tried = { embedding_endpoint_url: `http://words.lan:${port}/v1`, embedding_model: 'm' }
  expect((await server.send('PUT', '/api/settings', tried)).status).toBe(200)
  NAMES['words.lan'] = ['8.8.8.8']
  expect((await server.post('/api/settings/test/embeddings')).body).toMatchObject({
    ok: false,
    code: 'endpoint_refused',
  })
  expect(own.embedRequests).toEqual([])
  await server.send('PUT', '/api/settings', { embedding_endpoint_url: '', embedding_model: '' })
})

async function listAndTurn(service: ServiceUnderAttack, endpoint_url: string) {
  const saved = await service.send('PUT', '/api/settings', { endpoint_url, model: 'm' })
  expect(saved.status).toBe(200)
  const list = await service.send('POST', '/api/settings/test')
  return { list: list.body, turn: await service.turn(await service.begin(false)) }
}

test('63 proxies in the environment are not used', async () => {
  await using endpoint = await startEndpoint()
  await using proxy = await startEndpoint()
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
  const to = new URL(proxy.url).origin
  const env = { NODE_USE_ENV_PROXY: '1', ...Object.fromEntries(names.map((name) => [name, to])) }
  await using service = await startUnderAttack(env)
  const { list, turn } = await listAndTurn(service, endpoint.url)
  expect(list).toEqual({ ok: true, models: ['test-model'] })
  expect(turn).toMatchObject({ type: 'done' })
  expect([proxy.requests, proxy.listRequests]).toEqual([[], []])
  // The proxy in the environment does work: the runtime's own fetch uses it.
  const fetching = `await fetch(${JSON.stringify(`${endpoint.url}/chat/completions`)}, { method: 'POST', body: '{}' })`
  await Bun.spawn([process.execPath, '-e', fetching], { env }).exited
  expect(proxy.requests).toHaveLength(1)
})

test('64 an untrusted certificate fails, whatever the environment says; a trusted one works', async () => {
  const authority = makeAuthority()
  const file = join(temporaryFolder(), 'authority.pem')
  writeFileSync(file, authority.cert)
  await using service = await startUnderAttack({ APP_CA_FILE: file, NODE_TLS_REJECT_UNAUTHORIZED: '0' })
  const past = new Date(Date.now() - 60_000)
  const certificates = [
    { tls: makeAuthority('127.0.0.1'), says: 'APP_CA_FILE' },
    { tls: certify(makeAuthority('someone else'), '127.0.0.1'), says: 'APP_CA_FILE' },
    { tls: certify(authority, '127.0.0.1', past), says: 'not valid yet' },
    { tls: certify(authority, 'other.test'), says: 'is for a different name' },
  ]
  for (const { tls, says } of certificates) {
    await using endpoint = await startEndpoint({ tls })
    const { list, turn } = await listAndTurn(service, endpoint.url)
    expect(list).toMatchObject({ ok: false, detail: expect.stringContaining(says) })
    expect(turn).toMatchObject({
      type: 'error',
      code: 'provider_error',
      detail: expect.stringContaining(says),
    })
    expect([endpoint.requests, endpoint.listRequests]).toEqual([[], []])
  }
  await using endpoint = await startEndpoint({ tls: certify(authority, '127.0.0.1') })
  endpoint.byDefault(say('The lamp burns low.'))
  const { list, turn } = await listAndTurn(service, endpoint.url)
  expect(list).toEqual({ ok: true, models: ['test-model'] })
  expect(turn).toMatchObject({ type: 'done', action: { text: 'The lamp burns low.' } })
})
