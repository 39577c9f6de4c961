import { afterAll, describe, expect, test } from 'bun:test'
import type { ServerKind } from '../../../src/domain/model/model-server.ts'
import { createNarrator, type Narrator, type NarratorOptions } from '../../../src/narrator/client.ts'
import { REQUEST } from '../../narrator/reply/collect.ts'
import { head, nested, over, startHostile } from '../../support/endpoint/hostile-server.ts'
import { allowAnyTarget } from '../../support/endpoint/recorder.ts'

allowAnyTarget()

const hostile = await startHostile()
const otherServer = await startHostile()
afterAll(async () => {
  await hostile[Symbol.asyncDispose]()
  await otherServer[Symbol.asyncDispose]()
})

const port = Number(new URL(hostile.url).port)
/** A host name, so that it has to be looked up. */
const named = `http://model.test:${port}/v1`
const never = new AbortController().signal
const MESSAGES = REQUEST.messages

/** Everything that sends requests to an endpoint. Each returns the outcome, including a refusal. */
const operations: [what: string, ask: (narrator: Narrator, url: string) => Promise<unknown>][] = [
  ['a turn', (narrator, url) => generated(narrator, url)],
  ['a turn in Ollama’s words', (narrator, url) => generated(narrator, url, 'ollama')],
  ['the end of a reply', (narrator, url) => ended(narrator, url)],
  ['the list of models', (narrator, url) => narrator.listModels(endpointAt(url))],
  ['vectors', (narrator, url) => narrator.embed(endpointAt(url), { model: 'm' }, ['a'], never)],
  ['the window', (narrator, url) => narrator.findWindow(endpointAt(url), 'm', never)],
  ['a count', (narrator, url) => narrator.countTokens(endpointAt(url, 'vllm'), 'm', MESSAGES, never)],
  ['which server it is', (narrator, url) => narrator.recognise(url, never)],
  ['what a pasted address means', (narrator, url) => narrator.repairAddress(url, never)],
]

const endpointAt = (url: string, server: ServerKind = 'unknown') => ({
  url,
  server,
  read_timeout_seconds: 10,
})

async function generated(narrator: Narrator, url: string, server: ServerKind = 'unknown'): Promise<string> {
  let text = ''
  const request = { ...REQUEST, ...(server === 'ollama' ? { num_ctx: 4_096 } : {}) }
  for await (const part of narrator.generate(endpointAt(url, server), request, never))
    if (part.kind === 'text') text += part.text
  return text
}

/** An abandoned reply, which is then aborted at KoboldCpp; the next one waits for that. */
async function ended(narrator: Narrator, url: string): Promise<unknown> {
  const abort = new AbortController()
  const parts = narrator.generate(endpointAt(url, 'koboldcpp'), REQUEST, abort.signal)
  await parts.next()
  const next = parts.next()
  // The connection is open at the second look-up, unless a refusal ended it.
  await Promise.race([hostile.requestLines.length > 0 ? null : arrived(), next.catch(() => {})])
  abort.abort(new Error('left'))
  return next.catch(() => generated(narrator, url, 'koboldcpp'))
}

async function arrived(): Promise<void> {
  while (hostile.requestLines.length === 0) await new Promise((resolve) => setImmediate(resolve))
}

/** Uses a narrator whose look-ups return these addresses one after the other; the last one repeats. */
async function outcomeOf(
  operation: (typeof operations)[number][1],
  url: string,
  results: string[][] = [['127.0.0.1']],
  options: NarratorOptions = {},
): Promise<{ outcome: unknown; lookups: number }> {
  hostile.requestLines.length = 0
  otherServer.requestLines.length = 0
  hostile.sent = 0
  let lookups = 0
  const resolve = async () => results[Math.min(lookups++, results.length - 1)] ?? []
  const narrator = createNarrator({ msPerSecond: 100, countTimeout: 2, ...options, resolve })
  const outcome = await operation(narrator, url).catch((error: unknown) => error)
  await hostile.allLeft()
  return { outcome, lookups }
}

