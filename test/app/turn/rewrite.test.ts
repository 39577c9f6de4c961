import { describe, expect, test } from 'bun:test'
import { REWRITE_TASK } from '../../../src/domain/model/rewrite.ts'
import {
  breakOff,
  gate,
  say,
  sayAndRecord,
  sayAround,
  sayNothing,
  status,
} from '../../support/endpoint/endpoint.ts'
import { playTurn, startTurn, streamedText, type WireEvent } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()
const { body: scenario } = await server.post('/api/scenarios', {
  title: 'Gates',
  stat_schema: { flags: { gate_open: { initial: false } } },
})

const STORY = 'You wait.  The rain *falls*.\n\n“Locked,” says Brisa. You try the gate.\tIt holds. '
const STOPPED = 'Rewriting was stopped. The passage has not changed.'

const path = (id: number, rest = '') => `/api/adventures/${id}${rest}`
const story = async (id: number) => (await server.get(path(id))).body
const newest = async (id: number) => (await story(id)).actions.at(-1)
const sent = () => endpoint.requests.at(-1)?.body?.messages ?? []
const lastSent = () => sent().at(-1)?.content ?? ''

async function begin(
  text: string = STORY,
  more: object = {},
  changes: Record<string, unknown> = {},
): Promise<number> {
  const { id } = (await server.post('/api/adventures', { title: 'Rewritten', ...more })).body
  endpoint.next(sayAndRecord(text, changes))
  await playTurn(server, id, { type: 'do', text: 'wait' })
  return id
}

const begun = (id: number, parts: string[], how = 'Colder.') =>
  startTurn(server, path(id, '/rewrite'), { parts, how })
const rewrite = async (...asked: Parameters<typeof begun>): Promise<WireEvent[]> =>
  (await begun(...asked)).rest()

const variants = async (id: number) =>
  (await server.get(path(id, `/actions/${(await newest(id)).id}/variants`))).body

describe('a passage that is rewritten in part', () => {
  test('is a new version, in which all else stands as it was', async () => {
    const id = await begin()
    endpoint.next(say('  Snow falls.\n'), say('You push.'))
    const events = await rewrite(id, ['You try the gate.', 'The rain *falls*.'])
    const expected = 'You wait.  Snow falls.\n\n“Locked,” says Brisa. You push.\tIt holds.'
    expect((await newest(id)).text).toBe(expected)
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      action: { text: expected, variant_index: 1, variant_count: 2 },
    })
    expect(streamedText(events)).toContain('You wait.  ')
    expect(streamedText(events)).toEndWith('\tIt holds.')
    const told = (await variants(id)).map(({ text, rewritten }: Record<string, unknown>) => [text, rewritten])
    expect(told).toEqual([
      [STORY.trim(), null],
      [expected, 'Colder.'],
    ])
  })

  test('is asked for behind the story, which the server still has in its cache', async () => {
    const id = await begin()
    const before = sent()
    endpoint.next(say('Snow falls.'))
    await rewrite(id, ['The rain *falls*.'], 'Colder.\nAnd white.')
    expect(sent().slice(0, before.length)).toEqual(before)
    expect(sent()).toHaveLength(before.length + 2)
    expect(sent().at(-2)?.content).toStartWith('You wait.  The rain')
    expect(lastSent()).toStartWith(REWRITE_TASK)
    expect(lastSent()).toContain('Colder.\nAnd white.')
    endpoint.next(say('On.'))
    await playTurn(server, id, { type: 'do', text: 'go' })
    expect(JSON.stringify(sent())).not.toContain(REWRITE_TASK.slice(1, 20))
    expect(JSON.stringify(sent())).toContain('Snow falls.')
    expect(JSON.stringify(sent())).not.toContain('*falls*')
  })

  test('keeps its stat changes and its note, and the prompt tells them with the new text', async () => {
    const id = await begin(STORY, { scenario_id: scenario.id }, { 'flags.gate_open': true })
    const { world_changes } = await newest(id)
    expect(world_changes).not.toBeEmpty()
    endpoint.next(say('Snow falls.'))
    await rewrite(id, ['The rain *falls*.'])
    const rewritten = await newest(id)
    expect(rewritten.world_changes).toEqual(world_changes)
    expect((await server.get(path(id, '/world-state'))).body.state.flags.gate_open).toBe(true)
    expect((await server.get(path(id, '/audit'))).body).toMatchObject({ ok: true, findings: [] })
    endpoint.next(say('On.'))
    await playTurn(server, id, { type: 'do', text: 'go' })
    const reply = sent().at(-2)?.content ?? ''
    expect(reply).toStartWith('You wait.  Snow falls.')
  })

  test('is asked for a second time where the first answer has no new words', async () => {
    const id = await begin()
    endpoint.next(say('The rain *falls*.'), say('{"text": "Snow falls."}'))
    await rewrite(id, ['The rain *falls*.'])
    expect((await newest(id)).text).toContain('You wait.  Snow falls.')
    expect(endpoint.requests.at(-2)?.body?.messages?.at(-1)?.content).not.toBe(lastSent())
  })

  test('is played on from either version', async () => {
    const id = await begin()
    endpoint.next(say('Snow falls.'))
    await rewrite(id, ['The rain *falls*.'])
    const { id: action } = await newest(id)
    await server.post(path(id, `/actions/${action}/variant`), { index: 0 })
    expect((await newest(id)).text).toBe(STORY.trim())
    endpoint.next(say('It hails.'))
    await rewrite(id, ['The rain *falls*.'])
    expect(await variants(id)).toHaveLength(3)
  })

  test('travels with its story', async () => {
    const id = await begin()
    endpoint.next(say('Snow falls.'))
    await rewrite(id, ['The rain *falls*.'])
    const file = (await server.get(path(id, '/export?format=json'))).body
    const { adventure_ids } = (await server.post('/api/import?apply=1', file)).body
    expect(
      (await variants(adventure_ids[0])).map(({ rewritten }: { rewritten: string }) => rewritten),
    ).toEqual([null, 'Colder.'])
  })
})

