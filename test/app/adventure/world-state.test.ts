import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { fallSilent, onlyThink, say, sayAndRecord, status } from '../../support/endpoint/endpoint.ts'
import { ofType, playTurn, retryTurn, startTurn, streamedText } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel({ narrator: { retryEvery: 0.01, acceptTimeout: 0.01 } }, {})
const scenario = (await server.post('/api/scenarios', { title: 'Lantern Rock', stat_schema: LANTERN_ROCK }))
  .body.id

const F = '```'
const BLOCK = `${F}state_delta\n{"player.warmth": -5}\n${F}`
const begin = async (): Promise<number> =>
  (await server.post('/api/adventures', { scenario_id: scenario })).body.id
const world = async (id: number) => (await server.get(`/api/adventures/${id}/world-state`)).body.state
const newest = async (id: number) => (await server.get(`/api/adventures/${id}`)).body.actions.at(-1)
const audit = async (id: number) => (await server.get(`/api/adventures/${id}/audit`)).body
const set = (id: number, values: object) => server.send('PUT', `/api/adventures/${id}/world-state`, values)

/** Plays a turn that changes `delta`, and returns the last event. */
async function turn(id: number, delta: Record<string, unknown>) {
  endpoint.next(sayAndRecord('The sea rises.', delta))
  const events = await playTurn(server, id, { type: 'do', text: 'wait' })
  return events.find(ofType('done'))
}
async function retry(id: number, delta: Record<string, unknown>) {
  endpoint.next(sayAndRecord('The sea rises.', delta))
  return (await retryTurn(server, id)).find(ofType('done'))
}
const said = (done: Awaited<ReturnType<typeof turn>>) =>
  done?.verdicts.map((one) => [one.path, one.verdict, one.reason ?? one.given])

test('one story that meets every rule', async () => {
  const id = await begin()
  // Cap, clamp, counter, flag, milestone, text, character, unknown path: index 2.
  const first = await turn(id, {
    'player.warmth': -90,
    'world.sea': 2,
    'world.night': -1,
    'flags.door_barred': true,
    'milestones.signal_sent': true,
    'player.coat': 'a soaked oilskin with three buttons gone',
    'npc.ottoline.faith': 6,
    'player.stamina': 5,
  })
  expect(first?.verdicts).toMatchObject([
    {
      path: 'player.warmth',
      verdict: 'limited',
      asked: -90,
      given: -8,
      old: 32,
      new: 24,
      reason: 'at most 8 a turn',
    },
    { path: 'world.sea', verdict: 'applied', old: 4, new: 6 },
    { path: 'world.night', verdict: 'refused', reason: "counter can't decrease" },
    { path: 'flags.door_barred', verdict: 'applied', old: false, new: true },
    { path: 'milestones.signal_sent', verdict: 'applied' },
    {
      path: 'player.coat',
      verdict: 'limited',
      new: 'a soaked oilskin with th',
      reason: 'at most 24 characters',
    },
    { path: 'npc.ottoline.faith', verdict: 'applied', new: 11 },
    { path: 'player.stamina', verdict: 'refused', reason: 'unknown stat' },
  ])
  expect(first?.action.text).toBe('The sea rises.')
  expect(first?.action.world_changes.slice(0, 3)).toMatchObject([
    { kind: 'stat', label: 'warmth', delta: -8, value: 24, clamped: true },
    { kind: 'stat', label: 'sea', delta: 2, value: 6, clamped: false },
    { kind: 'rejected', label: 'night', reason: 'a counter only goes up' },
  ])
  expect(first?.world_state.state).toEqual(await world(id))
  expect(await world(id)).toMatchObject({ milestones: { signal_sent: { reached: true, at: 2 } } })

  // The prompt of the next turn: the prose alone, and the numbers.
  endpoint.next(sayAndRecord('The sea rises.', { 'world.sea': 3, 'flags.door_barred': false }))
  await playTurn(server, id, { type: 'continue' })
  const messages = endpoint.requests.at(-1)?.body?.messages ?? []
  expect(messages.findLast(({ role }) => role === 'assistant')?.content).toBe('The sea rises.')
  expect(messages.at(-1)?.content).toContain('sea 6/12 (choppy)')
  // Cooldown: the sea moved at 2 and this is 3. A flag goes both ways.
  expect((await newest(id)).world_changes).toMatchObject([
    { kind: 'rejected', label: 'sea', reason: 'it changed recently and is on cooldown' },
    { kind: 'flag', label: 'door_barred', on: false },
  ])

  // A retry is the same turn: the clock stands still, however many there are.
  for (let i = 0; i < 2; i++)
    expect(said(await retry(id, { 'world.sea': 3, 'milestones.survivors_ashore': true }))).toEqual([
      ['world.sea', 'refused', 'cooldown'],
      ['milestones.survivors_ashore', 'applied', true],
    ])
  expect((await world(id)).milestones.survivors_ashore).toEqual({ reached: true, at: 3 })

  await turn(id, {})
  // At 7 the sea may move, and a retry does not let its clock tick.
  expect(said(await turn(id, { 'world.sea': 1 }))).toEqual([['world.sea', 'applied', 1]])
  expect(said(await retry(id, { 'world.sea': 3 }))).toEqual([['world.sea', 'applied', 3]])
  expect((await world(id)).world.sea).toBe(9)
  // Switch there and back.
  const { id: last } = await newest(id)
  const variant = (index: number) => server.post(`/api/adventures/${id}/actions/${last}/variant`, { index })
  expect((await variant(0)).body.world_changes).toMatchObject([{ label: 'sea', delta: 1, value: 7 }])
  expect((await world(id)).world.sea).toBe(7)
  await variant(1)
  expect((await world(id)).world.sea).toBe(9)
  // A failed retry leaves everything.
  endpoint.next(status(500))
  await retryTurn(server, id)
  endpoint.next(onlyThink('Hm.'))
  await retryTurn(server, id)
  expect([(await world(id)).world.sea, (await newest(id)).variant_count]).toEqual([9, 2])
  // A manual change belongs to its variant.
  expect(
    (await set(id, { 'world.sea': 99, 'world.night': 4, 'npc.kraken.mood': 1 })).body.report,
  ).toMatchObject({
    applied: [
      { path: 'world.sea', old: 9, new: 12 },
      { path: 'world.night', old: 1, new: 4 },
    ],
    rejected: [{ path: 'npc.kraken.mood', reason: 'unknown npc' }],
  })
  await variant(0)
  expect((await world(id)).world).toEqual({ night: 1, sea: 7 })
  await variant(1)
  expect((await world(id)).world).toEqual({ night: 4, sea: 12 })
  expect(said(await retry(id, { 'world.sea': -1 }))).toEqual([['world.sea', 'applied', -1]])
  expect((await world(id)).world).toEqual({ night: 1, sea: 5 })
  await variant(1)
  // An edit moves nothing.
  await server.send('PATCH', `/api/adventures/${id}/actions/${last}`, { text: 'The sea is calm.' })
  expect((await world(id)).world).toEqual({ night: 4, sea: 12 })
  expect(await audit(id)).toMatchObject({ ok: true, turns: 4, attempts: 8, judged_again: 8, findings: [] })
  // Undo, over the milestone, to the beginning.
  for (let i = 0; i < 4; i++) await server.post(`/api/adventures/${id}/undo`)
  const { state: fresh } = (await server.get(`/api/adventures/${await begin()}/world-state`)).body
  expect(await world(id)).toEqual(fresh)
  expect((await audit(id)).ok).toBe(true)
})

