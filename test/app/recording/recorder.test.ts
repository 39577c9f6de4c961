import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { findFacts, upsertFacts } from '../../../src/db/tables/endpoint-facts.ts'
import type { ModelRequest } from '../../../src/domain/model/model-request.ts'
import {
  breakOff,
  editsAbout,
  fallSilent,
  frame,
  onlyThink,
  recorded,
  type Step,
  say,
  sayAndRecord,
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
import { startServer } from '../../support/service/server.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer({ narrator: { retryEvery: 0.01, acceptTimeout: 0.01 } })
/** Every model request, before it is adapted to the server. */
const asked: ModelRequest[] = []
const { narrator } = server.deps
const { generate } = narrator
narrator.generate = (to, request, signal) => {
  asked.push(request)
  return generate(to, request, signal)
}
const isRecorder = ({ messages }: ModelRequest) =>
  messages.at(-1)?.text.startsWith('[Before the story goes on: most') ?? false
const questions = () => asked.filter(isRecorder)

const stories = async (stat_schema: object = LANTERN_ROCK): Promise<number> =>
  (await server.post('/api/scenarios', { title: 'Lantern Rock', prompt: 'The lamp is lit.', stat_schema }))
    .body.id
const scenario = await stories()
const begin = async (scenario_id = scenario): Promise<number> =>
  (await server.post('/api/adventures', { scenario_id })).body.id
const set = (settings: object) => server.send('PUT', '/api/settings', settings)
const story = async (id: number) => (await server.get(`/api/adventures/${id}`)).body
const newest = async (id: number) => (await story(id)).actions.at(-1)
const world = async (id: number) => (await server.get(`/api/adventures/${id}/world-state`)).body.state
const warmth = async (id: number) => (await world(id)).player.warmth
const insight = async (id: number) => (await server.get(`/api/adventures/${id}/insights`)).body.turns[0]
const audit = async (id: number) => (await server.get(`/api/adventures/${id}/audit`)).body
const healthy = async (id: number) => expect(await audit(id)).toMatchObject({ ok: true, findings: [] })
const page = async (path: string) => (await server.ask(path)).text()
const done = (events: WireEvent[]) => events.find(ofType('done'))
const again = async (id: number) =>
  done(await (await startTurn(server, `/api/adventures/${id}/record`)).rest())

const TOLD = 'The cold bites. You bar the door, and the sea rises.'
const WAIT = { type: 'do', text: 'wait' }
const edit = (because: string, ...changes: object[]) => ({ because, changes })
const answer = (...edits: object[]) => say(JSON.stringify({ edits }))
const COLD = edit('The cold bites', { path: 'player.warmth', by: -5 })

beforeEach(async () => {
  asked.length = 0
  endpoint.recordWith(null)
  await set({ endpoint_url: endpoint.url, model: 'test-model', second_call: 'on', read_timeout_seconds: 300 })
})

async function play(id: number, answered: Step, told = TOLD): Promise<WireEvent[]> {
  endpoint.next(recorded(say(told), answered))
  return playTurn(server, id, WAIT)
}

describe('every stored reply is followed by one question', () => {
  const replies: [what: string, play: (id: number) => Promise<unknown>][] = [
    ['that is whole', (id) => play(id, answer(COLD))],
    [
      'of a retry',
      async (id) => {
        endpoint.next(status(500), recorded(say(TOLD), answer(COLD)))
        await playTurn(server, id, WAIT)
        await retryTurn(server, id)
      },
    ],
    [
      'that is cut off',
      async (id) => {
        endpoint.next(recorded(say(TOLD, { finish: 'length' }), answer(COLD)))
        await playTurn(server, id, WAIT)
      },
    ],
    [
      'that the player stops',
      async (id) => {
        endpoint.next(recorded(fallSilent(TOLD), answer(COLD)))
        const turn = await startTurn(server, `/api/adventures/${id}/actions`, WAIT)
        await turn.until(ofType('chunk'))
        await server.post(`/api/adventures/${id}/stop`)
        expect((await turn.rest()).at(-1)).toMatchObject({ type: 'done', action: { cut: 'stopped' } })
      },
    ],
    [
      'that was interrupted and is kept',
      async (id) => {
        endpoint.next(recorded(breakOff(TOLD), answer(COLD)))
        await playTurn(server, id, WAIT)
        await server.post(`/api/adventures/${id}/interrupted/keep`)
        await server.deps.recordings.ended(id)
      },
    ],
  ]
  for (const [what, play] of replies)
    test(what, async () => {
      const id = await begin()
      await play(id)
      expect(questions()).toHaveLength(1)
      expect(await warmth(id)).toBe(27)
      await healthy(id)
    })

  test('that was interrupted and is kept by a new line, whose prompt knows the changes', async () => {
    const id = await begin()
    endpoint.next(recorded(breakOff(TOLD), answer(COLD)))
    await playTurn(server, id, WAIT)
    await playTurn(server, id, { type: 'do', text: 'sit down', keep: true })
    expect(JSON.stringify(endpoint.requests.at(-1)?.body)).toContain('warmth 27/40')
    expect(questions()).toHaveLength(2)
    await healthy(id)
  })

  const never: [what: string, told: Step, settings?: object][] = [
    ['after reasoning alone', onlyThink('Hm.')],
    ['after a reply that failed', status(500)],
    ['when it is switched off', say(TOLD), { second_call: 'never' }],
  ]
  for (const [what, told, settings = {}] of never)
    test(`but not ${what}`, async () => {
      await set(settings)
      endpoint.next(told)
      await playTurn(server, await begin(), WAIT)
      expect(questions()).toEqual([])
    })

  test('but not in a story without stats, or with none that can change', async () => {
    const stone = await stories({ player: { stone: { initial: 1, max_delta_per_turn: 0 } } })
    for (const scenario_id of [stone, await stories({})]) {
      const id = await begin(scenario_id)
      endpoint.next(say(TOLD))
      const events = await playTurn(server, id, WAIT)
      expect(events.some(ofType('told'))).toBe(false)
      expect(done(events)?.action).not.toHaveProperty('not_recorded')
    }
    expect(questions()).toEqual([])
  })

  test('and the practice narrator answers it', async () => {
    await set({ endpoint_url: '' })
    const id = await begin()
    await playTurn(server, id, WAIT)
    expect(await insight(id)).toMatchObject({ recorded: 'asked' })
    await healthy(id)
  })
})

test('older values of the setting mean that it is on', async () => {
  for (const second_call of ['off', 'needed', 'always']) {
    await set({ second_call: 'never' })
    expect((await set({ second_call })).body.second_call).toBe('on')
    server.deps.library.write((tx) => tx.run('UPDATE settings SET second_call = ?', second_call))
    expect((await server.get('/api/settings')).body.second_call).toBe('on')
  }
  expect((await set({ second_call: 'sometimes' })).status).toBe(422)
})

describe('the narrator', () => {
  test('is sent prose and values, and no protocol', async () => {
    const id = await begin()
    await play(id, answer(COLD))
    await play(id, answer({ because: 'thunder', changes: COLD.changes }))
    await playTurn(server, id, WAIT)
    const { messages } = asked.findLast((one) => !isRecorder(one)) as ModelRequest
    const prompt = messages.map(({ text }) => text).join('\n')
    expect(messages.filter(({ role }) => role === 'assistant').map(({ text }) => text)).toEqual([
      'The lamp is lit.',
      TOLD,
      TOLD,
    ])
    expect(prompt).toContain('warmth 27/40')
    expect(prompt).not.toMatch(/state_delta|block|Not accepted|because/)
  })
})

describe('the question', () => {
  // Looks like llama.cpp, which keeps what it has read and takes schemas.
  const likeLlama = async (model: string) => {
    endpoint.pages.set('/props', { default_generation_settings: { n_ctx: 16_384 } })
    await set({ model })
  }
  afterEach(() => void endpoint.pages.clear())

  test('follows the same messages and the passage where the server keeps what it has read', async () => {
    await likeLlama('keeps')
    const id = await begin()
    await play(id, answer(COLD))
    await play(id, answer())
    const [first, about, confirming, second, question] = asked
    expect(confirming?.messages.slice(0, -1)).toEqual(about?.messages.slice(0, -1) as never)
    expect(question?.messages.slice(0, -1)).toEqual([
      ...(second?.messages ?? []),
      { role: 'assistant', text: TOLD },
    ])
    expect(question?.messages.slice(0, first?.messages.length)).toEqual(first?.messages as never)
    expect(question?.messages.at(-1)?.text).toMatch(/\nplayer: .*\bwarmth\b/)
  })

  test('is short elsewhere: the guide, the values and the newest two passages', async () => {
    const id = await begin()
    await play(id, answer(COLD), 'The first passage.')
    await play(id, answer(), 'The second passage.')
    const { messages } = questions().at(-1) as ModelRequest
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(messages[0]?.text).toContain('- player.warmth')
    expect(messages[1]?.text).toMatch(/warmth 32\/40[\s\S]*The first passage\.[\s\S]*You wait\./)
    expect(messages[1]?.text).not.toContain('The lamp is lit.')
    expect(messages[2]?.text).toBe('The second passage.')
  })

  test('is asked at temperature 0, without reasoning, samplers and stops', async () => {
    await set({
      temperature: 1.1,
      reasoning_max_tokens: 50,
      reasoning_effort: 'high',
      min_p: 0.1,
      stop_at_player: true,
    })
    await play(await begin(), answer(COLD))
    const [question] = questions()
    expect(question).toMatchObject({ temperature: 0, reasoning_max_tokens: -1, reasoning_effort: null })
    expect([question?.sampling, question?.stop]).toEqual([undefined, undefined])
    await set({
      temperature: 0.8,
      reasoning_max_tokens: 0,
      reasoning_effort: null,
      min_p: null,
      stop_at_player: false,
    })
  })

  test('has a schema with the sentences of the passage and what can change', async () => {
    const id = await begin()
    await play(id, answer(edit('the sea rises', { path: 'world.sea', by: 1 })))
    await playTurn(server, id, { type: 'continue' })
    const [first, second] = questions().map(({ schema }) => JSON.stringify(schema))
    const confirming = asked.find(({ messages }) => messages.at(-1)?.text.includes(': which of these'))
    expect(confirming?.schema).toMatchObject({ required: ['world.sea'] })
    expect(first).toContain('"because":{"enum":["The cold bites.","You bar the door, and the sea rises."]}')
    // The sea rests after a change.
    expect([first?.includes('world.sea'), second?.includes('world.sea')]).toEqual([true, false])
  })

  test('has no schema where the server has been seen to break it', async () => {
    await likeLlama('free')
    const enforces = () => findFacts(server.deps.library.reader, endpoint.url, 'free').enforces
    const id = await begin()
    await play(id, say(editsAbout('You bar the door, and the sea rises.', { 'player.warmth': -5 })))
    expect(enforces()).toBeNull()
    await play(id, answer(edit('You bar', { path: 'player.warmth', by: -5 })))
    expect(enforces()).toBe(false)
    await play(id, answer())
    expect(questions().map(({ schema }) => schema !== undefined)).toEqual([true, true, false])
  })

  test('of a server without schemas teaches nothing', async () => {
    await play(await begin(), say('Nothing, I think.'))
    expect(findFacts(server.deps.library.reader, endpoint.url, 'test-model').enforces).toBeNull()
    server.deps.library.write((tx) => upsertFacts(tx, endpoint.url, 'test-model', { enforces: null }))
  })

  test('comes after all prose, in its own phase', async () => {
    const events = await play(await begin(), answer(COLD))
    const at = events.findIndex((event) => event.type === 'status' && event.phase === 'recording')
    expect(streamedText(events.slice(0, at))).toBe(TOLD)
    expect(events[at]).toMatchObject({ allowed: 300 })
    expect(events.slice(at).some(ofType('chunk'))).toBe(false)
  })

  test('of a retry is judged at its own turn, against the state before it', async () => {
    const id = await begin()
    const sea = (by: number) => edit('the sea rises', { path: 'world.sea', by })
    await play(id, answer(sea(2), COLD))
    endpoint.next(recorded(say(TOLD), answer(sea(3))))
    expect(done(await retryTurn(server, id))?.verdicts).toMatchObject([{ path: 'world.sea', old: 4, new: 7 }])
    expect(await warmth(id)).toBe(32)
    expect(await audit(id)).toMatchObject({ ok: true, attempts: 2, judged_again: 2 })
  })
})

describe('an answer', () => {
  test('is judged as usual, and each change has its sentence', async () => {
    const id = await begin()
    const events = await play(
      id,
      answer(
        edit('THE COLD BITES', { path: 'player.warmth', by: -90 }, { path: 'player.stamina', by: 1 }),
        edit('you bar the door', { path: 'flags.door_barred', to: true }),
        edit('a comet falls', { path: 'world.night', by: 1 }),
      ),
    )
    const verdicts = [
      { path: 'player.warmth', verdict: 'limited', given: -8, because: 'The cold bites.' },
      { path: 'player.stamina', verdict: 'refused', reason: 'unknown stat' },
      { path: 'flags.door_barred', verdict: 'applied', because: 'You bar the door, and the sea rises.' },
      { path: 'world.night', verdict: 'refused', reason: 'not told' },
    ]
    expect(done(events)?.verdicts).toMatchObject(verdicts as never)
    expect(done(events)?.action.world_changes).toMatchObject([{ because: 'The cold bites.' }, {}, {}, {}])
    expect(await audit(id)).toMatchObject({ ok: true, judged_again: 1 })
  })

  test('is shown with its sentences on every face, also after an edit', async () => {
    const id = await begin()
    await play(
      id,
      answer(edit('You bar the door', { path: 'flags.door_barred', to: true }, COLD.changes[0] ?? {})),
    )
    const { id: action } = await newest(id)
    await server.send('PATCH', `/api/adventures/${id}/actions/${action}`, { text: 'It is warm.' })
    const because = '“You bar the door, and the sea rises.”'
    const faces = [
      `/adventures/${id}`,
      `/adventures/${id}?panel=history`,
      `/adventures/${id}/insights`,
      `/api/adventures/${id}/export?format=markdown&stats=true`,
      `/api/adventures/${id}/export?format=html&stats=true`,
    ]
    for (const face of faces) expect([face, (await page(face)).includes(because)]).toEqual([face, true])
    expect((await page(`/adventures/${id}`)).match(new RegExp(because, 'g'))?.length).toBeGreaterThan(2)
  })

  test('keeps its sentences in a file of the story', async () => {
    const id = await begin()
    await play(id, answer(COLD))
    const { body: copy } = await server.post(
      '/api/adventures/import',
      (await server.get(`/api/adventures/${id}/export`)).body,
    )
    expect((await newest(copy.id)).world_changes).toEqual((await newest(id)).world_changes)
    await healthy(copy.id)
  })

  test('is stored with its cost', async () => {
    const id = await begin()
    const usage = { prompt_tokens: 812, completion_tokens: 41 }
    const given = JSON.stringify({ edits: [COLD] })
    await play(id, say(given, { usage }))
    expect(await insight(id)).toMatchObject({
      recorded: 'asked',
      delta: { 'player.warmth': -5 },
      second_call: { why: '', answer: `${given}\n{}`, ...usage },
    })
    const { id: action } = await newest(id)
    expect(await page(`/adventures/${id}/insights?turn=${action}`)).toContain(
      '812 prompt tokens, 41 response tokens',
    )
  })

  test('counts but for the changes that the model denies when it is asked once more', async () => {
    const answers: [said: string, changes: number][] = [
      ['{"player.warmth": "yes"}', 1],
      ['{"player.warmth": "no"}', 0],
      ['```json\n{player.warmth: No}\n```', 0],
      ['{"player.warmth": false}', 0],
      ['{"world.sea": "no"}', 1],
      ['No.', 1],
      ['', 1],
    ]
    for (const [said, changes] of answers) {
      const id = await begin()
      endpoint.confirmWith(say(said))
      const verdicts = done(await play(id, answer(COLD)))?.verdicts ?? []
      expect([said, verdicts.length]).toEqual([said, changes])
      await healthy(id)
    }
    endpoint.confirmWith(say('{}'))
  })

  test('is asked about once, with all paths, none of them alone', async () => {
    const id = await begin()
    const before = endpoint.confirmingRequests.length
    endpoint.confirmWith(say('{"player.warmth": "yes", "world.sea": "no"}'))
    const both = edit('The cold bites', { path: 'player.warmth', by: -5 }, { path: 'world.sea', by: 1 })
    expect(done(await play(id, answer(both)))?.verdicts).toMatchObject([{ path: 'player.warmth' }])
    expect((await insight(id)).second_call.answer).toEndWith('\n{"player.warmth": "yes", "world.sea": "no"}')
    const [request, ...others] = endpoint.confirmingRequests.slice(before)
    expect(others).toEqual([])
    expect(request?.body?.messages?.at(-1)?.content).toEndWith('\nplayer.warmth, world.sea]')
    endpoint.confirmWith(say('{}'))
  })

  test('changes nothing where the server fails at the question about them', async () => {
    const id = await begin()
    endpoint.confirmWith(status(500, 'out of memory'))
    expect(done(await play(id, answer(COLD)))?.verdicts ?? []).toEqual([])
    expect((await insight(id)).second_call.why).toContain('out of memory')
    endpoint.confirmWith(say('{}'))
    await healthy(id)
  })

  test('that cannot be read is asked for once more', async () => {
    const id = await begin()
    endpoint.record(say('You lose five points, I think.'))
    expect(done(await play(id, answer(COLD)))?.verdicts).toMatchObject([{ path: 'player.warmth', given: -5 }])
    expect(questions()).toHaveLength(2)
  })

  const wrong: [what: string, second: Step, says: RegExp][] = [
    ['prose', say('You lose five points of warmth, I think.'), /no answer that could be read/],
    ['more of the story', say('Then the sun comes up.'), /no answer that could be read/],
    ['nothing', say(''), /no answer that could be read/],
    ['reasoning alone', onlyThink('Hm.'), /no answer that could be read/],
    ['an invented quote', answer({ ...COLD, because: 'you fall into the sea' }), /could be applied/],
    ['no quote', say('{"player.warmth": -5}'), /could be applied/],
    ['a total', answer(edit('The cold bites', { path: 'player.warmth', to: 27 })), /could be applied/],
    ['an unknown path', answer(edit('The cold bites', { path: 'player.mood', by: 1 })), /could be applied/],
    ['an error', status(500, 'out of memory'), /out of memory/],
    ['a connection that closes', breakOff('{"edits": [{"because": "The cold bites"'), /./],
    ['an endless answer', say(`{"edits": [${' '.repeat(21_000)}`), /did not stop/],
    ['silence', silent, /sent nothing/],
    ['an answer that falls silent', fallSilent('{"edits": ['), /sent nothing/],
    [
      'endless reasoning',
      async ({ response, closed }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const thought = frame({ choices: [{ delta: { reasoning_content: 'Hm. '.repeat(500) } }] })
        const timer = setInterval(() => response.write(thought), 10)
        await closed
        clearInterval(timer)
      },
      /did not stop/,
    ],
  ]
  for (const [what, second, says] of wrong)
    test(`of ${what} records nothing, and the player sees why`, async () => {
      if (what.includes('silen'))
        server.deps.library.write((tx) => tx.run('UPDATE settings SET read_timeout_seconds = 1'))
      const id = await begin()
      const before = await world(id)
      const { failed } = (await server.get('/api/health')).body.turns
      const events = await play(id, second)
      expect(events.at(-1)).toMatchObject({ type: 'done', action: { text: TOLD, cut: null } })
      expect(await world(id)).toEqual(before)
      expect((await newest(id)).not_recorded).toMatch(says)
      expect((await server.get('/api/health')).body.turns.failed).toEqual(failed)
      await healthy(id)
    })
})

test('a service that stops does not wait for an answer', async () => {
  const own = await startServer({ narrator: { retryEvery: 0.01, acceptTimeout: 0.01 } })
  await own.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
  const { body } = await own.post('/api/scenarios', { title: 'Rock', stat_schema: LANTERN_ROCK })
  const { id } = (await own.post('/api/adventures', { scenario_id: body.id })).body
  endpoint.next(recorded(say(TOLD), silent))
  const turn = await startTurn(own, `/api/adventures/${id}/actions`, WAIT)
  await turn.until((event) => event.type === 'status' && event.phase === 'recording')
  await own.stop()
  using db = new Database(own.path, { readonly: true })
  expect(db.query('SELECT text, world_delta FROM actions ORDER BY id DESC').get()).toEqual({
    text: TOLD,
    world_delta: expect.stringContaining('Inglenook was stopped'),
  })
})

describe('record again', () => {
  const offered = async (id: number) => (await page(`/adventures/${id}`)).includes('Record changes')

  test('is offered beside a passage that is not recorded, and records it', async () => {
    const id = await begin()
    await play(id, status(500))
    expect([await warmth(id), await offered(id)]).toEqual([32, true])
    endpoint.recordWith(answer(COLD))
    expect(await again(id)).toMatchObject({ verdicts: [{ path: 'player.warmth', given: -5 }] })
    expect([await warmth(id), await offered(id)]).toEqual([27, false])
    expect(await newest(id)).not.toHaveProperty('not_recorded')
    await healthy(id)
  })

  test('is offered where recording is off', async () => {
    await set({ second_call: 'never' })
    const id = await begin()
    await play(id, answer(COLD))
    expect([await warmth(id), await offered(id)]).toEqual([32, true])
    await server.ask(`/adventures/${id}/record`, { method: 'POST', body: new URLSearchParams() })
    await server.deps.recordings.ended(id)
    expect(await warmth(id)).toBe(27)
    await healthy(id)
  })

  test('after an edit replaces what was recorded', async () => {
    const id = await begin()
    await play(id, answer(COLD))
    const { id: action } = await newest(id)
    await server.send('PATCH', `/api/adventures/${id}/actions/${action}`, { text: 'The oil runs out.' })
    expect([await warmth(id), await offered(id)]).toEqual([27, true])
    endpoint.recordWith(answer(edit('The oil runs out.', { path: 'player.lamp_oil', by: -3 })))
    await again(id)
    expect(await world(id)).toMatchObject({ player: { warmth: 32, lamp_oil: 15 } })
    await healthy(id)
    await server.post(`/api/adventures/${id}/undo`)
    expect((await world(id)).player.lamp_oil).toBe(18)
  })

  test('puts what the player set on top', async () => {
    const id = await begin()
    await play(id, answer(COLD))
    await server.send('PUT', `/api/adventures/${id}/world-state`, { 'player.warmth': 40, 'world.sea': 9 })
    endpoint.recordWith(answer({ ...COLD, changes: [{ path: 'player.warmth', by: -2 }] }))
    await again(id)
    expect(await world(id)).toMatchObject({ player: { warmth: 40 }, world: { sea: 9 } })
    expect((await insight(id)).verdicts).toMatchObject([
      { path: 'player.warmth', verdict: 'applied', new: 30 },
      { path: 'player.warmth', verdict: 'manual', old: 30, new: 40 },
      { path: 'world.sea', verdict: 'manual', old: 4, new: 9 },
    ])
    await healthy(id)
  })

  test('is the start of the lines that wait after it, with what was set there', async () => {
    const id = await begin()
    await play(id, status(500))
    endpoint.next(status(500))
    await playTurn(server, id, { type: 'do', text: 'sit down' })
    await server.send('PUT', `/api/adventures/${id}/world-state`, { 'player.lamp_oil': 3 })
    endpoint.recordWith(answer(COLD))
    await again(id)
    expect((await world(id)).player).toMatchObject({ warmth: 27, lamp_oil: 3 })
    await healthy(id)
    await server.post(`/api/adventures/${id}/undo`)
    expect((await world(id)).player).toMatchObject({ warmth: 27, lamp_oil: 18 })
  })

  test('leaves nothing of what was set there if it has the same itself', async () => {
    const id = await begin()
    await play(id, status(500))
    endpoint.next(status(500))
    await playTurn(server, id, { type: 'do', text: 'sit down' })
    await server.send('PUT', `/api/adventures/${id}/world-state`, { 'flags.door_barred': true })
    endpoint.recordWith(answer(edit('You bar the door', { path: 'flags.door_barred', to: true })))
    await again(id)
    expect((await world(id)).flags.door_barred).toBe(true)
    await healthy(id)
  })

  test('keeps what was recorded if the model fails', async () => {
    const id = await begin()
    await play(id, answer(COLD))
    endpoint.recordWith(status(500, 'out of memory'))
    expect(await again(id)).toMatchObject({ notice: expect.stringContaining('out of memory') })
    expect(await warmth(id)).toBe(27)
    await healthy(id)
  })

  test('of another version belongs to that one', async () => {
    const id = await begin()
    await play(id, answer(COLD))
    endpoint.next(recorded(say('It is warm.'), status(500)))
    await retryTurn(server, id)
    endpoint.recordWith(answer(edit('It is warm.', { path: 'player.warmth', by: 4 })))
    await again(id)
    expect(await warmth(id)).toBe(36)
    const { id: action } = await newest(id)
    await server.post(`/api/adventures/${id}/actions/${action}/variant`, { index: 0 })
    expect(await warmth(id)).toBe(27)
    await healthy(id)
  })

  test('is refused where it cannot be', async () => {
    const id = await begin()
    const plain = await begin(await stories({}))
    expect((await server.post(`/api/adventures/${id}/record`)).body.code).toBe('not_last')
    expect((await server.post(`/api/adventures/${plain}/record`)).body.code).toBe('no_world_state')
    expect((await server.post('/api/adventures/9999/record')).status).toBe(404)
    endpoint.next(fallSilent('The sea'))
    const turn = await startTurn(server, `/api/adventures/${id}/actions`, WAIT)
    await turn.until(ofType('chunk'))
    await server.post(`/api/adventures/${id}/stop`)
    await turn.rest()
    endpoint.next(fallSilent('The sea'))
    const next = await startTurn(server, `/api/adventures/${id}/actions`, WAIT)
    await next.until(ofType('chunk'))
    expect((await server.post(`/api/adventures/${id}/record`)).body.code).toBe('turn_in_progress')
    await server.post(`/api/adventures/${id}/stop`)
    await next.rest()
  })
})

test('a next line waits only for a while, then the passage stays unrecorded', async () => {
  const id = await begin()
  Object.assign(server.deps.recordings, { maxWait: 20 })
  endpoint.next(recorded(say(TOLD), silent))
  const turn = await startTurn(server, `/api/adventures/${id}/actions`, WAIT)
  await turn.until(ofType('told'))
  endpoint.next(sayAndRecord('You sit.', { 'player.warmth': -1 }))
  expect((await playTurn(server, id, WAIT)).at(-1)).toMatchObject({
    type: 'done',
    action: { text: 'You sit.' },
  })
  Object.assign(server.deps.recordings, { maxWait: 20_000 })
  expect((await turn.rest()).at(-1)).toMatchObject({
    type: 'done',
    action: { not_recorded: expect.stringContaining('went on') },
  })
  expect(await warmth(id)).toBe(31)
  await healthy(id)
})