describe('nothing changes', () => {
  const part = ['The rain *falls*.']

  test('when the player stops it, or leaves', async () => {
    const id = await begin()
    const before = await story(id)
    for (const end of ['stop', 'leave']) {
      const door = gate()
      endpoint.next(sayAround('Snow', door, ' falls.'))
      const turn = await begun(id, part)
      await turn.until((event) => event.type === 'status' && event.phase === 'writing')
      if (end === 'stop') {
        await server.post(path(id, '/stop'))
        expect((await turn.rest()).at(-1)).toMatchObject({
          type: 'error',
          code: 'disconnected',
          detail: STOPPED,
        })
      } else turn.disconnect()
      await server.deps.locks.freed(id)
      door.open()
      expect(await story(id)).toEqual(before)
    }
  })

  test('while another turn runs', async () => {
    const id = await begin()
    const door = gate()
    endpoint.next(sayAround('Snow', door, ' falls.'))
    const turn = await begun(id, part)
    await turn.until((event) => event.type === 'status' && event.phase === 'writing')
    expect((await begun(id, part)).status).toBe(409)
    door.open()
    expect((await turn.rest()).at(-1)).toMatchObject({ type: 'done' })
  })

  const refusals: [name: string, body: object, status: number, code: string][] = [
    ['for a part that is not there', { parts: ['The sun shines.'], how: 'x' }, 422, 'invalid'],
    ['for a part that stands there twice', { parts: ['You '], how: 'x' }, 422, 'invalid'],
    ['for parts that overlap', { parts: ['The rain', 'rain *falls*.'], how: 'x' }, 422, 'invalid'],
    ['without a part', { parts: [], how: 'x' }, 422, 'invalid'],
    ['without a wish', { parts: ['The rain'], how: ' ' }, 422, 'invalid'],
  ]
  for (const [name, body, status, code] of refusals)
    test(name, async () => {
      const id = await begin()
      const refused = await server.post(path(id, '/rewrite'), body)
      expect([refused.status, refused.body.code]).toEqual([status, code])
      expect(await newest(id)).toMatchObject({ variant_count: 1 })
    })

  test('in an opening, or where a line waits for its reply', async () => {
    const { id } = (await server.post('/api/adventures', { title: 'Opened' })).body
    const refused = async () =>
      (await server.post(path(id, '/rewrite'), { parts: ['wait'], how: 'x' })).body.code
    expect(await refused()).toBe('not_last')
    endpoint.next(status(500))
    await playTurn(server, id, { type: 'do', text: 'wait' })
    expect(await refused()).toBe('not_last')
  })

  const failures: [name: string, step: Parameters<typeof endpoint.next>, code: string, says?: string][] = [
    ['when the model fails', [status(500)], 'provider_error'],
    ['when the model says nothing twice', [sayNothing(), sayNothing()], 'empty_reply'],
    ['when the answer breaks off', [breakOff('Snow fa')], 'provider_error'],
    [
      'when it reaches its length limit in the first sentence twice',
      [say('Snow fa', { finish: 'length' }), say('Snow f', { finish: 'length' })],
      'empty_reply',
    ],
    ['when only the second part fails', [say('Snow falls.'), status(500)], 'provider_error'],
    [
      'when the part comes back as it was',
      [say('The rain *falls*.'), say('{"text": "The rain *falls*."}')],
      'empty_reply',
      'did not change',
    ],
    [
      'when only what stays is repeated',
      [say('You wait at the gate of the tower.  '), say('“Locked,” says Brisa, and means it.')],
      'empty_reply',
      'did not change',
    ],
  ]
  for (const [name, steps, code, says = ''] of failures)
    test(name, async () => {
      const id = await begin(
        'You wait at the gate of the tower.  The rain *falls*.\n\n“Locked,” says Brisa, and means it. You go.',
      )
      const before = await story(id)
      endpoint.next(...steps)
      const events = await rewrite(id, ['The rain *falls*.', 'You go.'])
      expect(events.at(-1)).toMatchObject({ type: 'error', code, detail: expect.stringContaining(says) })
      expect(await story(id)).toEqual(before)
    })
})
