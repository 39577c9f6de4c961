import { afterAll, describe, expect, test } from 'bun:test'
import {
  breakOff,
  failInStream,
  gate,
  type Step,
  say,
  sayAndRecord,
  sayAround,
  startEndpoint,
  status,
} from '../../support/endpoint/endpoint.ts'
import { ofType, playTurn, retryTurn, startTurn, type WireEvent } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer({ narrator: { msPerSecond: 20, connectTimeout: 500 } })
await server.send('PUT', '/api/settings', {
  endpoint_url: endpoint.url,
  model: 'test-model',
  read_timeout_seconds: 3_600,
})

const CHECK = {
  dice: '1d20',
  stat: 'player.cunning',
  difficulties: [
    { name: 'easy', number: 5 },
    { name: 'hard', number: 15 },
  ],
  player_picks_difficulty: true,
  outcomes: [
    { name: 'it breaks', effects: { 'player.health': -3 } },
    { name: 'it opens', from: 0, effects: { 'flags.open': true, 'player.health': -1 } },
  ],
  reroll: { 'player.luck': -1 },
}
const stat_schema = {
  player: {
    cunning: { initial: 2, min: 0 },
    health: { initial: 30, min: 0, max: 30, max_delta_per_turn: 1, cooldown: 9 },
    luck: { initial: 2, min: 0 },
  },
  flags: { open: { initial: false } },
  checks: { 'Pick the lock': CHECK, Jump: { ...CHECK, reroll: undefined } },
}
const { id: scenario_id } = (await server.post('/api/scenarios', { prompt: 'A door.', stat_schema })).body

const TRY = { type: 'try', text: 'pick the lock', check: 'Pick the lock', difficulty: 'hard' }
const TOLD = say('The pins move.')

const begin = async (): Promise<number> => (await server.post('/api/adventures', { scenario_id })).body.id
const actions = async (id: number) => (await server.get(`/api/adventures/${id}`)).body.actions
const world = async (id: number) => (await server.get(`/api/adventures/${id}/world-state`)).body.state
const audit = async (id: number) => (await server.get(`/api/adventures/${id}/audit`)).body
const reroll = async (id: number) => (await startTurn(server, `/api/adventures/${id}/reroll`)).rest()
const messages = () => endpoint.requests.at(-1)?.body?.messages ?? []
const lastPrompt = (): string => JSON.stringify(endpoint.requests.at(-1)?.body)

async function played(id: number, input: object = TRY, told: Step = TOLD): Promise<WireEvent[]> {
  endpoint.next(told)
  return playTurn(server, id, input)
}

const effectsOf = (roll: { outcome: string }) => (roll.outcome === 'it breaks' ? -3 : -1)

describe('a try', () => {
  test('is a do with its roll, which is in the prompt and whose effects are applied', async () => {
    const id = await begin()
    const events = await played(id)
    const [, line, reply] = await actions(id)
    expect(line).toMatchObject({ type: 'do', text: '> You pick the lock.' })
    const { roll } = line
    expect(roll).toMatchObject({ check: 'Pick the lock', difficulty: 'hard', against: 15, bonus: 2 })
    expect(roll.total).toBe(roll.thrown[0] + 2)
    expect(roll.outcome).toBe(roll.total >= 15 ? 'it opens' : 'it breaks')
    expect(reply.roll).toEqual(roll)
    expect(events.find(ofType('player'))).toMatchObject({ action: { roll } })
    expect(lastPrompt()).toContain(
      `[Dice. Pick the lock (hard): ${roll.thrown[0]} + 2 = ${roll.total} against 15. Outcome: ${roll.outcome}.`,
    )
    // Neither the most per turn nor the cooldown counts for dice.
    expect((await world(id)).player.health).toBe(30 + effectsOf(roll))
    expect(reply.world_changes[0].verdict).toBe('rolled')
    expect(await audit(id)).toMatchObject({ ok: true, findings: [] })
  })

  test('of an author who sets the difficulty, and without words', async () => {
    const id = await begin()
    await played(id, { type: 'try', check: 'Jump' })
    const [, line] = await actions(id)
    expect(line).toMatchObject({
      text: '> You try: Jump.',
      roll: { check: 'Jump', difficulty: 'easy', against: 5 },
    })
  })

  const refused: [string, object][] = [
    ['no check', { type: 'try', text: 'x' }],
    ['a check that is not there', { ...TRY, check: 'Swim' }],
    ['a difficulty that is not there', { ...TRY, difficulty: 'absurd' }],
  ]
  for (const [what, body] of refused)
    test(`is refused: ${what}`, async () => {
      const id = await begin()
      expect((await server.post(`/api/adventures/${id}/actions`, body)).status).toBe(422)
      expect(await actions(id)).toHaveLength(1)
    })

  test('the model adds its own changes after those of the dice', async () => {
    const id = await begin()
    await played(id, TRY, sayAndRecord('The pins move.', { 'player.health': -5, 'player.luck': 1 }))
    const [, { roll }, { world_changes }] = await actions(id)
    expect((await world(id)).player).toEqual({ cunning: 2, health: 30 + effectsOf(roll) - 1, luck: 3 })
    expect(world_changes.map(({ verdict }: { verdict: string }) => verdict).slice(-2)).toEqual([
      'limited',
      'applied',
    ])
    expect(await audit(id)).toMatchObject({ ok: true })
  })

  test('later prompts begin with the prompt of its turn, and its effects are not repeated in the block', async () => {
    const id = await begin()
    await played(id)
    const first = messages()
    await played(id, { type: 'do', text: 'go in' })
    const second = messages()
    expect(second.slice(0, first.length)).toEqual(first)
    expect(second.at(-2)?.content).toBe('The pins move.')
    expect(second.at(-1)?.content).not.toContain('[Dice.')
  })
})

