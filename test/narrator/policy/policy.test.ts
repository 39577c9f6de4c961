import { describe, expect, test } from 'bun:test'
import { StoryError } from '../../../src/domain/errors.ts'
import { checkEndpoint, cloudProviderOf } from '../../../src/narrator/policy/policy.ts'

const NAMES: Record<string, string[]> = {
  'model.lan': ['192.168.1.20', 'fd00::20'],
  localhost: ['::1', '127.0.0.1'],
  'public.example': ['8.8.8.8'],
  'split.example': ['127.0.0.1', '8.8.8.8'],
  'split.rev': ['8.8.8.8', '127.0.0.1'],
  'odd.example': ['127.0.0.1', 'not-an-address'],
}

async function resolve(host: string): Promise<string[]> {
  const found = NAMES[host]
  if (found) return found
  throw Object.assign(new Error('unknown name'), { code: 'ENOTFOUND' })
}

async function refusalOf(url: string): Promise<StoryError> {
  const outcome = await checkEndpoint(url, resolve).catch((error: unknown) => error)
  if (outcome instanceof StoryError) return outcome
  throw new Error(`${url} was not refused: ${JSON.stringify(outcome)}`)
}

describe('an allowed address is accepted', () => {
  test.each([
    ['http://127.0.0.1:8080/v1', '127.0.0.1', 'http://127.0.0.1:8080/v1'],
    ['https://10.0.0.1/v1', '10.0.0.1', 'https://10.0.0.1/v1'],
    ['http://100.64.0.1', '100.64.0.1', 'http://100.64.0.1/'],
    ['http://169.254.10.1/', '169.254.10.1', 'http://169.254.10.1/'],
    ['http://[fd00::5]:1234/v1', 'fd00::5', 'http://[fd00::5]:1234/v1'],
    ['http://[::ffff:127.0.0.1]/v1', '::ffff:7f00:1', 'http://[::ffff:7f00:1]/v1'],
    ['http://[fe80::1%25eth0]:8080/v1', 'fe80::1%eth0', 'http://[fe80::1]:8080/v1'],
    ['http://[fe80::1%eth0]/v1', 'fe80::1%eth0', 'http://[fe80::1]/v1'],
    ['HTTP://0x7f.1:80/v1', '127.0.0.1', 'http://127.0.0.1/v1'],
    ['http://2130706433/v1', '127.0.0.1', 'http://127.0.0.1/v1'],
    ['http://127。0。0。1/v1', '127.0.0.1', 'http://127.0.0.1/v1'],
  ])('%s leads to %s', async (given, address, url) => {
    const checked = await checkEndpoint(given, resolve)
    expect(checked.addresses).toEqual([address])
    expect(checked.url.href).toBe(url)
  })

  test('every address of a name is returned', async () => {
    expect((await checkEndpoint('http://model.lan:5001', resolve)).addresses).toEqual([
      '192.168.1.20',
      'fd00::20',
    ])
  })

  test.each([
    '/v1',
    '/v1/',
    '/v1//',
    '/v1/chat/completions',
    '/v1/completions/',
    '/v1/models',
    ' /v1 '.trim(),
  ])('a pasted path %s becomes /v1', async (path) =>
    expect((await checkEndpoint(` http://localhost:8080${path} `, resolve)).url.pathname).toBe('/v1'),
  )
})

describe('a refused address is named with host, address and class', () => {
  test.each([
    ['http://8.8.8.8/v1', '8.8.8.8 is on the public internet. Stories stay on your own network.'],
    ['http://[::ffff:8.8.8.8]/', '[::ffff:808:808] is on the public internet (8.8.8.8).'],
    ['http://[64:ff9b::a00:1]/', '[64:ff9b::a00:1] is a NAT64 address, which may lead out of your network.'],
    ['http://[2002:a00:1::]/', '[2002:a00:1::] is a 6to4 address, which may lead out of your network.'],
    ['http://[fe80::5efe:8.8.8.8]/', '[fe80::5efe:808:808] is on the public internet (8.8.8.8).'],
    ['http://[::8.8.8.8]/', '(8.8.8.8)'],
    ['http://[::ffff:8.8.8.8%25eth0]/', '(8.8.8.8)'],
    ['http://192.0.2.1/', '192.0.2.1 is reserved for documentation.'],
    ['http://[2001:db8::1]/', '[2001:db8::1] is reserved for documentation. '],
    ['http://0.0.0.0:8080/', '0.0.0.0 is the unspecified address'],
    ['http://0/', '0.0.0.0 is the unspecified address'],
    ['http://[::]/', 'the unspecified address'],
    ['http://224.0.0.1/', 'a multicast address'],
    ['http://198.18.0.1/', 'reserved for benchmarking'],
    ['http://240.0.0.1/', 'a reserved address'],
    [
      'http://public.example/v1',
      'public.example is on the public internet (8.8.8.8). Stories stay on your own network.',
    ],
    ['http://split.example/', 'split.example is on the public internet (8.8.8.8).'],
    ['http://split.rev/', 'split.rev is on the public internet (8.8.8.8).'],
    ['http://odd.example/', 'odd.example is not an address (not-an-address).'],
  ])('%s: %s', async (url, sentence) => {
    const refusal = await refusalOf(url)
    expect(refusal.code).toBe('endpoint_refused')
    expect(refusal.message).toContain(sentence)
  })

  test.each([
    ['an unknown name', resolve],
    ['a name without addresses', async () => []],
  ])('%s is not resolved', async (_name, lookup) => {
    const refusal = await checkEndpoint('http://attic.lan:8080/v1', lookup).catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      code: 'endpoint_refused',
      message: 'The name attic.lan could not be resolved. Turn that machine on, or use its IP address.',
      more: { reason: 'unresolved' },
    })
  })
})

describe('a known cloud service', () => {
  test.each(['notopenai.com', 'openai.com.lan', 'x.ai.lan', 'max.ai', 'localhost', '[::1]'])(
    '%s is not a cloud service',
    (host) => {
      expect(cloudProviderOf(host)).toBeNull()
    },
  )
})
