import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { changeWorldState } from '../../../src/app/adventure/world-state.ts'
import { stopTurn } from '../../../src/app/turn/play-turn.ts'
import {
  afterGate,
  editsAbout,
  fallSilent,
  gate,
  recorded,
  type Step,
  say,
  sayAndRecord,
  silent,
  startEndpoint,
  status,
} from '../../support/endpoint/endpoint.ts'
import { ofType, playTurn, retryTurn, startTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer({ narrator: { retryEvery: 0.01, acceptTimeout: 0.01 } })
const schema = { title: 'Lantern Rock', stat_schema: LANTERN_ROCK }
const scenario = (await server.post('/api/scenarios', schema)).body.id
const begin = async (): Promise<number> =>
  (await server.post('/api/adventures', { scenario_id: scenario })).body.id
const warmth = async (id: number) =>
  (await server.get(`/api/adventures/${id}/world-state`)).body.state.player.warmth
const actions = async (id: number) => (await server.get(`/api/adventures/${id}`)).body.actions
const newest = async (id: number) => (await actions(id)).at(-1)
const audit = async (id: number) => (await server.get(`/api/adventures/${id}/audit`)).body
const healthy = async (id: number) => expect(await audit(id)).toMatchObject({ ok: true, findings: [] })

const TOLD = 'The cold bites. You bar the door.'
const COLD = say(editsAbout('The cold bites', { 'player.warmth': -5 }))
const WAIT = { type: 'do', text: 'wait' }

beforeEach(async () => {
  await server.send('PUT', '/api/settings', {
    endpoint_url: endpoint.url,
    model: 'test-model',
  })
})

/** A turn whose text is told and whose changes are still being asked for, with `second` as the answer. */
async function told(id: number, second: Step) {
  endpoint.next(recorded(say(TOLD), second))
  const turn = await startTurn(server, `/api/adventures/${id}/actions`, WAIT)
  const event = await turn.until(ofType('told'))
  return { turn, event }
}

/** An answer that waits until it is opened. */
function held(step: Step): { step: Step; open: () => void } {
  const door = gate()
  return { step: afterGate(door, step), open: door.open }
}

describe('a turn whose changes are asked for', () => {
  test('is sent, counted and stored before the second call, with the old world state, and its story is free', async () => {
    const id = await begin()
    const { accepted } = (await server.get('/api/health')).body.turns
    const { step, open } = held(COLD)
    const { turn, event } = await told(id, step)
    expect(event).toMatchObject({ type: 'told', action: { text: TOLD, world_changes: [] } })
    expect(event.type === 'told' && event.action).not.toHaveProperty('not_recorded')
    expect(server.deps.locks.isTaken(id)).toBe(false)
    expect((await server.get('/api/health')).body.turns.accepted).toBe(accepted + 1)
    expect(await newest(id)).toMatchObject({ text: TOLD, variant_count: 1 })
    expect(await warmth(id)).toBe(32)
    await healthy(id)
    open()
    expect((await turn.rest()).at(-1)).toMatchObject({
      type: 'done',
      action: { text: TOLD, world_changes: [{ path: 'player.warmth', delta: -5 }] },
      world_state: { state: { player: { warmth: 27 } } },
    })
    expect(await warmth(id)).toBe(27)
    await healthy(id)
  })

  test('is recorded although the page was closed', async () => {
    const id = await begin()
    const { step, open } = held(COLD)
    const { turn } = await told(id, step)
    turn.disconnect()
    open()
    await server.deps.recordings.ended(id)
    expect(await warmth(id)).toBe(27)
    await healthy(id)
  })

  test('is recorded although its text is saved as it is meanwhile', async () => {
    const id = await begin()
    const { step, open } = held(COLD)
    const { turn, event } = await told(id, step)
    const action = event.type === 'told' ? event.action.id : 0
    const edit = { text: TOLD, hidden: false, variant_index: 0 }
    expect((await server.send('PATCH', `/api/adventures/${id}/actions/${action}`, edit)).status).toBe(200)
    open()
    await turn.rest()
    expect(await warmth(id)).toBe(27)
  })

  test('keeps its text when Stop ends the recording', async () => {
    const id = await begin()
    const { turn } = await told(id, silent)
    expect((await server.post(`/api/adventures/${id}/stop`)).body).toEqual({ stopped: true })
    const reason = expect.stringContaining('You stopped')
    expect((await turn.rest()).at(-1)).toMatchObject({ type: 'done', action: { not_recorded: reason } })
    expect(await newest(id)).toMatchObject({ text: TOLD, not_recorded: reason })
    expect(await warmth(id)).toBe(32)
    await healthy(id)
  })
})

describe('the next turn', () => {
  test('stores its line at once, and its prompt knows the recorded changes', async () => {
    const id = await begin()
    const { step, open } = held(COLD)
    const { turn } = await told(id, step)
    const next = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'do', text: 'sit down' })
    await next.until(ofType('player'))
    expect(await next.until(ofType('status'))).toMatchObject({ phase: 'recording' })
    expect(await newest(id)).toMatchObject({ text: '> You sit down.', waiting: true })
    endpoint.next(say('You sit.'))
    open()
    expect((await turn.rest()).at(-1)).toMatchObject({
      type: 'done',
      world_state: { state: { player: { warmth: 27 } } },
    })
    await next.rest()
    expect(JSON.stringify(endpoint.requests.at(-1)?.body)).toContain('warmth 27/40')
    await healthy(id)
    // An undo brings back the world before the line, which is the world after the recording.
    await server.post(`/api/adventures/${id}/undo`)
    expect(await warmth(id)).toBe(27)
    await server.post(`/api/adventures/${id}/undo`)
    expect(await warmth(id)).toBe(32)
  })

  test('continues without the changes when Stop skips the wait', async () => {
    const id = await begin()
    await told(id, silent)
    const next = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'do', text: 'sit down' })
    await next.until(ofType('player'))
    endpoint.next(sayAndRecord('You sit.', { 'player.warmth': -1 }))
    await server.post(`/api/adventures/${id}/stop`)
    expect((await next.rest()).at(-1)).toMatchObject({ type: 'done', action: { text: 'You sit.' } })
    expect(await warmth(id)).toBe(31)
    await healthy(id)
  })

  test('ends when its client leaves during the wait; its line waits for a reply', async () => {
    const id = await begin()
    const { step, open } = held(COLD)
    await told(id, step)
    const next = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'do', text: 'sit down' })
    await next.until(ofType('player'))
    next.disconnect()
    await server.deps.locks.freed(id)
    open()
    await server.deps.recordings.ended(id)
    expect(await newest(id)).toMatchObject({ text: '> You sit down.', waiting: true })
    expect(await warmth(id)).toBe(27)
    await healthy(id)
  })
})

