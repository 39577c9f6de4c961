import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { findFacts, upsertFacts } from '../../../src/db/tables/endpoint-facts.ts'
import type { ModelRequest } from '../../../src/domain/model/model-request.ts'
import { SCHEMA_PROBE } from '../../../src/domain/world/prompt/second-call-question.ts'
import {
  breakOff,
  fallSilent,
  frame,
  gate,
  onlyThink,
  type Step,
  say,
  silent,
  startEndpoint,
  status,
} from '../../support/endpoint/endpoint.ts'
import {
  ofType,
  playTurn,
  retryTurn,
  startTurn,
  streamedText,
  type WireEvent,
} from '../../support/service/events.ts'
import { startServer, type TestServer } from '../../support/service/server.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

/** A service that records every model request before it is adapted to the server. */
async function startSeen(idleDelay?: number): Promise<{ server: TestServer; asked: ModelRequest[] }> {
  const server = await startServer({
    narrator: { retryEvery: 0.01, acceptTimeout: 0.01 },
    ...(idleDelay === undefined ? {} : { idleDelay }),
  })
  const asked: ModelRequest[] = []
  const { narrator } = server.deps
  const { generate } = narrator
  narrator.generate = (to, telling, signal) => {
    asked.push(telling)
    return generate(to, telling, signal)
  }
  return { server, asked }
}

const { server, asked } = await startSeen()
const scenario = (await server.post('/api/scenarios', { title: 'Lantern Rock', stat_schema: LANTERN_ROCK }))
  .body.id
const set = (settings: object) => server.send('PUT', '/api/settings', settings)
const begin = async (): Promise<number> =>
  (await server.post('/api/adventures', { scenario_id: scenario })).body.id
const world = async (id: number) => (await server.get(`/api/adventures/${id}/world-state`)).body.state
const newest = async (id: number) => (await server.get(`/api/adventures/${id}`)).body.actions.at(-1)
const insight = async (id: number) => (await server.get(`/api/adventures/${id}/insights`)).body.turns[0]
const audit = async (id: number) => (await server.get(`/api/adventures/${id}/audit`)).body
const done = (events: WireEvent[]) => events.find(ofType('done'))

interface Change {
  because: string
  path: string
  by?: number
  to?: unknown
}
const F = '```'
const TOLD = 'The cold bites. You bar the door, and the sea rises.'
const COLD: Change = { because: 'The cold bites', path: 'player.warmth', by: -5 }
const answer = (...edits: Change[]) => say(JSON.stringify({ edits }))
const isSecond = ({ messages }: ModelRequest) =>
  messages.at(-1)?.text.startsWith('[Before the story goes on') ?? false

beforeEach(async () => {
  asked.length = 0
  await set({ endpoint_url: endpoint.url, model: 'test-model', second_call: 'needed' })
})

/** Plays a turn whose reply is `told`, with the answer to the second call. */
async function play(id: number, told: string, second?: Step): Promise<WireEvent[]> {
  endpoint.next(say(told), ...(second ? [second] : []))
  return playTurn(server, id, { type: 'do', text: 'wait' })
}

