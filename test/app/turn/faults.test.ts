import { Database } from 'bun:sqlite'
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { ErrorCode } from '../../../src/domain/errors.ts'
import { MAX_REPLY } from '../../../src/narrator/reply/read-reply.ts'
import {
  breakOff,
  endless,
  failInStream,
  fallSilent,
  frame,
  json,
  loading,
  onlyThink,
  raw,
  redirect,
  type Step,
  say,
  sayAndRecord,
  sayNothing,
  sayWhole,
  silent,
  startEndpoint,
  status,
  webPage,
} from '../../support/endpoint/endpoint.ts'
import { ofType, playTurn, retryTurn, startTurn, type WireEvent } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

// Seconds are shortened, so that a test can wait many of them.
const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer({ narrator: { msPerSecond: 20, connectTimeout: 500 } })
const PATIENT = { endpoint_url: endpoint.url, model: 'test-model', read_timeout_seconds: 3_600 }
const { id: scenario_id } = (
  await server.post('/api/scenarios', {
    prompt: 'The lamp is lit.',
    stat_schema: { player: { warmth: { initial: 9, min: 0 } } },
  })
).body

const PROSE = 'The lamp burns low.'
const BLOCK = '```state_delta\n{"player.warmth": -1}\n```'

beforeEach(async () => {
  endpoint.byDefault(sayAndRecord(PROSE, { 'player.warmth': -1 }))
  await server.send('PUT', '/api/settings', PATIENT)
})

/** A story after one turn. */
async function begin(): Promise<number> {
  const { id } = (await server.post('/api/adventures', { scenario_id })).body
  expect((await playTurn(server, id, { type: 'do', text: 'look' })).at(-1)).toMatchObject({ type: 'done' })
  return id
}

/** Everything stored about a story, verbatim. */
function stored(id: number): { actions: unknown[]; world: unknown } {
  using db = new Database(server.path, { readonly: true })
  return {
    actions: db
      .query(
        'SELECT id, "index", type, text, reasoning, world_delta, world_state_before, variants, variant_index, hex(context_snapshot) FROM actions WHERE adventure_id = ? ORDER BY "index"',
      )
      .all(id),
    world: db.query('SELECT world_state FROM adventures WHERE id = ?').get(id),
  }
}

const tally = async (): Promise<{ accepted: number; failed: Record<string, number> }> =>
  (await server.get('/api/health')).body.turns
const newest = async (id: number) => (await server.get(`/api/adventures/${id}`)).body.actions.at(-1)

/** What a failed turn leaves behind: the player's line, which the next turn answers, and one more counted failure. */
async function expectNothingLost(id: number, code: ErrorCode, before: Before): Promise<void> {
  expect(server.deps.locks.isTaken(id)).toBe(false)
  const after = stored(id)
  expect(after.actions.slice(0, -1)).toEqual(before.actions)
  expect(after.world).toEqual(before.world)
  expect(await newest(id)).toMatchObject({ type: 'do', text: '> You wait.', waiting: true })
  expect(await tally()).toEqual({
    accepted: before.tally.accepted,
    failed: { ...before.tally.failed, [code]: (before.tally.failed[code] ?? 0) + 1 },
  })
  endpoint.byDefault(sayAndRecord(PROSE, { 'player.warmth': -1 }))
  await server.send('PUT', '/api/settings', PATIENT)
  expect((await retryTurn(server, id)).at(-1)).toMatchObject({ type: 'done', action: { text: PROSE } })
  expect(stored(id).actions).toHaveLength(before.actions.length + 2)
  expect((await server.get(`/api/adventures/${id}/world-state`)).body.state.player.warmth).toBe(7)
}

type Before = Awaited<ReturnType<typeof nowOf>>
async function nowOf(id: number) {
  return { ...stored(id), tally: await tally() }
}

const detailOf = (events: WireEvent[]) => events.find(ofType('error'))?.detail

const thought = (text: string) => frame({ choices: [{ delta: { reasoning_content: text } }] })
/** Starts reasoning, then sends nothing more. */
const lostInThought: Step = async ({ response, closed }) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(thought('Hm.'))
  await closed
}
/** Never finishes loading. */
const unready: Step = (exchange) => (loading()[0] ?? silent)(exchange)
const PERHAPS_JSON = { 'content-type': 'application/json' }

/** Replies in which nothing can be seen. */
const INVISIBLE: [what: string, text: string][] = [
  ['zero-width characters', '\u200b\u200c\u200d\u2060'],
  ['soft hyphens', '\u00ad\u00ad'],
  ['variation selectors', '\ufe0f\u{e0100}'],
  ['byte order marks', '\ufeff \ufeff'],
  ['marks of direction', '\u200e\u200f\u202e\u2066\u2069\u061c'],
  ['blank Braille patterns', '\u2800\n\u2800'],
  ['Hangul fillers', '\u3164\u115f\u1160\uffa0'],
  ['control characters', '\u0000\u0007'],
]