describe('the roll stays', () => {
  test('in a retry', async () => {
    const id = await begin()
    await played(id)
    const before = await actions(id)
    const prompt = lastPrompt()
    for (let i = 0; i < 3; i++) {
      endpoint.next(say(`Again ${i}.`))
      await retryTurn(server, id)
    }
    const [, line, reply] = await actions(id)
    expect([line.roll, reply.roll]).toEqual([before[1].roll, before[1].roll])
    expect(lastPrompt()).toBe(prompt)
    expect((await world(id)).player.health).toBe(30 + effectsOf(line.roll))
    expect(await audit(id)).toMatchObject({ ok: true, attempts: 4 })
  })

  const failures: [string, () => void][] = [
    ['fails', () => endpoint.next(status(500))],
    ['breaks off', () => endpoint.next(failInStream({ message: 'overflow' }, 'Half a tale, and'))],
  ]
  for (const [what, fail] of failures)
    test(`when the turn ${what}`, async () => {
      const id = await begin()
      fail()
      await playTurn(server, id, TRY)
      const [, waiting] = await actions(id)
      expect(waiting.roll.check).toBe('Pick the lock')
      expect((await world(id)).player.health).toBe(30)
      // The same line is the one that waits, and another try is refused.
      await played(id, TRY)
      const [, line, reply, ...more] = await actions(id)
      expect(more).toEqual([])
      expect([line.roll, reply.roll]).toEqual([waiting.roll, waiting.roll])
      expect(await audit(id)).toMatchObject({ ok: true })
    })

  test('while it waits: another try is refused, other words are added', async () => {
    const id = await begin()
    endpoint.next(status(500))
    await playTurn(server, id, TRY)
    const [, { roll }] = await actions(id)
    expect((await server.post(`/api/adventures/${id}/actions`, { ...TRY, text: 'kick it' })).status).toBe(422)
    await played(id, { type: 'say', text: 'Open!' })
    expect((await actions(id)).at(-1).roll).toEqual(roll)
    expect(lastPrompt()).toContain('[Dice.')
    expect(await audit(id)).toMatchObject({ ok: true })
  })

  test('with an interrupted reply, when that is kept', async () => {
    const id = await begin()
    endpoint.next(sayAround('Half a tale, and', gate(), '', { pieces: 1 }))
    const turn = await startTurn(server, `/api/adventures/${id}/actions`, TRY)
    await turn.until(ofType('chunk'))
    turn.disconnect()
    await server.deps.locks.freed(id)
    const kept = (await server.post(`/api/adventures/${id}/interrupted/keep`)).body
    expect(kept.roll).toEqual((await actions(id))[1].roll)
    expect((await world(id)).player.health).toBe(30 + effectsOf(kept.roll))
    expect(await audit(id)).toMatchObject({ ok: true })
  })

  test('with an interrupted reply, before another try', async () => {
    const id = await begin()
    endpoint.next(breakOff('Half a tale, and'))
    await playTurn(server, id, TRY)
    await played(id, { ...TRY, text: 'kick it', keep: true })
    const [, line, kept, next, reply] = await actions(id)
    expect([kept.text, kept.roll]).toEqual(['Half a tale, and', line.roll])
    expect(next).toMatchObject({ text: '> You kick it.', roll: reply.roll })
    expect((await world(id)).player.health).toBe(30 + effectsOf(kept.roll) + effectsOf(reply.roll))
    expect(await audit(id)).toMatchObject({ ok: true })
  })

  test('until an undo, which takes it and its effects along', async () => {
    const id = await begin()
    await played(id)
    await server.post(`/api/adventures/${id}/undo`)
    expect(await actions(id)).toHaveLength(1)
    expect((await world(id)).player.health).toBe(30)
    const seen = new Set<number>()
    for (let i = 0; i < 12; i++) {
      await played(id)
      seen.add((await actions(id))[1].roll.thrown[0])
      await server.post(`/api/adventures/${id}/undo`)
    }
    expect(seen.size).toBeGreaterThan(1)
  })
})

