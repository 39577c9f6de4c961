import { afterAll, describe, expect, test } from 'bun:test'
import type { Verdict } from '../../../src/domain/world/referee.ts'
import { recorded, say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { ofType, playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const server = await startServer()
const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'm' })
const { body: scenario } = await server.post('/api/scenarios', { title: 'Rock', stat_schema: LANTERN_ROCK })

const F = '```'
const block = (body: string) => `${F}state_delta\n${body}\n${F}`

/** An answer of the recorder with this change. */
const changing = (path: string, value: string, name = 'by') =>
  `{"edits": [{"because": "The sea.", "changes": [{"path": ${JSON.stringify(path)}, "${name}": ${value}}, {"path": "world.sea", "by": 1}]}]}`

/** The result of a reply in a new story: the prose, the changed stats and the verdicts. */
async function resultOf(reply: string, answer = '{"edits": []}') {
  const { body: story } = await server.post('/api/adventures', { scenario_id: scenario.id })
  const path = `/api/adventures/${story.id}`
  const before = (await server.get(`${path}/world-state`)).body.state
  endpoint.next(recorded(say(reply, { pieces: 7 }), say(answer)))
  const events = await playTurn(server, story.id, { type: 'do', text: 'wait' })
  const [done] = events.filter(ofType('done'))
  const { state } = (await server.get(`${path}/world-state`)).body
  expect((await server.get(`${path}/audit`)).body.findings).toEqual([])
  return {
    prose: done?.action.text ?? '',
    moved: movedIn(before, state),
    verdicts: done?.verdicts ?? [],
    state,
  }
}

/** The paths with changed values, without the records of when they changed. */
function movedIn(before: object, after: object): Record<string, unknown> {
  const [old, now] = [valuesIn(before), valuesIn(after)]
  const paths = new Set(
    [...Object.keys(old), ...Object.keys(now)].filter((path) => !path.startsWith('_meta')),
  )
  return Object.fromEntries(
    [...paths].filter((path) => old[path] !== now[path]).map((path) => [path, now[path]]),
  )
}

function valuesIn(value: unknown, path = ''): Record<string, unknown> {
  if (value === null || typeof value !== 'object') return { [path]: value }
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, one]) => valuesIn(one, path === '' ? key : `${path}.${key}`)),
  )
}

describe('68 a reply with a block that nobody asked for keeps all of its prose and changes nothing', () => {
  const prose = 'The sea rises.'
  const cases: [what: string, reply: string, shown: string][] = [
    ['cut in the middle', `${prose}\n\n${F}state_delta\n{"player.warmth": -1, "world.sea": 2, "pla`, prose],
    ['cut in a number', `${prose}\n\n${F}state_delta\n{"world.sea": 1, "player.warmth": -1`, prose],
    ['at the start', `${block('{"player.warmth": -1}')}\n\n${prose}`, prose],
    ['in the middle', `The sea.\n\n${block('{"player.warmth": -1}')}\n\nIt rises.`, 'The sea.\n\nIt rises.'],
    [
      'twice the same',
      `${prose}\n\n${block('{"player.warmth": -1}')}\n\n${block('{"player.warmth": -1}')}`,
      prose,
    ],
    [
      'inside the quotation marks of a character',
      `She says "put ${F} on it, {and} wait".`,
      `She says "put ${F} on it, {and} wait".`,
    ],
    [
      'of a program that is part of the story',
      `The screen says:\n\n${F}js\nlet x = {"a": 1}\n${F}\n\n${prose}`,
      `The screen says:\n\n${F}js\nlet x = {"a": 1}\n${F}\n\n${prose}`,
    ],
    ['of 400 kilobytes', `${prose}\n\n${block(`{"player.coat": "${'x'.repeat(400_000)}"}`)}`, prose],
    [
      'with names of every object',
      `${prose}\n\n${block('{"__proto__": {"isAdmin": true}, "constructor": 1, "player.__proto__.x": 1, "player.warmth": -1}')}`,
      prose,
    ],
    ['that is correct', `${prose}\n\n${block('{"player.warmth": -1}')}`, prose],
  ]
  for (const [what, reply, expected] of cases)
    test(`68 ${what}`, async () => {
      const result = await resultOf(reply)
      expect([result.prose.trim(), result.moved]).toEqual([expected, {}])
      expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined()
    })
})