test.each([
  ['an emoji with its joiners', '👩\u200d🚀'],
  ['a word between marks of direction', '\u200fשלום\u200f'],
  ['one full stop', '.'],
])('%s can be seen, so it is a reply', async (_what, text) => {
  endpoint.next(say(text))
  const { id } = (await server.post('/api/adventures', { title: 'Seen' })).body
  expect((await playTurn(server, id)).at(-1)).toMatchObject({ type: 'done', action: { text } })
})

describe('an endless reply is kept up to its limit, and the call is ended', () => {
  const limits: [tokens: number, characters: number][] = [
    [1, 20],
    [300, 6_000],
    [6_000, 120_000],
  ]
  for (const [max_output_tokens, limit] of limits)
    test(`with ${max_output_tokens} tokens asked for`, async () => {
      await server.send('PUT', '/api/settings', { max_output_tokens })
      const { id } = (await server.post('/api/adventures', { title: 'Endless' })).body
      endpoint.next(endless())
      const events = await playTurn(server, id)
      const last = events.at(-1)
      expect(last).toMatchObject({ type: 'done', action: { cut: 'length' } })
      const text = last?.type === 'done' ? last.action.text : ''
      expect(Math.abs(text.length - limit)).toBeLessThan(8)
      const shown = events.map((event) => (event.type === 'chunk' ? event.text : '')).join('')
      expect(shown.trim()).toBe(text)
      expect('and on '.repeat(MAX_REPLY).startsWith(text)).toBe(true)
      await endpoint.hungUp()
    })

  test('where it comes whole too', async () => {
    await server.send('PUT', '/api/settings', { max_output_tokens: 300 })
    const { id } = (await server.post('/api/adventures', { title: 'Whole' })).body
    endpoint.next(sayWhole('x'.repeat(MAX_REPLY + 9)))
    const last = (await playTurn(server, id)).at(-1)
    expect(last).toMatchObject({ type: 'done', action: { cut: 'length' } })
    const { length } = last?.type === 'done' ? last.action.text : ''
    expect(length).toBeGreaterThanOrEqual(6_000)
    expect(length).toBeLessThan(20_000)
  })

  afterAll(() => server.send('PUT', '/api/settings', { max_output_tokens: 800 }))
})

describe('every failure has its own message, loses nothing, and the next turn plays', () => {
  const faults: [what: string, step: Step, code: ErrorCode, says: RegExp][] = [
    ['status 400', status(400, 'the prompt is odd'), 'provider_error', /status 400.*the prompt is odd/],
    [
      'no model in the server',
      json(400, { error: { message: 'No models are currently loaded.' } }),
      'provider_error',
      /Load one there/,
    ],
    ['status 401', status(401, 'Unauthorized'), 'provider_error', /asks for an API key/],
    ['status 403', status(403, 'Forbidden'), 'provider_error', /asks for an API key/],
    ['status 404', status(404, 'page not found'), 'provider_error', /"test-model".*\/v1/],
    ['status 429', status(429, 'slow down'), 'provider_error', /Wait a moment/],
    ['status 500', status(500, 'CUDA is out of memory'), 'provider_error', /500.*CUDA is out of memory/],
    ['status 500 of a web page', webPage('Server Error', 500), 'provider_error', /status 500.*Server Error/],
    ['a redirect', redirect('http://203.0.113.1/v1'), 'provider_error', /use the final address/],
    ['a web page', webPage('LM Studio'), 'provider_error', /port and path/],
    [
      'half a JSON body',
      raw(200, '{"choices": [{"mess', PERHAPS_JSON),
      'provider_error',
      /not a model reply/,
    ],
    [
      'something that is not HTTP',
      ({ response }) => void response.socket?.end('hello\r\n\r\n'),
      'provider_error',
      /did not answer with HTTP/,
    ],
    [
      'an error inside the stream',
      failInStream({ message: 'context overflow' }, 'Half a'),
      'provider_error',
      /context overflow/,
    ],
    [
      'a connection that closes at once',
      ({ response }) => void response.socket?.destroy(),
      'provider_error',
      /was lost/,
    ],
    ['a connection that closes within the reply', breakOff('Half a'), 'provider_error', /was lost/],
    ['an endless line', endless('x'.repeat(100_000)), 'provider_error', /never ended/],
    ['endless thinking', endless(thought('and on ').repeat(500)), 'provider_error', /“Reasoning tokens”/],
    ['an empty reply', sayNothing(), 'empty_reply', /Check that a model is loaded.*“API mode”/],
    ['blank prose', say(' \n '), 'empty_reply', /sent an empty reply/],
    ...INVISIBLE.map(([what, text]): [string, Step, ErrorCode, RegExp] => [
      `only ${what}`,
      say(text),
      'empty_reply',
      /sent an empty reply/,
    ]),
    ['reasoning alone', onlyThink('Hm.'), 'empty_reply', /sent only reasoning.*“Reasoning tokens”/],
    ['a thinking tag that is never closed', say('<think>Hm, a lamp.'), 'empty_reply', /sent only reasoning/],
    [
      'reasoning up to the length limit',
      onlyThink('Hm.', { finish: 'length' }),
      'empty_reply',
      /reached its length limit.*“Max response length”.*“Reasoning tokens”/,
    ],
    [
      'the length limit before any text',
      sayNothing({ finish: 'length' }),
      'empty_reply',
      /reached its length limit.*“Max response length” in Settings\.$/,
    ],
    ['stat updates alone', say(BLOCK), 'state_only_reply', /“Narrator instructions”/],
  ]
  const silences: [what: string, step: Step, says: RegExp][] = [
    ['silence before the first byte', silent, /sent nothing for 10 seconds.*“Response timeout”/],
    ['silence after the headers', fallSilent(), /sent nothing for 10 seconds/],
    ['silence after some reasoning', lostInThought, /sent nothing for 10 seconds/],
    ['silence after some text', fallSilent('Once'), /sent nothing for 10 seconds/],
    ['endless loading', unready, /was not ready after 10 seconds.*“Response timeout”.*Loading model/],
  ]

  async function expectFailure(step: Step, settings: object, code: ErrorCode, says: RegExp): Promise<void> {
    const id = await begin()
    endpoint.byDefault(step)
    await server.send('PUT', '/api/settings', settings)
    const before = await nowOf(id)
    const turn = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'do', text: 'wait' })
    expect(turn.status).toBe(200)
    const events = await turn.rest()
    const line = events.find(ofType('player'))?.action.id
    expect(events.at(-1)).toMatchObject({ type: 'error', code, retryable: true, player_action_id: line })
    expect(detailOf(events)).toMatch(says)
    await expectNothingLost(id, code, before)
  }

  for (const [what, step, code, says] of faults) test(what, () => expectFailure(step, {}, code, says))

  for (const [what, step, says] of silences)
    test(what, () => expectFailure(step, { read_timeout_seconds: 10 }, 'timeout', says))

  test('no server at the address', async () => {
    const closed = await startEndpoint()
    await closed.close()
    const says = /No server answered at .* Check that the model server is running/
    await expectFailure(silent, { endpoint_url: closed.url }, 'provider_error', says)
  })
})

