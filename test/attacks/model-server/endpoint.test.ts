import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { certify, makeAuthority } from '../../narrator/connect/certificates.ts'
import { type Besieged, besiege } from '../../support/service/under-attack.ts'
import { say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { mean } from '../../support/endpoint/allowed-targets.ts'
import { startServer } from '../../support/service/server.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** What each name means, one look-up after the other; the last answer stays. */
const NAMES: Record<string, string[][]> = {
  'model.lan': [['127.0.0.1']],
  'split.lan': [['127.0.0.1', '8.8.8.8']],
  'split.rev': [['8.8.8.8', '127.0.0.1']],
  'xn--exmple-cua.com': [['203.0.113.9']],
}
const looked: string[] = []
const server = await startServer({
  narrator: {
    resolve: async (host) => {
      looked.push(host)
      const answers = NAMES[host] ?? []
      return (answers.length > 1 ? answers.shift() : answers[0]) ?? []
    },
  },
})
const put = (endpoint_url: string) => server.send('PUT', '/api/settings', { endpoint_url, model: 'm' })

async function expectRefused(address: string, says: string): Promise<void> {
  const before = (await server.get('/api/settings')).body
  const { status, body } = await put(address)
  expect([status, body.code]).toEqual([422, 'endpoint_refused'])
  expect(body.detail).toContain(says)
  expect(body.detail).not.toContain('secret')
  expect((await server.get('/api/settings')).body).toEqual(before)
}

describe('53 a cloud is refused by name, and not even looked up:', () => {
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
      looked.length = 0
      await expectRefused(address, `belongs to ${cloud}, a cloud service.`)
      expect(looked).toEqual([])
    })

  test('http://8.8.8.8/v1 is refused as public', () =>
    expectRefused('http://8.8.8.8/v1', '8.8.8.8 is on the public internet'))
  test('a name of one’s own is taken', async () =>
    expect((await put('http://model.lan:8080/v1')).status).toBe(200))
})

function refuses(odd: [address: string, says: string][]): void {
  for (const [address, says] of odd)
    test(`${JSON.stringify(address)}: ${says}`, () => expectRefused(address, says))
}

function takes(addresses: string[]): void {
  for (const address of addresses)
    test(`${JSON.stringify(address)} is taken`, async () => expect((await put(address)).status).toBe(200))
}

describe('54 what is no plain address is refused unread:', () => {
  refuses([
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
    ['http:127.0.0.1', 'begin with http://'],
    ['http:/127.0.0.1', 'begin with http://'],
    ['http:///127.0.0.1', 'begin with http://'],
    ['127.0.0.1:8080', 'begin with http://'],
    ['http://exämple.com/', 'xn--exmple-cua.com is reserved for documentation (203.0.113.9).'],
    ['http://[fe80::1%]/', 'not an address'],
    ['http://[::1.2.3.4.5]/', 'not an address'],
    ['http://127.0.0.1:99999/', 'not an address'],
    ['http://256.1.1.1/', 'not an address'],
  ])
  takes(['http://127.0.0.1:8080/v1', 'HTTPS://127.0.0.1:8443', ' http://[::1]:8080/v1 '])
})

describe('55 another scheme is refused unread:', () => {
  refuses([
    ['file:///etc/passwd', 'begin with http://'],
    ['ftp://127.0.0.1/', 'begin with http://'],
    ['gopher://127.0.0.1/', 'begin with http://'],
    ['unix:/run/model.sock', 'begin with http://'],
    ['javascript:alert(1)', 'begin with http://'],
    ['data:text/plain,x', 'begin with http://'],
    ['ws://127.0.0.1/', 'begin with http://'],
    ['HTTP+unix://127.0.0.1/', 'begin with http://'],
  ])
  takes(['https://127.0.0.1/v1'])
})

const OUTSIDE = 'Stories stay on your own network.'
const urls = (hosts: string) => hosts.split(' ').map((host) => `http://${host}/v1`)
const refusesAll = (hosts: string) => refuses(urls(hosts).map((url) => [url, OUTSIDE]))
const takesAll = (hosts: string) => takes(urls(hosts))

describe('58 what stands for an IPv4 address is judged by that:', () => {
  refusesAll('[::ffff:8.8.8.8] [64:ff9b::808:808] [2002:808:808::] [::8.8.8.8]')
  takesAll('[::ffff:192.168.1.1] [64:ff9b::a00:1]')
})

describe('59 inside is', () => {
  takesAll('[::ffff:127.0.0.1] [fe80::1%25eth0] [fd00::5] 100.64.0.1 169.254.10.1 10.0.0.1')
})