describe('a model that never writes a block', () => {
  /** A server that enforces schemas: of what the model wants to say, it passes only what the schema allows. */
  const bound =
    (wanted: readonly Change[]): Step =>
    (exchange) => {
      const schema = asked.at(-1)?.schema as Bound
      const { items } = schema.properties.edits
      return answer(...wanted.filter((one) => items.anyOf.some((kind) => admits(kind, one))))(exchange)
    }
  const course = (turn: number): Change[] => [
    { because: 'the cold bites', path: 'player.warmth', by: turn % 8 < 4 ? -7 : 7 },
    ...(turn % 2 ? [{ because: 'a tin of oil', path: 'player.lamp_oil', by: turn % 4 === 1 ? -1 : 1 }] : []),
    ...(turn % 3 === 0 ? [{ because: 'The sea turns', path: 'world.sea', by: turn % 2 ? 2 : -2 }] : []),
    ...(turn % 5 === 0 ? [{ because: 'Dawn comes', path: 'world.night', by: 1 }] : []),
    ...(turn % 4 === 0
      ? [{ because: 'you change coats', path: 'player.coat', to: `coat number ${turn}` }]
      : []),
    ...(turn % 6 === 0
      ? [{ because: 'Ottoline looks at you', path: 'npc.ottoline.faith', by: turn % 12 ? 9 : -9 }]
      : []),
    ...(turn % 7 === 0 ? [{ because: 'The door', path: 'flags.door_barred', to: turn % 2 === 1 }] : []),
    ...(turn === 30 ? [{ because: 'a rocket flies', path: 'milestones.signal_sent', to: true }] : []),
  ]

  test('still has its changes recorded, by a server that enforces schemas', async () => {
    const id = await begin()
    let scripted = 0
    let recorded = 0
    for (let turn = 1; turn <= 60; turn++) {
      const wanted = course(turn)
      const told = wanted.map(({ because }) => `${because}.`).join(' And then: ')
      const events = await play(id, told, bound(wanted))
      scripted += wanted.length
      const verdicts = done(events)?.verdicts ?? []
      expect(verdicts.filter(({ verdict }) => verdict !== 'applied')).toEqual([])
      recorded += wanted.filter(({ path, by, to }) =>
        verdicts.some((one) => one.verdict === 'applied' && one.path === path && one.given === (by ?? to)),
      ).length
    }
    expect(scripted).toBeGreaterThan(120)
    expect(recorded / scripted).toBeGreaterThanOrEqual(0.95)
    expect(asked.filter(isSecond)).toHaveLength(60)
    expect(await world(id)).toMatchObject({
      world: { night: 13 },
      milestones: { signal_sent: { reached: true } },
    })
    expect(await audit(id)).toMatchObject({ ok: true, turns: 60, judged_again: 60, findings: [] })
  })

  interface Kind {
    properties: { path: { const: string }; by?: Record<string, unknown>; to?: Record<string, unknown> }
  }
  interface Bound {
    properties: { edits: { items: { anyOf: Kind[] } } }
  }
  function admits({ properties: { path, by, to } }: Kind, one: Change): boolean {
    if (path.const !== one.path) return false
    if (by) return Number(by.minimum) <= Number(one.by) && Number(one.by) <= Number(by.maximum)
    if (to?.type === 'boolean') return typeof one.to === 'boolean'
    return to?.const === one.to || (typeof one.to === 'string' && one.to.length <= Number(to?.maxLength))
  }
})

describe('a server that does not enforce schemas', () => {
  const wrong: [what: string, second: Step, says: RegExp][] = [
    ['prose', say('You lose five points of warmth, I think.'), /no answer that could be read/],
    ['more of the story', say('Then the sun comes up.'), /no answer that could be read/],
    ['a flat block', say('{"player.warmth": -5}'), /no answer that could be read/],
    ['nothing', say(''), /no answer that could be read/],
    ['reasoning alone', onlyThink('Hm.'), /no answer that could be read/],
    ['an invented quote', answer({ ...COLD, because: 'you fall into the sea' }), /do not match the passage/],
    ['no quote', answer({ ...COLD, because: '' }), /do not match the passage/],
    ['a total', answer({ because: COLD.because, path: COLD.path, to: 27 }), /do not match the passage/],
  ]
  for (const [what, second, says] of wrong)
    test(`and answers ${what}: nothing is recorded, and the player sees why`, async () => {
      const id = await begin()
      const before = await world(id)
      const events = await play(id, TOLD, second)
      expect(done(events)?.action).toMatchObject({
        text: TOLD,
        cut: null,
        not_recorded: expect.stringMatching(says),
      })
      expect(await world(id)).toEqual(before)
      expect((await newest(id)).not_recorded).toMatch(says)
      expect(await audit(id)).toMatchObject({ ok: true, judged_again: 1 })
      // The question is not part of the story.
      await play(id, TOLD, answer())
      expect(JSON.stringify(asked.at(-2)?.messages)).not.toMatch(/books|Not accepted/)
    })

  test('and names wrong paths or too large changes: the referee judges as usual', async () => {
    const id = await begin()
    const events = await play(
      id,
      TOLD,
      answer(
        { ...COLD, by: -90 },
        { ...COLD, path: 'player.stamina' },
        { ...COLD, path: 'world.night', by: -1 },
        { because: COLD.because, path: 'milestones.signal_sent', to: false },
      ),
    )
    expect(done(events)?.verdicts).toMatchObject([
      { path: 'player.warmth', verdict: 'limited', given: -8 },
      { path: 'player.stamina', verdict: 'refused' },
      { path: 'world.night', verdict: 'refused' },
      { path: 'milestones.signal_sent', verdict: 'refused', reason: 'not true' },
    ])
    expect(await audit(id)).toMatchObject({ ok: true, judged_again: 1 })
    await play(id, TOLD, answer())
    expect(JSON.stringify(asked.at(-2)?.messages)).not.toContain('Not accepted')
  })

  test('and is known not to is asked without a schema', async () => {
    const facts = (enforces: boolean | null) =>
      server.deps.library.write((tx) => upsertFacts(tx, endpoint.url, 'test-model', { enforces }))
    const id = await begin()
    facts(false)
    expect(done(await play(id, TOLD, answer(COLD)))?.verdicts).toMatchObject([
      { path: 'player.warmth', given: -5 },
    ])
    expect(asked.at(-1)).not.toHaveProperty('schema')
    facts(null)
    await play(id, TOLD, answer())
    expect(asked.at(-1)?.schema).toMatchObject({ required: ['edits'] })
  })
})