describe('rolling again', () => {
  test('throws again at its price, as often as the player can pay', async () => {
    const id = await begin()
    await played(id)
    const first = (await actions(id))[1].roll
    for (const rerolls of [1, 2]) {
      endpoint.next(say(`Anew ${rerolls}.`))
      await reroll(id)
      const [, line, reply] = await actions(id)
      expect(line.roll).toMatchObject({ rerolls, price: { 'player.luck': -1 }, bonus: first.bonus })
      expect(reply.roll).toEqual(line.roll)
      expect((await world(id)).player).toEqual({
        cunning: 2,
        health: 30 + effectsOf(line.roll),
        luck: 2 - rerolls,
      })
      expect(await audit(id)).toMatchObject({ ok: true })
    }
    expect((await server.post(`/api/adventures/${id}/reroll`)).status).toBe(400)
    // The first version still tells the first throw.
    await server.post(`/api/adventures/${id}/actions/${(await actions(id))[2].id}/variant`, { index: 0 })
    const [, , reply] = await actions(id)
    expect(reply.roll).toEqual(first)
    expect((await world(id)).player.luck).toBe(2)
    expect(await audit(id)).toMatchObject({ ok: true })
  })

  test('is stored before the model is asked', async () => {
    const id = await begin()
    await played(id)
    endpoint.next(status(500))
    await reroll(id)
    const [, line, reply] = await actions(id)
    expect([line.roll.rerolls, reply.roll.rerolls]).toEqual([1, 0])
    endpoint.next(TOLD)
    await retryTurn(server, id)
    expect((await actions(id))[2].roll).toEqual(line.roll)
    expect(await audit(id)).toMatchObject({ ok: true })
  })

  test('is refused where the author does not allow it, and without a roll', async () => {
    const id = await begin()
    expect((await server.post(`/api/adventures/${id}/reroll`)).status).toBe(400)
    await played(id, { ...TRY, check: 'Jump' })
    expect((await server.post(`/api/adventures/${id}/reroll`)).status).toBe(400)
  })
})

describe('a roll travels', () => {
  const operations: [string, (id: number) => Promise<number>][] = [
    ['with a copy', async (id) => (await server.post(`/api/adventures/${id}/copy`)).body.id],
    [
      'with a file',
      async (id) => {
        const file = (await server.get(`/api/adventures/${id}/export?format=json`)).body
        return (await server.post('/api/import?apply=1', file)).body.adventure_ids[0]
      },
    ],
  ]
  for (const [what, travel] of operations)
    test(what, async () => {
      const id = await begin()
      await played(id)
      endpoint.next(say(`Anew.`))
      await reroll(id)
      const other = await travel(id)
      const rolls = async (story: number) => (await actions(story)).map(({ roll }: { roll?: object }) => roll)
      expect(await rolls(other)).toEqual(await rolls(id))
      expect(await audit(other)).toMatchObject({ ok: true, breaks: [] })
      await server.post(`/api/adventures/${other}/actions/${(await actions(other))[2].id}/variant`, {
        index: 0,
      })
      expect((await actions(other))[2].roll.rerolls).toBe(0)
    })
})

test('a story without checks has none to try', async () => {
  const { id } = (await server.post('/api/adventures', { title: 'Plain' })).body
  const answer = await server.post(`/api/adventures/${id}/actions`, { type: 'try' })
  expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
    404,
    'not_found',
    'This story has no checks.',
  ])
})