describe('clamped at both ends', () => {
  test('and back again', async () => {
    const id = await begin()
    await set(id, { 'player.warmth': 3, 'npc.ottoline.faith': 48 })
    const done = await turn(id, { 'player.warmth': -5, 'npc.ottoline.faith': 9 })
    expect(said(done)).toEqual([
      ['player.warmth', 'limited', '0 is the least'],
      ['npc.ottoline.faith', 'limited', '50 is the most'],
    ])
    expect((await audit(id)).ok).toBe(true)
  })
})

describe('a state block, which nobody asked for', () => {
  test('is never shown, however it is split, and changes nothing', async () => {
    const id = await begin()
    const told = `The sea rises.\n\n${BLOCK}\n\nThe lamp goes on.`
    for (const pieces of [1, 7, told.length]) {
      endpoint.next(say(told, { pieces }))
      const events = await playTurn(server, id, { type: 'continue' })
      expect(streamedText(events)).toBe('The sea rises.\n\nThe lamp goes on.')
      expect(events.find(ofType('done'))?.action.text).toBe('The sea rises.\n\nThe lamp goes on.')
    }
    expect((await world(id)).player.warmth).toBe(32)
  })
  test('alone, twice, is no reply, and changes nothing', async () => {
    const id = await begin()
    endpoint.next(say(BLOCK), say(BLOCK))
    expect((await playTurn(server, id, { type: 'do', text: 'wait' })).at(-1)).toMatchObject({
      type: 'error',
      code: 'state_only_reply',
      retryable: true,
    })
    expect((await world(id)).player.warmth).toBe(32)
  })
  test('stays in the text of a story without stats', async () => {
    const { body } = await server.post('/api/adventures', { title: 'Plain' })
    endpoint.next(say(`The sea rises.\n\n${BLOCK}`))
    const done = (await playTurn(server, body.id)).find(ofType('done'))
    expect(done?.action.text).toContain('state_delta')
    expect(done?.action.world_changes).toEqual([])
    expect((await set(body.id, { 'player.warmth': 3 })).body).toMatchObject({ code: 'no_world_state' })
    expect((await set(body.id, {})).status).toBe(400)
  })
  test('that the player stops halfway is discarded', async () => {
    const id = await begin()
    endpoint.next(fallSilent(`The sea rises.\n\n${F}state_delta\n{"player.warmth": -5, "play`))
    const turn = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'do', text: 'wait' })
    await turn.until(ofType('chunk'))
    await server.post(`/api/adventures/${id}/stop`)
    const events = await turn.rest()
    expect(events.find(ofType('done'))?.action).toMatchObject({ text: 'The sea rises.', cut: 'stopped' })
  })
})