describe('the question', () => {
  test('follows the same messages and the reply, at temperature 0 and without reasoning', async () => {
    await set({
      temperature: 1.1,
      reasoning_max_tokens: 50,
      reasoning_effort: 'high',
      min_p: 0.1,
      stop_at_player: true,
    })
    const id = await begin()
    await play(id, `${TOLD}\n`, answer(COLD))
    const [turn, second] = asked
    expect(second?.messages.slice(0, -1)).toEqual([
      ...(turn?.messages ?? []),
      { role: 'assistant', text: `${TOLD}\n` },
    ])
    expect(second?.messages.at(-1)).toEqual({
      role: 'user',
      text: expect.stringContaining('player.warmth: by -8 to 8'),
    })
    expect(second).toMatchObject({
      model: 'test-model',
      temperature: 0,
      reasoning_max_tokens: -1,
      reasoning_effort: null,
    })
    expect(second?.max_output_tokens).toBeLessThan(turn?.max_output_tokens ?? 0)
    expect([second?.sampling, second?.stop]).toEqual([undefined, undefined])
    // In later prompts, the recorded changes follow the reply that did not contain them.
    await play(id, TOLD, answer())
    expect(asked.at(-2)?.messages.at(-2)?.text).toBe(`${TOLD}\n\n${F}state_delta\n{"player.warmth":-5}\n${F}`)
    await set({
      temperature: 0.8,
      reasoning_max_tokens: 0,
      reasoning_effort: null,
      min_p: null,
      stop_at_player: false,
    })
  })

  test('comes after all prose, in its own phase', async () => {
    const events = await play(await begin(), TOLD, answer(COLD))
    const at = events.findIndex((event) => event.type === 'status' && event.phase === 'recording')
    expect(streamedText(events.slice(0, at))).toBe(TOLD)
    expect(events[at]).toMatchObject({ allowed: 20 })
    expect(events.slice(at).some(ofType('chunk'))).toBe(false)
  })

  test('is stored with its answer and cost, shown, and replayed as what was accepted', async () => {
    const id = await begin()
    const usage = { prompt_tokens: 812, completion_tokens: 41 }
    const given = JSON.stringify({ edits: [COLD, { ...COLD, because: 'thunder', path: 'world.sea', by: 1 }] })
    await play(id, TOLD, say(given, { usage }))
    expect(await insight(id)).toMatchObject({
      recorded: 'asked',
      delta: { 'player.warmth': -5 },
      verdicts: [
        { path: 'player.warmth', verdict: 'applied', given: -5 },
        { path: 'world.sea', verdict: 'refused', reason: 'not told' },
      ],
      second_call: { why: '', answer: given, ...usage, milliseconds: expect.any(Number) },
    })
    const { id: action, ...shown } = await newest(id)
    expect(shown).not.toHaveProperty('not_recorded')
    const page = await (await server.ask(`/adventures/${id}/insights?turn=${action}`)).text()
    expect(page).toContain('asked again for its stat updates')
    expect(page).toContain('812 prompt tokens, 41 response tokens')
    expect(page).toContain('thunder')
    await play(id, TOLD, answer())
    expect(asked.at(-2)?.messages.findLast(({ role }) => role === 'assistant')?.text).toEndWith(
      `${TOLD}\n\n${F}state_delta\n{"player.warmth":-5}\n${F}`,
    )
  })

  test('of a retry is judged at its own turn, against the state before it', async () => {
    const id = await begin()
    const sea = { because: 'the sea rises', path: 'world.sea', by: 2 }
    await play(id, TOLD, answer(sea, COLD))
    endpoint.next(say(TOLD), answer({ ...sea, by: 3 }))
    expect(done(await retryTurn(server, id))?.verdicts).toMatchObject([{ path: 'world.sea', old: 4, new: 7 }])
    expect((await world(id)).player.warmth).toBe(32)
    // At the next index the sea is still in its cooldown, and not asked for.
    endpoint.next(say(TOLD), answer())
    await playTurn(server, id, { type: 'continue' })
    expect(JSON.stringify(asked.at(-1)?.schema)).not.toContain('world.sea')
    expect(await audit(id)).toMatchObject({ ok: true, attempts: 3, judged_again: 3 })
  })
})