for (const [what, operation] of operations) {
  describe(what, () => {
    for (const addresses of [
      ['127.0.0.1', '8.8.8.8'],
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', 'fd00::1', '2606:4700::1'],
    ])
      test(`56 ${what}: a name that is ${addresses.join(' and ')} gets no request`, async () => {
        hostile.respond = () => null
        await outcomeOf(operation, named, [addresses])
        expect(hostile.requestLines).toEqual([])
      })

    test(`57 ${what}: each request is looked up once, and goes to that address`, async () => {
      hostile.respond = () => null
      const { lookups } = await outcomeOf(operation, named)
      expect(hostile.requestLines.length).toBeGreaterThan(0)
      // A pasted address is checked before anything is requested.
      const before = what === 'what a pasted address means' ? 1 : 0
      // With the other scheme the connection fails before a request is seen.
      expect(lookups).toBeGreaterThanOrEqual(hostile.requestLines.length + before)
      if (before === 0) expect(lookups).toBe(hostile.requestLines.length)
    })

    test(`57 ${what}: a name that has become public gets no more requests`, async () => {
      hostile.respond = () => null
      await outcomeOf(operation, named, [['127.0.0.1'], ['8.8.8.8']])
      const judgedBefore = what === 'what a pasted address means' ? 0 : 1
      expect(hostile.requestLines.length).toBeLessThanOrEqual(judgedBefore)
    })

    test.each([300, 301, 302, 303, 307, 308])(
      `62 ${what}: a redirect of status %d is not followed`,
      async (status) => {
        for (const to of [
          `${otherServer.url}/x`,
          'http://8.8.8.8/v1',
          'file:///etc/passwd',
          `${hostile.url}/again`,
          '/again',
        ]) {
          hostile.respond = () => [head(`${status} Elsewhere`, { location: to, 'content-length': '0' })]
          await outcomeOf(operation, hostile.url)
          expect(hostile.requestLines.length).toBeGreaterThan(0)
          expect(hostile.requestLines.filter((line) => line.includes('again'))).toEqual([])
          expect(otherServer.requestLines).toEqual([])
        }
      },
    )

    const endless = [
      ['a line', () => over(head(), 'x'.repeat(65_536))],
      ['words of a refusal', () => over(head('400 No'), 'x'.repeat(65_536))],
      ['headers', () => over('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'.repeat(5_000))],
      ['answers before the answer', () => over('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000))],
      [
        'brackets',
        () => over(head('200 OK', { 'content-type': 'application/json' }), '{"error":'.repeat(5_000)),
      ],
      [
        'markup',
        () => over(head('200 OK', { 'content-type': 'text/html' }), '<title>text gen'.repeat(5_000)),
      ],
      [
        'levels',
        () => [head('200 OK', { 'content-type': 'application/json' }), `{"error":${nested(50_000)}}`],
      ],
      ['levels of a refusal', () => [head('400 No'), `{"error":${nested(50_000)}}`]],
    ] as const
    test.each(endless)(`65 ${what}: little is read of endless %s`, async (_what, bytes) => {
      hostile.respond = () => bytes()
      const { outcome } = await outcomeOf(operation, hostile.url)
      // Each request may also read what is already buffered; some request many pages.
      expect(hostile.sent).toBeLessThan(16_000_000 * hostile.requestLines.length)
      expect(outcome).not.toBeInstanceOf(RangeError)
      expect(outcome).not.toBeInstanceOf(TypeError)
    })
  })
}

describe('the search for servers on this machine', () => {
  const find = (narrator: Narrator) => narrator.findServers(1, never)
  test('62 follows no redirect', async () => {
    hostile.respond = () => [
      head('302 Elsewhere', { location: `${otherServer.url}/models`, 'content-length': '0' }),
    ]
    expect((await outcomeOf(find, '', [], { ports: [port] })).outcome).toEqual([])
    expect(otherServer.requestLines).toEqual([])
  })

  test.each([
    ['a page', () => over(head('200 OK', { 'content-type': 'text/html' }), 'x'.repeat(65_536))],
    [
      'a title',
      () => [head('200 OK', { 'content-type': 'text/html' }), `<html><title>${'text gen '.repeat(110_000)}`],
    ],
    [
      'titles',
      () => [head('200 OK', { 'content-type': 'text/html' }), `<html>${'<title>text gen'.repeat(65_000)}`],
    ],
    ['brackets', () => over(head(), '['.repeat(65_536))],
  ] as const)('65 is not held up by %s without end', async (_what, bytes) => {
    hostile.respond = () => bytes()
    expect((await outcomeOf(find, '', [], { ports: [port], findTimeout: 3 })).outcome).toBeArray()
    expect(hostile.sent).toBeLessThan(64_000_000)
  })
})

/** A server at each of two addresses. A port that is free at one may be taken at the other. */
async function onOnePort(one: string, other: string) {
  for (let tries = 0; ; tries++) {
    const first = await startHostile(one)
    try {
      return [first, await startHostile(other, Number(new URL(first.url).port))] as const
    } catch (error) {
      await first[Symbol.asyncDispose]()
      if (tries === 20) throw error
    }
  }
}

describe('57 two machines on one port, one of them checked:', () => {
  // Whichever of the two the system prefers, one of these cases is the wrong one.
  test.each([
    ['127.0.0.1', '::1'],
    ['::1', '127.0.0.1'],
  ])('57 a name that was checked to be %s does not lead to %s', async (checked, other) => {
    const [right, wrong] = await onOnePort(checked, other)
    await using _ = right
    await using __ = wrong
    const { port } = new URL(right.url)
    for (const [, operation] of operations) {
      right.requestLines.length = 0
      hostile.requestLines.length = 0
      const narrator = createNarrator({ msPerSecond: 100, resolve: async () => [checked] })
      hostile.requestLines.push('as if it had come')
      await operation(narrator, `http://localhost:${port}/v1`).catch(() => {})
      expect(right.requestLines.length).toBeGreaterThan(0)
    }
    expect(wrong.requestLines).toEqual([])
  })
})