describe('60 outside is what nobody has, or many:', () => {
  refusesAll('192.0.2.1 198.51.100.1 203.0.113.1 [2001:db8::1] 0.0.0.0 [::] 224.0.0.1 [ff02::1]')
  refusesAll('255.255.255.255 240.0.0.1 198.18.0.1')
  // Metadata of clouds lies in the ranges of a home too, and is harmless there.
  takesAll('169.254.169.254 100.100.100.200 [fd00:ec2::254]')
})

describe('61 a range ends where it ends:', () => {
  refusesAll('9.255.255.255 172.15.255.255 172.32.0.0 100.63.255.255 100.128.0.0 [fbff::] [fe00::]')
  takesAll('10.0.0.0 172.16.0.0 172.31.255.255 100.64.0.0 100.127.255.255 [fc00::] [fdff::]')
})

describe('56 57 a name that means something else', () => {
  for (const name of ['split.lan', 'split.rev'])
    test(`56 in part, as ${name} does, is refused when it is saved`, () =>
      expectRefused(`http://${name}/v1`, `${name} is on the public internet (8.8.8.8).`))

  const later: [row: number, what: string, answer: string[]][] = [
    [56, 'in part', ['127.0.0.1', '8.8.8.8']],
    [56, 'in part, the other way round', ['8.8.8.8', '127.0.0.1']],
    [57, 'altogether', ['8.8.8.8']],
    [57, 'nothing at all', []],
  ]
  for (const [row, what, answer] of later)
    test(`${row} ${what} since it was saved gets no byte of the story`, async () => {
      await using endpoint = await startEndpoint()
      const { port } = new URL(endpoint.url)
      mean(`http://turning.lan:${port}/v1`)
      NAMES['turning.lan'] = [['127.0.0.1'], ['127.0.0.1'], answer]
      expect((await put(`http://turning.lan:${port}/v1`)).status).toBe(200)
      const { id } = (await server.post('/api/adventures', { title: 'Fog' })).body
      expect((await playTurn(server, id)).at(-1)).toMatchObject({ type: 'done' })
      expect((await playTurn(server, id)).at(-1)).toMatchObject({
        type: 'error',
        code: 'provider_error',
        reason: answer.length > 0 ? 'endpoint_refused' : 'unresolved',
        retryable: answer.length === 0,
      })
      expect(endpoint.requests).toHaveLength(1)
      expect((await server.get('/api/settings/models')).status).toBe(422)
      expect((await server.post('/api/settings/test')).body).toMatchObject({
        ok: false,
        code: 'endpoint_refused',
      })
      expect(endpoint.listRequests).toEqual([])
    })
})

async function listAndTurn(service: Besieged, endpoint_url: string) {
  const saved = await service.send('PUT', '/api/settings', { endpoint_url, model: 'm' })
  expect(saved.status).toBe(200)
  const list = await service.send('POST', '/api/settings/test')
  return { list: list.body, turn: await service.turn(await service.begin(false)) }
}

test('63 proxies in the environment of the service see nothing of it', async () => {
  await using endpoint = await startEndpoint()
  await using proxy = await startEndpoint()
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
  const to = new URL(proxy.url).origin
  const env = { NODE_USE_ENV_PROXY: '1', ...Object.fromEntries(names.map((name) => [name, to])) }
  await using service = await besiege(env)
  const { list, turn } = await listAndTurn(service, endpoint.url)
  expect(list).toEqual({ ok: true, models: ['test-model'] })
  expect(turn).toMatchObject({ type: 'done' })
  expect([proxy.requests, proxy.listRequests]).toEqual([[], []])
  // The environment did name a proxy that works: the runtime's own fetch goes there.
  const fetching = `await fetch(${JSON.stringify(`${endpoint.url}/chat/completions`)}, { method: 'POST', body: '{}' })`
  await Bun.spawn([process.execPath, '-e', fetching], { env }).exited
  expect(proxy.requests).toHaveLength(1)
}, 20_000)

test('64 a certificate that is not vouched for fails, whatever the environment says; one that is works', async () => {
  const authority = makeAuthority()
  const file = join(temporaryFolder(), 'authority.pem')
  writeFileSync(file, authority.cert)
  await using service = await besiege({ APP_CA_FILE: file, NODE_TLS_REJECT_UNAUTHORIZED: '0' })
  const past = new Date(Date.now() - 60_000)
  const certificates = [
    { tls: makeAuthority('127.0.0.1'), says: 'APP_CA_FILE' },
    { tls: certify(makeAuthority('someone else'), '127.0.0.1'), says: 'APP_CA_FILE' },
    { tls: certify(authority, '127.0.0.1', past), says: 'not valid today' },
    { tls: certify(authority, 'other.test'), says: 'is for another name' },
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
}, 20_000)