describe('when the call fails, the prose is kept and no stat changes', () => {
  /** Never silent for long, and never finished. */
  const ponder: Step = async ({ response, closed }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const thought = frame({ choices: [{ delta: { reasoning_content: 'Hm. ' } }] })
    const timer = setInterval(() => response.write(thought), 50)
    await closed
    clearInterval(timer)
  }
  const faults: [what: string, second: Step, says: RegExp][] = [
    ['an error', status(500, 'out of memory'), /out of memory/],
    ['a connection that closes', breakOff('{"edits": [{"because": "The cold bites"'), /./],
    ['an endless answer', say(`{"edits": [${' '.repeat(9_000)}`), /did not stop/],
    ['silence', silent, /within 1 s/],
    ['endless reasoning', ponder, /within 1 s/],
    ['an answer that falls silent', fallSilent('{"edits": ['), /within 1 s/],
  ]
  for (const [what, second, says] of faults)
    test(what, async () => {
      if (says.source.includes('within'))
        server.deps.library.write((tx) => tx.run('UPDATE settings SET read_timeout_seconds = 1'))
      const id = await begin()
      const before = await world(id)
      const { failed } = (await server.get('/api/health')).body.turns
      const events = await play(id, TOLD, second)
      server.deps.library.write((tx) => tx.run('UPDATE settings SET read_timeout_seconds = NULL'))
      expect(events.at(-1)).toMatchObject({
        type: 'done',
        action: { text: TOLD, cut: null, world_changes: [], not_recorded: expect.stringMatching(says) },
      })
      expect(await world(id)).toEqual(before)
      expect((await insight(id)).second_call.why).toMatch(says)
      expect((await server.get('/api/health')).body.turns.failed).toEqual(failed)
      expect((await audit(id)).ok).toBe(true)
    })

  test('the player stops it', async () => {
    const id = await begin()
    endpoint.next(say(TOLD), silent)
    const turn = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'do', text: 'wait' })
    await turn.until((event) => event.type === 'status' && event.phase === 'recording')
    await server.post(`/api/adventures/${id}/stop`)
    expect((await turn.rest()).at(-1)).toMatchObject({
      type: 'done',
      action: { text: TOLD, cut: null, not_recorded: expect.stringContaining('You stopped') },
    })
    expect((await world(id)).player.warmth).toBe(32)
  })
})

test('stopping the service during the call keeps the prose', async () => {
  const { server } = await startSeen()
  await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
  const own = (await server.post('/api/scenarios', { title: 'Lantern Rock', stat_schema: LANTERN_ROCK })).body
  const { body } = await server.post('/api/adventures', { scenario_id: own.id })
  endpoint.next(say(TOLD), silent)
  const turn = await startTurn(server, `/api/adventures/${body.id}/actions`, { type: 'do', text: 'wait' })
  await turn.until((event) => event.type === 'status' && event.phase === 'recording')
  await server.stop()
  using db = new Database(server.path, { readonly: true })
  const last = db.query('SELECT text, world_delta FROM actions ORDER BY id DESC').get() as Record<
    string,
    string
  >
  expect(last).toEqual({ text: TOLD, world_delta: expect.stringContaining('Inglenook was stopped') })
})

