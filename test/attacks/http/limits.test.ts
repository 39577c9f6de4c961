import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { streamResponse } from '../../../src/http/stream.ts'
import { runs } from '../../support/depth.ts'
import {
  fallSilent,
  frame,
  type Step,
  say,
  sayAndRecord,
  startEndpoint,
} from '../../support/endpoint/endpoint.ts'
import { head, nested, over, says, startHostile, thinks } from '../../support/endpoint/hostile-server.ts'
import { playTurn, retryTurn, startTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'
import { monitor, type ServiceUnderAttack, startUnderAttack } from '../../support/service/under-attack.ts'

const MOST_GROWTH = 300
const MANY = 200

describe('74 a client that disconnects', () => {
  const PROSE = 'The lamp burns low. '

  async function startStory() {
    const endpoint = await startEndpoint()
    const server = await startServer()
    await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'm' })
    const stat_schema = { player: { warmth: { initial: 9, min: 0 } } }
    const scenario = (await server.post('/api/scenarios', { prompt: 'The lamp is lit.', stat_schema })).body
    const { id } = (await server.post('/api/adventures', { scenario_id: scenario.id })).body
    endpoint.byDefault(sayAndRecord(PROSE, { 'player.warmth': -1 }))
    expect((await playTurn(server, id)).at(-1)).toMatchObject({ type: 'done' })
    const seen = async () => {
      const { actions } = (await server.get(`/api/adventures/${id}`)).body
      const { state } = (await server.get(`/api/adventures/${id}/world-state`)).body
      return { action: actions.at(-1), count: actions.length, warmth: state.player.warmth }
    }
    return { endpoint, server, id, seen }
  }

  test('at any character of a retry leaves the earlier attempt and its stats', async () => {
    const { endpoint, server, id, seen } = await startStory()
    await using _ = endpoint
    const before = await seen()
    const withFinish: Step = async ({ response, closed }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(frame({ choices: [{ delta: { content: PROSE } }] }))
      await closed
    }
    const prefixes = Array.from(PROSE, (_, at) => PROSE.slice(0, at + 1))
    for (const step of [...prefixes.map((text) => fallSilent(text)), withFinish]) {
      endpoint.byDefault(step)
      const turn = await startTurn(server, `/api/adventures/${id}/retry`)
      await turn.until((event) => event.type === 'status' && event.phase === 'writing')
      turn.disconnect()
      await server.deps.locks.freed(id)
      expect(await seen()).toEqual(before)
    }
    endpoint.byDefault(say('The lamp is out.'))
    expect((await retryTurn(server, id)).at(-1)).toMatchObject({ type: 'done', action: { variant_count: 2 } })
    expect((await server.get(`/api/adventures/${id}/audit`)).body).toMatchObject({ ok: true })
  })

  test('at any byte of a response leaves a consistent story', async () => {
    const { endpoint, server, id, seen } = await startStory()
    await using _ = endpoint
    const whole = await (await server.ask(`/api/adventures/${id}/retry`, { method: 'POST' })).text()
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async (bytes) => {
        const disconnect = new AbortController()
        const before = await seen()
        const response = await server
          .ask(`/api/adventures/${id}/retry`, { method: 'POST', signal: disconnect.signal })
          .catch(() => null)
        let read = 0
        const reader = response?.body?.getReader()
        while (read < bytes) {
          const next = await reader?.read().catch(() => null)
          if (!next || next.done) break
          read += next.value.length
        }
        disconnect.abort()
        await server.deps.locks.freed(id)
        await server.deps.recordings.ended(id)
        const { action, count, warmth } = await seen()
        expect([count, warmth, action.text]).toEqual([2, 8, PROSE.trim()])
        expect([before.action.variant_count, before.action.variant_count + 1]).toContain(action.variant_count)
        expect(action.variant_index).toBe(action.variant_count - 1)
      }),
      { numRuns: runs(100), endOnFailure: true },
    )
    expect((await server.get(`/api/adventures/${id}/audit`)).body).toMatchObject({ ok: true, findings: [] })
  })
})