describe('a manual change', () => {
  test('is refused while a turn runs', async () => {
    const id = await begin()
    endpoint.next(fallSilent('The sea'))
    const turn = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'do', text: 'wait' })
    await turn.until(ofType('chunk'))
    expect((await set(id, { 'player.warmth': 3 })).body).toMatchObject({ code: 'turn_in_progress' })
    await server.post(`/api/adventures/${id}/stop`)
    await turn.rest()
  })
  test('before the first turn or on a waiting line is saved, undone with its turn, and audited', async () => {
    const id = await begin()
    await set(id, { 'player.warmth': 20 })
    endpoint.next(status(500))
    await playTurn(server, id, { type: 'do', text: 'wait' })
    await set(id, { 'player.lamp_oil': 3 })
    await retry(id, { 'player.warmth': -1 })
    expect((await world(id)).player).toMatchObject({ warmth: 19, lamp_oil: 3 })
    expect((await audit(id)).ok).toBe(true)
    await server.post(`/api/adventures/${id}/undo`)
    expect((await world(id)).player).toMatchObject({ warmth: 20, lamp_oil: 18 })
    expect((await audit(id)).ok).toBe(true)
  })
})

describe('the audit', () => {
  const tampered: [what: string, sql: string, finding: RegExp][] = [
    [
      'a live number',
      `UPDATE adventures SET world_state = json_set(world_state, '$.player.warmth', 1) WHERE id = ?`,
      /differs from the end of the story/,
    ],
    [
      'a number before a turn',
      `UPDATE actions SET world_state_before = json_set(world_state_before, '$.player.lamp_oil', 1) WHERE "index" = 4 AND adventure_id = ?`,
      /starts with a different value/,
    ],
    [
      'the result of a variant',
      `UPDATE actions SET variants = json_set(variants, '$[0].world_state.state.player.warmth', 2) WHERE "index" = 2 AND adventure_id = ?`,
      /changed without a record|come out differently/,
    ],
    [
      'a verdict',
      `UPDATE actions SET variants = json_set(variants, '$[0].world_state.report.verdicts[0].new', 2) WHERE "index" = 2 AND adventure_id = ?`,
      /judged differently|without a record/,
    ],
    [
      'a delta',
      `UPDATE actions SET variants = json_set(variants, '$[0].world_state.delta', json('{"player.warmth": -1}')) WHERE "index" = 2 AND adventure_id = ?`,
      /judged differently/,
    ],
    ['a text', `UPDATE actions SET text = 'x' WHERE "index" = 2 AND adventure_id = ?`, /a different text/],
  ]
  for (const [what, sql, finding] of tampered)
    test(`finds ${what} that was tampered with`, async () => {
      const id = await begin()
      await turn(id, { 'player.warmth': -5 })
      await turn(id, { 'player.warmth': -2 })
      expect((await audit(id)).ok).toBe(true)
      {
        using db = new Database(server.path)
        db.run('PRAGMA busy_timeout = 5000')
        db.query(sql).run(id)
      }
      const { ok, findings } = await audit(id)
      expect(ok).toBe(false)
      expect(findings.some((found: { what: string }) => finding.test(found.what))).toBe(true)
    })
})

describe('a schema', () => {
  test('that is invalid is refused with its paths; a valid one comes with warnings', async () => {
    const bad = await server.post('/api/scenarios', { stat_schema: { player: { hp: { min: 'low' } } } })
    expect([bad.status, bad.body]).toMatchObject([
      422,
      { code: 'invalid', errors: [{ path: '/stat_schema/player/hp/min', message: 'must be a number' }] },
    ])
    const good = await server.post('/api/scenarios', {
      stat_schema: { player: { hp: { max: 10, initial: 10 } } },
    })
    expect(good.body.schema_warnings).toContainEqual({
      path: 'player.hp',
      message: expect.stringContaining('no description'),
    })
    const patched = await server.send('PATCH', `/api/scenarios/${good.body.id}`, {
      stat_schema: { npcs: [] },
    })
    expect(patched.body.errors).toEqual([{ path: '/stat_schema/npcs', message: 'must be an object' }])
  })
  test('that is edited or deleted leaves a running story as it is', async () => {
    const own = (await server.post('/api/scenarios', { stat_schema: LANTERN_ROCK })).body.id
    const { body } = await server.post('/api/adventures', { scenario_id: own })
    await server.send('PATCH', `/api/scenarios/${own}`, { stat_schema: { player: { hp: {} } } })
    await server.send('DELETE', `/api/scenarios/${own}`)
    expect(said(await turn(body.id, { 'player.warmth': -5, 'player.hp': 1 }))).toEqual([
      ['player.warmth', 'applied', -5],
      ['player.hp', 'refused', 'unknown stat'],
    ])
  })
})