describe('the call is not made', () => {
  const block = (delta: object) => `${TOLD}\n\n${F}state_delta\n${JSON.stringify(delta)}\n${F}`
  const cases: [what: string, told: Step, settings?: object][] = [
    ['after a readable block', say(block({ 'player.warmth': -2 }))],
    ['after an empty one', say(block({}))],
    ['when it is off', say(TOLD), { second_call: 'off' }],
    ['after reasoning alone', onlyThink('Hm.')],
    ['after a reply that failed', status(500)],
  ]
  for (const [what, told, settings = {}] of cases)
    test(what, async () => {
      await set(settings)
      const id = await begin()
      endpoint.next(told)
      await playTurn(server, id, { type: 'do', text: 'wait' })
      expect(asked).toHaveLength(1)
    })

  test('after a block without prose, twice', async () => {
    const id = await begin()
    const block = say(`${F}state_delta\n{"player.warmth": -2}\n${F}`)
    endpoint.next(block, block)
    await playTurn(server, id, { type: 'do', text: 'wait' })
    expect(asked).toHaveLength(2)
  })

  test('after a reply that the player stopped', async () => {
    const id = await begin()
    endpoint.next(fallSilent(TOLD))
    const turn = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'do', text: 'wait' })
    await turn.until(ofType('chunk'))
    await server.post(`/api/adventures/${id}/stop`)
    expect(done(await turn.rest())?.action).toMatchObject({ cut: 'stopped' })
    expect(asked).toHaveLength(1)
  })

  test('to the practice narrator, nor in a story without stats or with none that can change', async () => {
    const stone = { player: { stone: { initial: 1, max_delta_per_turn: 0 } } }
    const { body } = await server.post('/api/scenarios', { title: 'Stone', stat_schema: stone })
    for (const fields of [{ title: 'Plain' }, { scenario_id: body.id }])
      await play((await server.post('/api/adventures', fields)).body.id, TOLD)
    await set({ endpoint_url: '', second_call: 'always' })
    await playTurn(server, await begin(), { type: 'do', text: 'wait' })
    expect(asked.some(isSecond)).toBe(false)
    expect(asked).toHaveLength(3)
  })
})

describe('its answer replaces', () => {
  const cut = `${TOLD}\n\n${F}state_delta\n{"player.lamp_oil": -1, "player.warmth": -`
  const cases: [what: string, told: string, second: Step, changes: object, settings?: object][] = [
    ['a block that was cut off', cut, answer(COLD), { warmth: 27, lamp_oil: 18 }],
    ['no block that was cut off, when the call fails', cut, status(500), { warmth: 32, lamp_oil: 17 }],
    [
      'a block that cannot be parsed',
      `${TOLD}\n\n${F}state_delta\nall well\n${F}`,
      answer(COLD),
      { warmth: 27 },
    ],
    [
      'a complete block, when the call is always made',
      `${TOLD}\n\n${F}state_delta\n{"player.lamp_oil": -1}\n${F}`,
      answer(COLD),
      { warmth: 27, lamp_oil: 18 },
      { second_call: 'always' },
    ],
    [
      'no complete block, when the answer cannot be parsed',
      `${TOLD}\n\n${F}state_delta\n{"player.lamp_oil": -1}\n${F}`,
      say('The oil burns low.'),
      { warmth: 32, lamp_oil: 17 },
      { second_call: 'always' },
    ],
    [
      'no complete block, when its quotes are invented',
      `${TOLD}\n\n${F}state_delta\n{"player.lamp_oil": -1}\n${F}`,
      answer({ ...COLD, because: 'you fall into the sea' }),
      { warmth: 32, lamp_oil: 17 },
      { second_call: 'always' },
    ],
  ]
  for (const [what, told, second, player, settings = {}] of cases)
    test(what, async () => {
      await set(settings)
      const id = await begin()
      const events = await play(id, told, second)
      expect(asked.filter(isSecond)).toHaveLength(1)
      expect(done(events)?.action.text).toBe(TOLD)
      expect(done(events)?.action).not.toHaveProperty('not_recorded')
      expect((await world(id)).player).toMatchObject(player)
      expect(await audit(id)).toMatchObject({ ok: true, judged_again: 1 })
    })
})