describe('74 a client that reads nothing', () => {
  test('is dropped, and the source of its events is stopped', async () => {
    let signal: AbortSignal | undefined
    let made = 0
    async function* events() {
      for (; !signal?.aborted; made++) {
        yield 'x'.repeat(65_536)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const request = new Request('http://127.0.0.1/')
    const open = (hangUp: AbortSignal) => {
      signal = hangUp
      return events()
    }
    const response = streamResponse(request, open)
    await new Promise((given) => signal?.addEventListener('abort', given))
    expect(response.status).toBe(200)
    expect(made).toBeLessThan(100)
  })
})

describe('78 from one client', () => {
  const hostile = { server: null as Awaited<ReturnType<typeof startHostile>> | null }
  let service: ServiceUnderAttack
  let port = 0
  beforeAll(async () => {
    hostile.server = await startHostile()
    service = await startUnderAttack()
    port = Number(new URL(service.address).port)
    await service.send('PUT', '/api/settings', { endpoint_url: hostile.server.url, model: 'm' })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await hostile.server?.[Symbol.asyncDispose]()
  })

  const tellWith = (bytes: () => ReturnType<typeof over> | AsyncGenerator<string>) => {
    if (hostile.server) hostile.server.respond = (line) => (/completions /.test(line) ? bytes() : null)
  }
  const tally = async () => (await service.send('GET', '/api/health')).body.turns
  /** Opens a connection and sends this; destroying it is how the client leaves. */
  const sendRaw = (text: string) =>
    new Promise<Socket>((sent, failed) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text, () => sent(socket)))
      socket.on('error', failed)
    })
  const post = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  async function* silentAfter(first: string) {
    yield first
    await new Promise<never>(() => {})
  }
  async function expectPlays(id: number): Promise<void> {
    tellWith(() => over(head(), says('The lamp burns low.'), 1))
    expect(await service.turn(id)).toMatchObject({ type: 'done' })
  }

  test(`${MANY} turns at once are queued, and delay nobody else`, async () => {
    tellWith(() => silentAfter(head()))
    const stories = await Promise.all(Array.from({ length: MANY }, () => service.begin()))
    const before = await tally()
    const requestCount = hostile.server?.requestLines.length ?? 0
    const disconnect = new AbortController()
    const { growth, answered } = await monitor(service, async () => {
      const opened = stories.map((id) =>
        fetch(new URL(`/api/adventures/${id}/actions`, service.address), {
          method: 'POST',
          body: '{"type":"continue"}',
          headers: { 'Content-Type': 'application/json' },
          signal: disconnect.signal,
        }),
      )
      expect((await Promise.all(opened)).every(({ status }) => status === 200)).toBe(true)
      expect((await service.send('POST', '/api/adventures', { title: 'Another' })).status).toBe(201)
      const pages = stories.map((id) =>
        fetch(new URL(`/adventures/${id}`, service.address)).then((page) => page.text()),
      )
      expect((await Promise.all(pages)).filter((page) => !page.includes('</html>'))).toEqual([])
      const replyRequests = hostile.server?.requestLines
        .slice(requestCount)
        .filter((line) => /completions /.test(line))
      expect(replyRequests?.length).toBeLessThanOrEqual(1)
    })
    disconnect.abort()
    while ((await tally()).failed.disconnected !== (before.failed.disconnected ?? 0) + MANY);
    expect(growth).toBeLessThan(MOST_GROWTH)
    expect(answered).toBeGreaterThan(0)
    for (const id of stories.slice(0, 3)) await expectPlays(id)
  })

  test('a hundred bodies that arrive a byte at a time delay nobody', async () => {
    const paths = ['/api/scenarios', '/api/import', '/api/settings']
    const { growth, answered } = await monitor(service, async () => {
      const slow = await Promise.all(
        Array.from({ length: 100 }, (_, at) => sendRaw(post(paths[at % 3] ?? '', 2_000_000))),
      )
      for (let byte = 0; byte < 20; byte++) {
        for (const socket of slow) socket.write(' ')
        expect((await service.send('POST', '/api/adventures', { title: 'Another' })).status).toBe(201)
      }
      for (const socket of slow) socket.destroy()
    })
    expect(growth).toBeLessThan(MOST_GROWTH)
    expect(answered).toBeGreaterThan(0)
  })

  test('74 a client that reads nothing of a long reply holds no memory and no lock', async () => {
    const id = await service.begin()
    const { accepted, failed } = await tally()
    const ended = (turns: typeof failed, more: number) =>
      Object.values(turns).reduce<number>((sum, times) => sum + Number(times), more)
    // Each character is six bytes on the wire: more than a client may leave unread.
    const letters = '\u0001'.repeat(2_000)
    tellWith(() => over(head() + thinks(letters).repeat(240), says(letters).repeat(10)))
    const { growth, answered } = await monitor(service, async () => {
      const socket = await sendRaw(`${post(`/api/adventures/${id}/actions`, 19)}{"type":"continue"}`)
      socket.pause()
      for (;;) {
        const now = await tally()
        if (ended(now.failed, now.accepted) > ended(failed, accepted)) break
      }
      await hostile.server?.allLeft()
      await expectPlays(id)
      socket.destroy()
    })
    expect(growth).toBeLessThan(MOST_GROWTH)
    expect(answered).toBeGreaterThan(0)
  })

  const deep: [what: string, method: string, path: string, body: string, status: number][] = [
    [
      'a schema',
      'POST',
      '/api/scenarios',
      `{"title":"x","stat_schema":${nested(50_000, '{"a":', '}', '1')}}`,
      400,
    ],
    ['lists', 'POST', '/api/scenarios', `{"tags":${nested(50_000)}}`, 400],
    ['settings', 'PUT', '/api/settings', `{"model":${nested(900_000)}}`, 400],
    ['a world', 'PUT', '/api/adventures/1/world-state', nested(50_000, '{"state":', '}', '1'), 400],
    ['a file', 'POST', '/api/import', nested(50_000), 422],
    ['a file of 15 MB', 'POST', '/api/import', '{"a":'.repeat(3_000_000), 422],
    ['a bundle', 'POST', '/api/scenarios/import', nested(50_000, '{"title":', '}', '1'), 422],
  ]
  for (const [what, method, path, body, status] of deep)
    test(`${what} of 50,000 levels is refused, and delays nothing`, async () => {
      const { outcome, growth } = await monitor(service, () => service.send(method, path, body))
      expect(outcome).toMatchObject({ status, body: { detail: expect.stringContaining('deeper than 100') } })
      expect(growth).toBeLessThan(MOST_GROWTH)
    })

  const keys = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}}`
  const wide: [what: string, method: string, path: string, body: string, status: number, words: string][] = [
    ['an object', 'PATCH', '/api/adventures/1', keys(150_000), 413, '20000 values'],
    ['a list', 'POST', '/api/scenarios', `{"tags":[${'1,'.repeat(900_000)}1]}`, 413, '20000 values'],
    [
      'a schema',
      'POST',
      '/api/scenarios',
      `{"title":"x","stat_schema":${keys(15_000)}}`,
      422,
      '10000 values',
    ],
    [
      'a schema with long names',
      'POST',
      '/api/scenarios',
      `{"title":"x","stat_schema":{"${'x'.repeat(300_000)}":1}}`,
      422,
      '200000 characters',
    ],
    [
      'the answers',
      'POST',
      '/api/adventures',
      `{"scenario_id":1,"placeholders":${keys(300).replaceAll(':1', ':"x"')}}`,
      422,
      'placeholders',
    ],
    ['a file', 'POST', '/api/import', keys(1_500_000), 422, 'more values'],
    ['a file with more', 'POST', '/api/import', `[${'1,'.repeat(2_100_000)}1]`, 422, 'more values'],
  ]
  for (const [what, method, path, body, status, words] of wide)
    test(`${what} with too many values is refused, and delays nothing`, async () => {
      const { outcome, growth } = await monitor(service, () => service.send(method, path, body))
      expect(outcome).toMatchObject({ status, body: { detail: expect.stringContaining(words) } })
      expect(growth).toBeLessThan(MOST_GROWTH)
    })
})