/** The phases of a turn, each with a server that stays in it. */
const phases: [phase: 'waiting' | 'loading' | 'reading' | 'thinking' | 'writing', step: Step][] = [
  ['waiting', silent],
  ['loading', unready],
  ['reading', fallSilent()],
  ['thinking', lostInThought],
  ['writing', fallSilent('Once upon a time')],
]

/** Starts a turn that reaches a phase and stays there. */
async function turnIn(phase: string, step: Step) {
  const id = await begin()
  endpoint.byDefault(step)
  const before = await nowOf(id)
  const turn = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'do', text: 'wait' })
  await turn.until((event) => event.type === 'status' && event.phase === phase)
  return { id, before, turn }
}

describe('closing the page while the model is', () => {
  for (const [phase, step] of phases)
    test(`${phase} frees the story and loses nothing`, async () => {
      const { id, before, turn } = await turnIn(phase, step)
      turn.disconnect()
      await server.deps.locks.freed(id)
      await expectNothingLost(id, 'disconnected', before)
    })

  test('working ends the call to the model', async () => {
    const { turn } = await turnIn('writing', fallSilent('Once upon a time'))
    turn.disconnect()
    await endpoint.hungUp()
  })
})

describe('stopping the turn while the model is', () => {
  for (const [phase, step] of phases.filter(([phase]) => phase !== 'writing'))
    test(`${phase} leaves the line without a reply`, async () => {
      const { id, before, turn } = await turnIn(phase, step)
      expect((await server.post(`/api/adventures/${id}/stop`)).body).toEqual({ stopped: true })
      expect((await turn.rest()).at(-1)).toMatchObject({ type: 'error', code: 'disconnected' })
      await expectNothingLost(id, 'disconnected', before)
    })

  test('writing keeps the prose so far', async () => {
    const { id, before, turn } = await turnIn('writing', fallSilent('Once upon a time'))
    for (let told = ''; told !== 'Once upon a time'; )
      told += ((await turn.until(ofType('chunk'))) as { text: string }).text
    await server.post(`/api/adventures/${id}/stop`)
    expect((await turn.rest()).at(-1)).toMatchObject({
      type: 'done',
      action: { text: 'Once upon a time', cut: 'stopped' },
    })
    expect((await tally()).accepted).toBe(before.tally.accepted + 1)
    expect((await server.post(`/api/adventures/${id}/stop`)).body).toEqual({ stopped: false })
  })
})

test('the progress of reading the prompt is reported', async () => {
  const id = await begin()
  const read = (processed: number) => frame({ prompt_progress: { total: 13_400, cache: 0, processed } })
  endpoint.next(raw(200, read(2_100) + read(13_400) + frame({ choices: [{ text: PROSE }] })))
  const statuses = (await playTurn(server, id)).filter(ofType('status'))
  expect(statuses.filter(({ phase }) => phase === 'reading')).toMatchObject([
    { read: 2_100, total: 13_400 },
    { read: 13_400, total: 13_400 },
  ])
  expect(statuses.at(-1)).not.toHaveProperty('read')
})