describe('any other change of the story ends a recording: nothing of it is recorded', () => {
  const changes: [what: string, change: (id: number) => Promise<unknown>, warmth: number][] = [
    ['undo', (id) => server.post(`/api/adventures/${id}/undo`), 32],
    [
      'edit',
      async (id) =>
        server.send('PATCH', `/api/adventures/${id}/actions/${(await newest(id)).id}`, {
          text: 'It is warm.',
        }),
      32,
    ],
    [
      'a manual change',
      (id) => server.send('PUT', `/api/adventures/${id}/world-state`, { 'player.warmth': 40 }),
      40,
    ],
    [
      'retry',
      async (id) => {
        endpoint.next(sayAndRecord('You shiver.', { 'player.warmth': -2 }))
        await retryTurn(server, id)
      },
      30,
    ],
  ]
  for (const [what, change, after] of changes)
    test(what, async () => {
      const id = await begin()
      const { step, open } = held(COLD)
      const { turn } = await told(id, step)
      await change(id)
      open()
      expect((await turn.rest()).at(-1)).toMatchObject({ type: 'done' })
      await server.deps.recordings.ended(id)
      expect(await warmth(id)).toBe(after)
      await healthy(id)
    })

  test('also when it was stopped just before and has not ended yet', async () => {
    const id = await begin()
    await told(id, silent)
    stopTurn(server.deps, id)
    changeWorldState(server.deps, id, { 'player.warmth': 40 })
    await server.deps.recordings.ended(id)
    expect(await warmth(id)).toBe(40)
    await healthy(id)
  })

  test('and a version from before a retry is restored without changes', async () => {
    const id = await begin()
    await told(id, silent)
    endpoint.next(sayAndRecord('You shiver.', { 'player.warmth': -2 }))
    await retryTurn(server, id)
    const { id: action } = await newest(id)
    await server.post(`/api/adventures/${id}/actions/${action}/variant`, { index: 0 })
    expect(await newest(id)).toMatchObject({ text: TOLD, not_recorded: expect.stringContaining('went on') })
    expect(await warmth(id)).toBe(32)
    await healthy(id)
  })

  test('a failed retry leaves the text', async () => {
    const id = await begin()
    await told(id, silent)
    endpoint.next(status(500))
    expect((await retryTurn(server, id)).at(-1)).toMatchObject({ type: 'error' })
    expect(await newest(id)).toMatchObject({ text: TOLD, variant_count: 1 })
    await healthy(id)
  })
})

test('a story that is deleted during a recording is gone', async () => {
  const id = await begin()
  const { turn } = await told(id, silent)
  await server.send('DELETE', `/api/adventures/${id}`)
  await turn.rest()
  expect((await server.get(`/api/adventures/${id}`)).status).toBe(404)
})

test('other stories wait for the model, but not for the recording to succeed', async () => {
  const id = await begin()
  const { turn } = await told(id, fallSilent('{"edits"'))
  const other = await begin()
  endpoint.next(say('You shiver.'))
  const playing = playTurn(server, other, WAIT)
  await server.post(`/api/adventures/${id}/stop`)
  await turn.rest()
  expect((await playing).at(-1)).toMatchObject({ type: 'done' })
})
