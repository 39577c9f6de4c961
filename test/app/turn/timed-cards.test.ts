import { describe, expect, test } from 'bun:test'
import { say, status } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

const SCHEMA = {
  npcs: {
    brisa: {
      name: 'Brisa',
      stats: {
        trust: {
          initial: 10,
          min: 0,
          max: 100,
          bands: [
            [0, 50, 'wary'],
            [50, 100, 'close'],
          ],
        },
      },
    },
  },
  flags: { lamp_lit: { initial: false } },
}

interface Condition {
  kind: string
  of: string
  is: string
  value: unknown
}

const TRUSTED: Condition = { kind: 'stat', of: 'npc.brisa.trust', is: 'at least', value: 20 }
const EARLY: Condition = { kind: 'turn', of: '', is: 'at most', value: 2 }

async function begin(...cards: Record<string, unknown>[]): Promise<number> {
  const scenario = (await server.post('/api/scenarios', { title: 'Timed', stat_schema: SCHEMA })).body.id
  for (const card of cards) {
    const made = await server.post('/api/story-cards', { scenario_id: scenario, ...card })
    expect(made.status).toBe(201)
  }
  return (await server.post('/api/adventures', { scenario_id: scenario })).body.id
}

const card = (name: string, timing: unknown, keys = '') => ({ name, keys, entry: `About ${name}.`, timing })
const only = (...when: Condition[]) => ({ when, how: {} })
const how = (rules: Record<string, unknown>, keys = '*') => [{ when: [], how: rules }, keys] as const

const path = (id: number, rest = '') => `/api/adventures/${id}${rest}`
const lastSent = () => endpoint.requests.at(-1)?.body?.messages?.at(-1)?.content ?? ''
const setTrust = (id: number, value: number) =>
  server.send('PUT', path(id, '/world-state'), { 'npc.brisa.trust': value })

async function tell(id: number, text = 'Time goes by.', line = 'wait'): Promise<string> {
  endpoint.next(say(text))
  await playTurn(server, id, { type: 'do', text: line })
  return lastSent()
}

async function toldOf(id: number): Promise<[string, string, string[] | undefined][]> {
  const { body } = await server.get(path(id, '/context'))
  return body.cards.map(({ name, reason, why }: { name: string; reason: string; why?: string[] }) => [
    name,
    reason,
    why,
  ])
}

describe('a card with conditions', () => {
  test('is included when all of them hold, without any trigger, and Insights says why', async () => {
    const id = await begin(card('The gift', only(TRUSTED)))
    expect(await toldOf(id)).toEqual([['The gift', 'not due', ['Trust of Brisa is 10, not at least 20']]])
    expect(await tell(id)).not.toContain('About The gift.')
    expect((await setTrust(id, 22)).status).toBe(200)
    expect(await toldOf(id)).toEqual([['The gift', 'shown', ['Trust of Brisa is 22, at least 20']]])
    expect(await tell(id)).toContain('About The gift.')
  })

  test('and triggers needs both', async () => {
    const id = await begin(card('The bell', only(EARLY), 'bell'))
    expect(await tell(id)).not.toContain('About The bell.')
    expect(await tell(id, 'It rings.', 'ring the bell')).toContain('About The bell.')
    const late = await begin(card('The bell', only(EARLY), 'bell'))
    await tell(late)
    await tell(late)
    expect(await tell(late, 'It rings.', 'ring the bell')).not.toContain('About The bell.')
  })

  test('knows who is present: whoever the newest six actions mention', async () => {
    const there: Condition = { kind: 'present', of: 'npc.brisa', is: 'is', value: true }
    const id = await begin(card('Her gift', only(there)), card('Alone', only({ ...there, value: false })))
    expect(await tell(id)).toContain('About Alone.')
    const sent = await tell(id, 'She nods.', 'wave to Brisa')
    expect(sent).toContain('About Her gift.')
    expect(sent).not.toContain('About Alone.')
    for (let turn = 0; turn < 3; turn++) await tell(id)
    expect(await toldOf(id)).toContainEqual(['Her gift', 'not due', ['Brisa is not present']])
  })

  test('waits for another card', async () => {
    const first: Condition = { kind: 'card', of: 'First', is: 'is', value: true }
    const id = await begin(card('First', null, 'bell'), card('Second', only(first)))
    expect(await tell(id)).not.toContain('About Second.')
    expect(await tell(id, 'It rings.', 'ring the bell')).not.toContain('About Second.')
    expect(await tell(id)).toContain('About Second.')
  })
})

describe('what a timed card did', () => {
  test('is included once, and again only when that turn is undone', async () => {
    const id = await begin(card('The omen', ...how({ once: true })))
    expect(await tell(id)).toContain('About The omen.')
    expect(await toldOf(id)).toEqual([['The omen', 'not due', ['included once already']]])
    await server.post(path(id, '/undo'))
    expect(await toldOf(id)).toEqual([['The omen', 'shown', undefined]])
  })

  test('is the same in a retry, a branch, a copy and a file', async () => {
    const id = await begin(card('The omen', ...how({ once: true })))
    await tell(id)
    endpoint.next(say('Otherwise.'))
    await retryTurn(server, id)
    expect(lastSent()).toContain('About The omen.')
    const gone = [['The omen', 'not due', ['included once already']]]
    expect(await toldOf(id)).toEqual(gone as never)
    const newest = (await server.get(path(id))).body.actions.at(-1)
    const branch = await server.post(path(id, '/family'), { action_id: newest.id })
    expect(await toldOf(branch.body.id)).toEqual(gone as never)
    const exported = (await server.get(path(id, '/export'))).body
    const { body: copied } = await server.post('/api/import?apply=1', exported)
    expect(await toldOf(copied.adventure_ids[0])).toEqual(gone as never)
  })

  test('is rolled once for a turn, survives a failed turn and an undo, and is the same in a retry', async () => {
    for (let tries = 0; tries < 8; tries++) {
      const id = await begin(card('The storm', ...how({ chance: 50 })))
      endpoint.next(status(500))
      await playTurn(server, id, { type: 'do', text: 'wait' })
      const before = await toldOf(id)
      expect(before[0]?.[2]?.[0]).toMatch(/^rolled \d+ for a chance of 50%$/)
      endpoint.next(say('It goes on.'))
      await retryTurn(server, id)
      expect(lastSent().includes('About The storm.')).toBe(before[0]?.[1] === 'shown')
      const first = lastSent()
      endpoint.next(say('It goes on otherwise.'))
      await retryTurn(server, id)
      expect(lastSent()).toBe(first)
      await server.post(path(id, '/undo'))
      expect(await toldOf(id)).toEqual(before)
    }
  })
})