describe('whether a server enforces schemas', () => {
  const isProbe = ({ messages }: ModelRequest) => messages.at(-1)?.text === SCHEMA_PROBE.question
  const BOUND = JSON.stringify({ answer: SCHEMA_PROBE.schema.properties.answer.const })
  const block = say(`${TOLD}\n\n${F}state_delta\n{}\n${F}`)
  let models = 0
  // Looks like llama.cpp, which accepts schemas.
  beforeEach(() => void endpoint.pages.set('/props', { default_generation_settings: { n_ctx: 16_384 } }))
  afterEach(() => void endpoint.pages.clear())

  /** A service that does its background work at once, with an unknown model. */
  async function startIdle(settings: object = {}) {
    const { server, asked } = await startSeen(0)
    const model = `model-${models++}`
    await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model, ...settings })
    const { body } = await server.post('/api/scenarios', { title: 'Lantern Rock', stat_schema: LANTERN_ROCK })
    const story = async (fields: object = { scenario_id: body.id }): Promise<number> =>
      (await server.post('/api/adventures', fields)).body.id
    const enforces = () => findFacts(server.deps.library.reader, endpoint.url, model).enforces
    const rested = async (id: number) => {
      server.deps.idle.wake(id)
      await server.deps.idle.ended()
    }
    return { server, asked, story, enforces, rested }
  }

  for (const [reply, isBound] of [
    [BOUND, true],
    ['Yes, it is.', false],
  ] as const)
    test(`is probed once, after the first saved turn: ${isBound ? 'it does' : 'it does not'}`, async () => {
      const { server, asked, story, enforces, rested } = await startIdle()
      const id = await story()
      await rested(id)
      expect(asked.filter(isProbe)).toEqual([])
      endpoint.next(block, say(reply))
      await playTurn(server, id, { type: 'do', text: 'wait' })
      await rested(id)
      expect(enforces()).toBe(isBound)
      const [probe, ...others] = asked.filter(isProbe)
      expect(others).toEqual([])
      expect(probe).toMatchObject({ schema: SCHEMA_PROBE.schema, reasoning_max_tokens: -1 })
      const sent = endpoint.requests.find(
        ({ body }) => body?.messages?.at(-1)?.content === probe?.messages.at(-1)?.text,
      )
      expect(sent?.body).toMatchObject({
        response_format: { json_schema: { schema: SCHEMA_PROBE.schema } },
      })
      endpoint.next(block)
      await playTurn(server, id, { type: 'do', text: 'wait' })
      await rested(id)
      expect(asked.filter(isProbe)).toHaveLength(1)
    })

  const never: [what: string, settings: object, fields?: object][] = [
    ['with the practice narrator', { endpoint_url: '' }],
    ['when the second call is off', { second_call: 'off' }],
    ['in a story without stats', {}, { title: 'Plain' }],
  ]
  for (const [what, settings, fields] of never)
    test(`is not probed ${what}`, async () => {
      const { server, asked, story, rested } = await startIdle(settings)
      const id = await story(fields)
      if (what.startsWith('in') || what.startsWith('when')) endpoint.next(block)
      await playTurn(server, id, { type: 'do', text: 'wait' })
      await rested(id)
      expect(asked.filter(isProbe)).toHaveLength(0)
    })

  test('is not probed where the server accepts no schemas', async () => {
    endpoint.pages.clear()
    const { server, asked, story, rested } = await startIdle()
    const id = await story()
    endpoint.next(block)
    await playTurn(server, id, { type: 'do', text: 'wait' })
    await rested(id)
    expect(asked.filter(isProbe)).toHaveLength(0)
  })

  test('is preempted by a turn and probed after it; a failed probe is not repeated', async () => {
    const { server, asked, story, enforces, rested } = await startIdle()
    const id = await story()
    const begun = gate()
    endpoint.next(block, (exchange) => {
      begun.open()
      return silent(exchange)
    })
    await playTurn(server, id, { type: 'do', text: 'wait' })
    await begun.opened
    endpoint.next(block, status(500))
    expect((await playTurn(server, id, { type: 'do', text: 'wait' })).at(-1)).toMatchObject({ type: 'done' })
    await rested(id)
    expect(asked.filter(isProbe)).toHaveLength(2)
    await rested(id)
    expect(asked.filter(isProbe)).toHaveLength(2)
    expect(enforces()).toBeNull()
  })
})