test('68 a block of 5 MB is over the limit of a reply: the turn fails, and nothing changes', async () => {
  const { body: story } = await server.post('/api/adventures', { scenario_id: scenario.id })
  const path = `/api/adventures/${story.id}`
  const before = (await server.get(`${path}/world-state`)).body
  endpoint.next(say(`The sea.\n\n${block(`{"player.coat": "${'x'.repeat(5_000_000)}"}`)}`))
  expect((await playTurn(server, story.id)).at(-1)).toMatchObject({ type: 'error', code: 'provider_error' })
  expect((await server.get(`${path}/world-state`)).body).toEqual(before)
  expect((await playTurn(server, story.id)).at(-1)).toMatchObject({ type: 'done' })
})

const only = (path: string, verdict: Verdict['verdict']) => ({ path, verdict })

describe('69 a change that is not a number', () => {
  const cases: [written: string, value: number, verdict: Verdict['verdict']][] = [
    ['1e308', 40, 'limited'],
    ['-1e308', 24, 'limited'],
    ['1e999', 32, 'refused'],
    ['-1e999', 32, 'refused'],
    ['Infinity', 32, 'refused'],
    ['NaN', 32, 'refused'],
    ['"-15"', 24, 'limited'],
    ['"-5"', 27, 'applied'],
    ['"5 apples"', 32, 'refused'],
    ['true', 32, 'refused'],
    ['null', 32, 'refused'],
    ['[1]', 32, 'refused'],
    ['{"$ne": 1}', 32, 'refused'],
    ['{"valueOf": 1}', 32, 'refused'],
    [`${'9'.repeat(400)}`, 32, 'refused'],
    ['-0', 32, 'applied'],
    ['-3', 29, 'applied'],
  ]
  for (const [written, value, verdict] of cases)
    test(`69 ${written.slice(0, 30)}: ${verdict}`, async () => {
      const { state, verdicts } = await resultOf('The sea.', changing('player.warmth', written))
      expect(state.player.warmth).toBe(value)
      expect(
        verdicts.filter((one) => one.path.startsWith('player.warmth')).map((one) => one.verdict),
      ).toEqual(written === '-0' ? [] : [verdict])
    })
})

describe('70 a change of something unknown is refused with its reason, without stopping others', () => {
  const cases: [path: string, asked: unknown, reason: RegExp][] = [
    ['player.stamina', 5, /unknown stat/],
    ['npc.kraken.mood', 1, /unknown npc/],
    ['npc.gull.faith', 1, /unknown npc stat/],
    ['npc.ottoline.warmth', 1, /unknown npc stat/],
    ['_meta.last_changed', 1, /unknown/],
    ['_meta', { last_changed: { 'player.warmth': 99 } }, /no change given/],
    ['flags.door_barred', 1, /not a boolean/],
    ['flags.door_barred', 'perhaps', /not a boolean/],
    ['flags.fog', true, /unknown flag/],
    ['milestones.signal_sent', false, /not true/],
    ['milestones.sunrise', true, /unknown milestone/],
    ['world.night', -1, /counter/],
    ['scenario.title', 'x', /unknown path/],
    ['..', 1, /unknown/],
    ['world.sea; DROP TABLE actions', 1, /unknown/],
  ]
  for (const [path, change, reason] of cases)
    test(`70 ${path} ${JSON.stringify(change)}`, async () => {
      const name = typeof change === 'number' && path !== 'flags.door_barred' ? 'by' : 'to'
      const answer = changing(path, JSON.stringify(change), name)
      const { moved, verdicts } = await resultOf('The sea.', answer)
      expect(moved).toEqual({ 'world.sea': 5 })
      const refused = verdicts.filter((one) => one.verdict === 'refused')
      expect(refused.map((one) => one.reason).join()).toMatch(reason)
      expect(verdicts).toContainEqual(expect.objectContaining(only('world.sea', 'applied')))
    })
})
