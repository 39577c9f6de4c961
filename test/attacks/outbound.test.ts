import { afterAll, describe, expect, test } from 'bun:test'
import type { ServerKind } from '../../src/domain/model/server-kind.ts'
import { createNarrator, type Narrator, type NarratorOptions } from '../../src/narrator/client.ts'
import { TELLING } from '../narrator/told.ts'
import { head, nested, over, startHostile } from '../support/endpoint/hostile-server.ts'
import { meanAnywhere } from '../support/endpoint/recorder.ts'

meanAnywhere()

const hostile = await startHostile()
const stranger = await startHostile()
afterAll(async () => {
  await hostile[Symbol.asyncDispose]()
  await stranger[Symbol.asyncDispose]()
})

const port = Number(new URL(hostile.url).port)
/** A name, so that it has to be looked up. */
const named = `http://model.test:${port}/v1`
const never = new AbortController().signal
const MESSAGES = TELLING.messages

/** Everything that asks an endpoint. Each gives what came of it, a refusal too. */
const ways: [what: string, ask: (narrator: Narrator, url: string) => Promise<unknown>][] = [
  ['a turn', (narrator, url) => told(narrator, url)],
  ['a turn in Ollama’s words', (narrator, url) => told(narrator, url, 'ollama')],
  ['the end of a reply', (narrator, url) => ended(narrator, url)],
  ['the list of models', (narrator, url) => narrator.models(at(url))],
  ['vectors', (narrator, url) => narrator.embed(at(url), 'm', ['a'], never)],
  ['the window', (narrator, url) => narrator.window(at(url), 'm', never)],
  ['a count', (narrator, url) => narrator.count(at(url, 'vllm'), 'm', MESSAGES, never)],
  ['which server it is', (narrator, url) => narrator.recognise(url, never)],
  ['what a pasted address means', (narrator, url) => narrator.repair(url, never)],
]

const at = (url: string, server: ServerKind = 'unknown') => ({ url, server, read_timeout_seconds: 10 })

async function told(narrator: Narrator, url: string, server: ServerKind = 'unknown'): Promise<string> {
  let text = ''
  const telling = { ...TELLING, ...(server === 'ollama' ? { num_ctx: 4_096 } : {}) }
  for await (const piece of narrator.tell(at(url, server), telling, never))
    if (piece.kind === 'text') text += piece.text
  return text
}

/** A reply that is left, after which KoboldCpp is told so; the next one waits for that. */
async function ended(narrator: Narrator, url: string): Promise<unknown> {
  const leaving = new AbortController()
  const pieces = narrator.tell(at(url, 'koboldcpp'), TELLING, leaving.signal)
  await pieces.next()
  const next = pieces.next()
  // The line is open when the second look-up comes; a refusal has ended it before.
  await Promise.race([hostile.asked.length > 0 ? null : arrived(), next.catch(() => {})])
  leaving.abort(new Error('left'))
  return next.catch(() => told(narrator, url, 'koboldcpp'))
}

