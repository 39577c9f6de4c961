import { describe, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { bodyText } from '../../../src/narrator/connect/body-text.ts'
import type { LineFault } from '../../../src/narrator/connect/connection-error.ts'
import { judge } from '../../../src/narrator/policy.ts'
import { type Ask, type Hold, send, trusting } from '../../../src/narrator/transport.ts'
import { breakOff, fallSilent, gate, raw, sayAround, silent, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { meanAnywhere } from '../../support/endpoint/recorder.ts'
import { certify, makeAuthority } from './certificates.ts'
import { tell } from '../told.ts'

meanAnywhere()

const ASK: Ask = { method: 'POST', path: '/chat/completions', body: '{"model":"ä"}' }

function hold(given: Partial<Hold> = {}): Hold {
  const signal = new AbortController().signal
  return {
    ca: null,
    connectTimeout: 10,
    readTimeout: 10,
    second: 1_000,
    signal,
    onConnect: () => {},
    ...given,
  }
}

async function ask(url: string, addresses: string[], held: Partial<Hold> = {}, asked = ASK): Promise<string> {
  const checked = await judge(url, async () => addresses)
  const { body } = await send(checked, asked, hold(held))
  let text = ''
  for await (const bytes of body) text += Buffer.from(bytes).toString()
  return text
}

async function faultOf(url: string, addresses: string[] = [], held: Partial<Hold> = {}): Promise<LineFault> {
  return await ask(url, addresses, held).then(
    () => Promise.reject(new Error('it was answered')),
    (error: LineFault) => error,
  )
}

function named(url: string, name: string): string {
  const renamed = new URL(url)
  renamed.hostname = name
  return renamed.href
}

describe('the line leads to the checked address', () => {
  test('with the name in Host, the path behind the base, and the bytes as they are', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(raw(200, 'hello', { 'content-type': 'text/plain' }))
    expect(await ask(named(endpoint.url, 'model.test'), ['127.0.0.1'])).toBe('hello')
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

  test('over IPv6 too', async () => {
    await using endpoint = await startEndpoint({ host: '::1' })
    expect(await ask(endpoint.url, [])).toContain('[DONE]')
    expect(endpoint.requests[0]?.headers.host).toBe(new URL(endpoint.url).host)
  })

  test('and to the next one where nobody listens at the first', async () => {
    await using endpoint = await startEndpoint()
    expect(await ask(named(endpoint.url, 'model.test'), ['::1', '127.0.0.1'])).toContain('[DONE]')
  })

  test('57 a peer that was not checked gets no byte of the request', async () => {
    await using endpoint = await startEndpoint()
    const sent = send({ url: new URL(endpoint.url), addresses: ['127.0.0.2'] }, ASK, hold())
    expect(await sent.catch((error: unknown) => error)).toMatchObject({
      kind: 'stranger',
      detail: '127.0.0.1',
    })
    expect(endpoint.requests).toEqual([])
  })
})

describe('a line that fails says how', () => {
  test.each([[['127.0.0.1']], [['127.0.0.1', '127.0.0.2']]])('nobody listens at %p', async (addresses) => {
    const endpoint = await startEndpoint()
    await endpoint.close()
    expect(await faultOf(named(endpoint.url, 'model.test'), addresses)).toMatchObject({ kind: 'refused' })
  })

  test('a peer that never speaks TLS is given up after the connect timeout', async () => {
    const mute = createServer()
    await new Promise<void>((listening) => mute.listen(0, '127.0.0.1', () => listening()))
    const at = mute.address()
    const port = typeof at === 'object' ? at?.port : 0
    expect(await faultOf(`https://127.0.0.1:${port}/v1`, [], { connectTimeout: 0.03 })).toMatchObject({
      kind: 'unconnected',
      seconds: 0.03,
    })
    mute.close()
  })

  test('a peer that speaks another language is none of ours', async () => {
    const gruff = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
    await new Promise<void>((listening) => gruff.listen(0, '127.0.0.1', () => listening()))
    const at = gruff.address()
    const port = typeof at === 'object' ? at?.port : 0
    const fault = await faultOf(`http://127.0.0.1:${port}/v1`)
    expect(['malformed', 'lost']).toContain(fault.kind)
    gruff.close()
  })

  test.each([
    ['before the first byte', silent],
    ['behind the headers', fallSilent()],
    ['in the middle of a reply', fallSilent('The door')],
  ])('silence %s is counted, and the server is left', async (_when, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    expect(await faultOf(endpoint.url, [], { readTimeout: 0.03 })).toMatchObject({
      kind: 'silent',
      seconds: 0.03,
    })
    await endpoint.hungUp()
  })

  test('a slow reader is not a silent server', async () => {
    await using endpoint = await startEndpoint()
    const door = gate()
    endpoint.next(sayAround('The door', door, ' opens.'), silent)
    const answer = await send(await judge(endpoint.url, async () => []), ASK, hold({ readTimeout: 0.3 }))
    let text = ''
    for await (const bytes of answer.body) {
      // While this line is held unread, another one with a longer timeout runs out.
      if (text === '') await faultOf(endpoint.url, [], { readTimeout: 0.4 })
      door.open()
      text += Buffer.from(bytes).toString()
    }
    expect(text).toContain('[DONE]')
  })

  test.each([
    ['before any text', breakOff()],
    ['in the middle of a reply', breakOff('The door')],
  ])('lost %s', async (_when, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    expect(await faultOf(endpoint.url)).toMatchObject({ kind: 'lost' })
  })

  test.each([
    ['before it is answered', silent],
    ['in the middle of a reply', fallSilent('The door')],
  ])('an abort %s gives the reason of the signal and cuts the line', async (_when, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    const hangUp = new AbortController()
    const asked = faultOf(endpoint.url, [], { signal: hangUp.signal })
    await endpoint.requestArrived()
    const reason = new Error('the player has left')
    hangUp.abort(reason)
    expect(await asked).toBe(reason as LineFault)
    await endpoint.hungUp()
  })

  test('whoever stops reading cuts the line', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(fallSilent('The door'))
    const { body } = await send(await judge(endpoint.url, async () => []), ASK, hold())
    for await (const _ of body) break
    await endpoint.hungUp()
  })

  test('of an error’s body only so much is read', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(raw(500, 'x'.repeat(3_000_000)))
    const { body } = await send(await judge(endpoint.url, async () => []), ASK, hold())
    expect((await bodyText(body)).length).toBeLessThan(1_400_000)
  })
})

describe('TLS', () => {
  const authority = makeAuthority()
  const past = new Date(Date.now() - 60_000)

  test.each(['model.test', '127.0.0.1'])(
    'a private authority that was named vouches for %s',
    async (name) => {
      await using endpoint = await startEndpoint({ tls: certify(authority, name) })
      const told = await tell(
        { url: named(endpoint.url, name) },
        { options: { ca: authority.cert, resolve: async () => ['127.0.0.1'] } },
      )
      expect(told.text).toBe('The fire crackles. You wait.')
    },
  )

  test.each([
    ['of an unknown authority', certify(makeAuthority('someone else'), 'model.test'), 'APP_CA_FILE'],
    ['signed by itself', makeAuthority('model.test'), 'APP_CA_FILE'],
    ['for another name', certify(authority, 'other.test'), 'is for another name'],
    ['for an address instead of the name', certify(authority, '127.0.0.1'), 'is for another name'],
    ['that has run out', certify(authority, 'model.test', past), 'not valid today'],
  ])('a certificate %s fails the turn', async (_which, tls, why) => {
    await using endpoint = await startEndpoint({ tls })
    const options = { ca: authority.cert, resolve: async () => ['127.0.0.1'] }
    const { error } = await tell({ url: named(endpoint.url, 'model.test') }, { options })
    expect(error).toMatchObject({ code: 'provider_error' })
    expect(String(error)).toContain(why)
    expect(endpoint.requests).toEqual([])
  })

  test('no variable switches the check off', async () => {
    await using endpoint = await startEndpoint({ tls: certify(authority, 'model.test') })
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await faultOf(named(endpoint.url, 'model.test'), ['127.0.0.1'])).toMatchObject({
        kind: 'untrusted',
      })
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
    expect(endpoint.requests).toEqual([])
  })

  test('a server without TLS is told apart', async () => {
    await using endpoint = await startEndpoint()
    const { error } = await tell({ url: endpoint.url.replace('http:', 'https:') })
    expect(String(error)).toContain('does not speak TLS')
  })

  test('the system’s authorities stay trusted beside a private one', () => {
    const trusted = trusting(authority.cert)
    expect(trusted.at(-1)).toBe(authority.cert)
    expect(trusted.length).toBeGreaterThan(1)
  })
})
