import { describe, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import type { ConnectionError } from '../../../src/narrator/connect/connection-error.ts'
import {
  bodyText,
  type HttpRequest,
  type RequestLimits,
  send,
  trustedAuthorities,
} from '../../../src/narrator/connect/transport.ts'
import { checkEndpoint } from '../../../src/narrator/policy/policy.ts'
import {
  breakOff,
  fallSilent,
  gate,
  raw,
  sayAround,
  silent,
  startEndpoint,
} from '../../support/endpoint/endpoint.ts'
import { allowAnyTarget } from '../../support/endpoint/recorder.ts'
import { generate } from '../reply/collect.ts'
import { certify, makeAuthority } from './certificates.ts'

allowAnyTarget()

const REQUEST: HttpRequest = { method: 'POST', path: '/chat/completions', body: '{"model":"ä"}' }

function limitsWith(overrides: Partial<RequestLimits> = {}): RequestLimits {
  const signal = new AbortController().signal
  return {
    ca: null,
    connectTimeout: 10,
    readTimeout: 10,
    msPerSecond: 1_000,
    signal,
    onConnect: () => {},
    ...overrides,
  }
}

async function bodyOf(
  url: string,
  addresses: string[],
  limits: Partial<RequestLimits> = {},
  request = REQUEST,
): Promise<string> {
  const checked = await checkEndpoint(url, async () => addresses)
  const { body } = await send(checked, request, limitsWith(limits))
  let text = ''
  for await (const bytes of body) text += Buffer.from(bytes).toString()
  return text
}

async function errorOf(
  url: string,
  addresses: string[] = [],
  limits: Partial<RequestLimits> = {},
): Promise<ConnectionError> {
  return await bodyOf(url, addresses, limits).then(
    () => Promise.reject(new Error('it was answered')),
    (error: ConnectionError) => error,
  )
}

function named(url: string, name: string): string {
  const renamed = new URL(url)
  renamed.hostname = name
  return renamed.href
}

describe('the connection goes to the checked address', () => {
  test('with the name in Host, the path appended to the base, and the bytes unchanged', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(raw(200, 'hello', { 'content-type': 'text/plain' }))
    expect(await bodyOf(named(endpoint.url, 'model.test'), ['127.0.0.1'])).toBe('hello')
    const [request] = endpoint.requests
    expect(request?.path).toBe('/v1/chat/completions')
    expect(request?.headers).toMatchObject({
      host: `model.test:${new URL(endpoint.url).port}`,
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'content-length': '14',
    })
    expect(request?.headers).not.toHaveProperty('authorization')
    expect(request?.body).toEqual({ model: 'ä' })
  })

  test('over IPv6', async () => {
    await using endpoint = await startEndpoint({ host: '::1' })
    expect(await bodyOf(endpoint.url, [])).toContain('[DONE]')
    expect(endpoint.requests[0]?.headers.host).toBe(new URL(endpoint.url).host)
  })

  test('or to the next one if the first does not accept', async () => {
    await using endpoint = await startEndpoint()
    expect(await bodyOf(named(endpoint.url, 'model.test'), ['::1', '127.0.0.1'])).toContain('[DONE]')
  })

  test('57 an unchecked peer gets no byte of the request', async () => {
    await using endpoint = await startEndpoint()
    const sent = send({ url: new URL(endpoint.url), addresses: ['127.0.0.2'] }, REQUEST, limitsWith())
    expect(await sent.catch((error: unknown) => error)).toMatchObject({
      kind: 'unchecked_peer',
      detail: '127.0.0.1',
    })
    expect(endpoint.requests).toEqual([])
  })
})