async function arrived(): Promise<void> {
  while (hostile.asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
}

/** Asks a narrator whose look-ups give these addresses one after the other, the last of them again and again. */
async function asked(
  way: (typeof ways)[number][1],
  url: string,
  answers: string[][] = [['127.0.0.1']],
  options: NarratorOptions = {},
): Promise<{ outcome: unknown; lookups: number }> {
  hostile.asked.length = 0
  stranger.asked.length = 0
  hostile.sent = 0
  let lookups = 0
  const resolve = async () => answers[Math.min(lookups++, answers.length - 1)] ?? []
  const narrator = createNarrator({ second: 100, countTimeout: 2, ...options, resolve })
  const outcome = await way(narrator, url).catch((error: unknown) => error)
  await hostile.allLeft()
  return { outcome, lookups }
}

for (const [what, way] of ways) {
  describe(what, () => {
    for (const addresses of [
      ['127.0.0.1', '8.8.8.8'],
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', 'fd00::1', '2606:4700::1'],
    ])
      test(`56 ${what}: of a name that is ${addresses.join(' and ')} nothing is asked`, async () => {
        hostile.answer = () => null
        await asked(way, named, [addresses])
        expect(hostile.asked).toEqual([])
      })

    test(`57 ${what}: each request is looked up once, and goes where that look-up led`, async () => {
      hostile.answer = () => null
      const { lookups } = await asked(way, named)
      expect(hostile.asked.length).toBeGreaterThan(0)
      // What is pasted is judged before anything is asked.
      const before = what === 'what a pasted address means' ? 1 : 0
      // With the other scheme the line fails before a request is seen.
      expect(lookups).toBeGreaterThanOrEqual(hostile.asked.length + before)
      if (before === 0) expect(lookups).toBe(hostile.asked.length)
    })

    test(`57 ${what}: a name that has become public is asked nothing more`, async () => {
      hostile.answer = () => null
      await asked(way, named, [['127.0.0.1'], ['8.8.8.8']])
      const judgedBefore = what === 'what a pasted address means' ? 0 : 1
      expect(hostile.asked.length).toBeLessThanOrEqual(judgedBefore)
    })

    test.each([300, 301, 302, 303, 307, 308])(
      `62 ${what}: a redirect of status %d is not followed`,
      async (status) => {
        for (const to of [
          `${stranger.url}/x`,
          'http://8.8.8.8/v1',
          'file:///etc/passwd',
          `${hostile.url}/again`,
          '/again',
        ]) {
          hostile.answer = () => [head(`${status} Elsewhere`, { location: to, 'content-length': '0' })]
          await asked(way, hostile.url)
          expect(hostile.asked.length).toBeGreaterThan(0)
          expect(hostile.asked.filter((line) => line.includes('again'))).toEqual([])
          expect(stranger.asked).toEqual([])
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
    test.each(endless)(`65 ${what}: of %s without end little is taken`, async (_what, bytes) => {
      hostile.answer = () => bytes()
      const { outcome } = await asked(way, hostile.url)
      // Each request may take as much as lies on the line besides; some ask for many pages.
      expect(hostile.sent).toBeLessThan(16_000_000 * hostile.asked.length)
      expect(outcome).not.toBeInstanceOf(RangeError)
      expect(outcome).not.toBeInstanceOf(TypeError)
    })
  })
}

describe('the look for servers on this machine', () => {
  const find = (narrator: Narrator) => narrator.find(1, never)
  test('62 follows no redirect', async () => {
    hostile.answer = () => [
      head('302 Elsewhere', { location: `${stranger.url}/models`, 'content-length': '0' }),
    ]
    expect((await asked(find, '', [], { ports: [port] })).outcome).toEqual([])
    expect(stranger.asked).toEqual([])
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
    hostile.answer = () => bytes()
    expect((await asked(find, '', [], { ports: [port], findTimeout: 3 })).outcome).toBeArray()
    expect(hostile.sent).toBeLessThan(64_000_000)
  })
})

describe('57 two machines at one port, one of them checked:', () => {
  // Whichever of the two the system prefers for the name, once it is the wrong one.
  test.each([
    ['127.0.0.1', '::1'],
    ['::1', '127.0.0.1'],
  ])('57 a name that was checked to be %s does not lead to %s', async (checked, other) => {
    await using right = await startHostile(checked)
    const { port } = new URL(right.url)
    await using wrong = await startHostile(other, Number(port))
    for (const [, way] of ways) {
      right.asked.length = 0
      hostile.asked.length = 0
      const narrator = createNarrator({ second: 100, resolve: async () => [checked] })
      hostile.asked.push('as if it had come')
      await way(narrator, `http://localhost:${port}/v1`).catch(() => {})
      expect(right.asked.length).toBeGreaterThan(0)
    }
    expect(wrong.asked).toEqual([])
  })
})