describe('a connection error has a kind', () => {
  test.each([[['127.0.0.1']], [['127.0.0.1', '127.0.0.2']]])('nothing listens at %p', async (addresses) => {
    const endpoint = await startEndpoint()
    await endpoint.close()
    expect(await errorOf(named(endpoint.url, 'model.test'), addresses)).toMatchObject({ kind: 'refused' })
  })

  test('a peer that never starts TLS fails after the connect timeout', async () => {
    const mute = createServer()
    await new Promise<void>((listening) => mute.listen(0, '127.0.0.1', () => listening()))
    const address = mute.address()
    const port = typeof address === 'object' ? address?.port : 0
    expect(await errorOf(`https://127.0.0.1:${port}/v1`, [], { connectTimeout: 0.03 })).toMatchObject({
      kind: 'connect_timeout',
      seconds: 0.03,
    })
    mute.close()
  })

  test('a peer with another protocol', async () => {
    const gruff = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
    await new Promise<void>((listening) => gruff.listen(0, '127.0.0.1', () => listening()))
    const address = gruff.address()
    const port = typeof address === 'object' ? address?.port : 0
    const error = await errorOf(`http://127.0.0.1:${port}/v1`)
    expect(['malformed', 'lost']).toContain(error.kind)
    gruff.close()
  })

  test.each([
    ['before the first byte', silent],
    ['after the headers', fallSilent()],
    ['in the middle of a reply', fallSilent('The door')],
  ])('silence %s ends with the read timeout and closes the connection', async (_when, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    expect(await errorOf(endpoint.url, [], { readTimeout: 0.03 })).toMatchObject({
      kind: 'read_timeout',
      seconds: 0.03,
    })
    await endpoint.hungUp()
  })

  test('a slow reader does not trigger the read timeout', async () => {
    await using endpoint = await startEndpoint()
    const door = gate()
    endpoint.next(sayAround('The door', door, ' opens.'), silent)
    const response = await send(
      await checkEndpoint(endpoint.url, async () => []),
      REQUEST,
      limitsWith({ readTimeout: 1 }),
    )
    let text = ''
    for await (const bytes of response.body) {
      // While this connection is not read, another one with a longer timeout expires.
      if (text === '') await errorOf(endpoint.url, [], { readTimeout: 1.2 })
      door.open()
      text += Buffer.from(bytes).toString()
    }
    expect(text).toContain('[DONE]')
  })

  test.each([
    ['before any text', breakOff()],
    ['in the middle of a reply', breakOff('The door')],
  ])('a connection lost %s', async (_when, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    expect(await errorOf(endpoint.url)).toMatchObject({ kind: 'lost' })
  })

  test.each([
    ['before the response', silent],
    ['in the middle of a reply', fallSilent('The door')],
  ])('an abort %s throws the reason of the signal and closes the connection', async (_when, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    const hangUp = new AbortController()
    const request = errorOf(endpoint.url, [], { signal: hangUp.signal })
    await endpoint.requestArrived()
    const reason = new Error('the player has left')
    hangUp.abort(reason)
    expect(await request).toBe(reason as ConnectionError)
    await endpoint.hungUp()
  })

  test('a reader that stops closes the connection', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(fallSilent('The door'))
    const { body } = await send(await checkEndpoint(endpoint.url, async () => []), REQUEST, limitsWith())
    for await (const _ of body) break
    await endpoint.hungUp()
  })

  test('only part of a large error body is read', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(raw(500, 'x'.repeat(30_000_000)))
    const { body } = await send(await checkEndpoint(endpoint.url, async () => []), REQUEST, limitsWith())
    expect((await bodyText(body)).length).toBeLessThan(10_000_000)
  })
})

describe('TLS', () => {
  const authority = makeAuthority()
  const past = new Date(Date.now() - 60_000)

  test.each(['model.test', '127.0.0.1'])('a configured private authority is trusted for %s', async (name) => {
    await using endpoint = await startEndpoint({ tls: certify(authority, name) })
    const reply = await generate(
      { url: named(endpoint.url, name) },
      { options: { ca: authority.cert, resolve: async () => ['127.0.0.1'] } },
    )
    expect(reply.text).toBe('The fire crackles. You wait.')
  })

  test.each([
    ['of an unknown authority', certify(makeAuthority('someone else'), 'model.test'), 'APP_CA_FILE'],
    ['that is self-signed', makeAuthority('model.test'), 'APP_CA_FILE'],
    ['for another name', certify(authority, 'other.test'), 'is for a different name'],
    ['for an address instead of the name', certify(authority, '127.0.0.1'), 'is for a different name'],
    ['that has expired', certify(authority, 'model.test', past), 'not valid yet'],
  ])('a certificate %s fails the turn', async (_which, tls, why) => {
    await using endpoint = await startEndpoint({ tls })
    const options = { ca: authority.cert, resolve: async () => ['127.0.0.1'] }
    const { error } = await generate({ url: named(endpoint.url, 'model.test') }, { options })
    expect(error).toMatchObject({ code: 'provider_error' })
    expect(String(error)).toContain(why)
    expect(endpoint.requests).toEqual([])
  })

  test('no environment variable turns the check off', async () => {
    await using endpoint = await startEndpoint({ tls: certify(authority, 'model.test') })
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await errorOf(named(endpoint.url, 'model.test'), ['127.0.0.1'])).toMatchObject({
        kind: 'untrusted',
      })
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
    expect(endpoint.requests).toEqual([])
  })

  test('a server without TLS gets its own message', async () => {
    await using endpoint = await startEndpoint()
    const { error } = await generate({ url: endpoint.url.replace('http:', 'https:') })
    expect(String(error)).toContain('does not use TLS')
  })

  test('the system’s authorities stay trusted in addition to a private one', () => {
    const trusted = trustedAuthorities(authority.cert)
    expect(trusted.at(-1)).toBe(authority.cert)
    expect(trusted.length).toBeGreaterThan(1)
  })
})
