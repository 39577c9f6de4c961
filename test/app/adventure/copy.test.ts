import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { findTurnNotes } from '../../../src/db/tables/actions/prompt-story.ts'
import { getWorld } from '../../../src/db/tables/adventures.ts'
import { leaveEarlierLibrary, WORLD } from '../../support/earlier/release.ts'
import { say, sayAndRecord } from '../../support/endpoint/endpoint.ts'
import { dumpOf } from '../../support/library/dump.ts'
import { ofType, playTurn, retryTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const { endpoint, server } = await startWithModel({ idleDelay: 0 }, {})

let told = 0
/** Replies to turns with numbered passages that cost warmth, and to memory requests with numbered notes. */
endpoint.byDefault((exchange) => {
  const last = exchange.request.body?.messages?.at(-1)?.content ?? ''
  told++
  if (last.includes('bring its summary up to date')) return say(`Summary ${told}.`)(exchange)
  if (last.includes('[Leave the story for a moment')) return say(`Note ${told} of a lamp.`)(exchange)
  return sayAndRecord(`Passage ${told} of a lamp.`, { 'player.warmth': -1 })(exchange)
})

const { body: scenario } = await server.post('/api/scenarios', {
  title: 'Lantern Rock',
  memory: '${Hero} keeps a lamp.',
  stat_schema: LANTERN_ROCK,
})
await server.post('/api/story-cards', {
  scenario_id: scenario.id,
  name: 'Lamp',
  keys: 'lamp',
  entry: 'It burns.',
})

const reader = server.deps.library.reader
const read = async (id: number) => (await server.get(`/api/adventures/${id}`)).body
const world = async (id: number) => (await server.get(`/api/adventures/${id}/world-state`)).body.state
const audit = async (id: number) => (await server.get(`/api/adventures/${id}/audit`)).body
const copyOf = async (id: number, up_to: number | null) =>
  (await server.post(`/api/adventures/${id}/copy`, { up_to })).body.id as number

/** A story of so many turns with variants, memories and summaries, and the world state after each action, by id. */
async function longStory(turns: number) {
  const id = (
    await server.post('/api/adventures', { scenario_id: scenario.id, placeholders: { Hero: 'Mira' } })
  ).body.id as number
  const worlds = new Map<number, unknown>()
  const note = async () => worlds.set((await read(id)).actions.at(-1).id, await world(id))
  await note()
  for (let turn = 0; turn < turns; turn++) {
    const events = await playTurn(server, id, { type: 'do', text: `step ${turn}` })
    const line = events.find(ofType('player'))
    if (line) worlds.set(line.action.id, [...worlds.values()].at(-1))
    if (turn % 4 === 1) await retryTurn(server, id)
    if (turn % 4 === 2)
      await server.send('PUT', `/api/adventures/${id}/world-state`, { 'player.lamp_oil': turn })
    await note()
    await server.deps.idle.ended()
  }
  return { id, worlds }
}

const long = await longStory(10)

// As if the newest passage had been written with two memories in its prompt.
const remembered = reader.all<{ id: number }>(
  'SELECT id FROM memories WHERE adventure_id = ? ORDER BY id',
  long.id,
)
server.deps.library.write((tx) =>
  tx.run(
    `UPDATE actions SET prompt_notes = json_set(prompt_notes, '$.memories', json(?)) WHERE id = ?`,
    JSON.stringify(remembered.slice(0, 2).map(({ id }) => [id, 'mark'])),
    [...long.worlds.keys()].at(-1) ?? 0,
  ),
)

describe('a copy of a whole story', () => {
  test('equals the original except for its title, and does not change it', async () => {
    const before = dumpOf(reader, long.id)
    expect(before.memories?.length).toBeGreaterThan(1)
    expect(before.summaries?.length).toBeGreaterThan(0)
    const { status, body } = await server.post(`/api/adventures/${long.id}/copy`)
    expect([status, body.title, body.scenario_id]).toEqual([201, 'Lantern Rock (copy)', scenario.id])
    expect(dumpOf(reader, body.id)).toEqual(before)
    expect(dumpOf(reader, long.id)).toEqual(before)
    expect(await audit(body.id)).toMatchObject({ ok: true, breaks: [] })
    // A passage that used a memory uses the copy's own memory now, and can be undone there.
    const own = reader.all<{ id: number }>(
      'SELECT id FROM memories WHERE adventure_id = ? ORDER BY id',
      body.id,
    )
    expect(findTurnNotes(reader, body.id, body.actions.at(-1).id)?.memories).toEqual(
      own.slice(0, 2).map(({ id }) => [id, 'mark']),
    )
  })

  test('continues independently', async () => {
    const copy = await copyOf(long.id, null)
    const before = dumpOf(reader, long.id)
    await playTurn(server, copy, { type: 'do', text: 'go on' })
    await server.deps.idle.ended()
    await server.post(`/api/adventures/${copy}/undo`)
    await server.post(`/api/adventures/${copy}/undo`)
    await server.send('DELETE', `/api/adventures/${copy}`)
    expect(dumpOf(reader, long.id)).toEqual(before)
  })

  test('has a title that tells it from others', async () => {
    const { id } = (await server.post('/api/adventures', { title: '🦊'.repeat(200) })).body
    const { body } = await server.post(`/api/adventures/${id}/copy`, {})
    expect([...body.title]).toHaveLength(200)
    const again = (await server.post(`/api/adventures/${await copyOf(long.id, null)}/copy`, {})).body
    expect(again.title).toBe('Lantern Rock (copy)')
  })
})

describe('a copy up to a passage', () => {
  test('is the story as it was then, at every passage', async () => {
    const all = dumpOf(reader, long.id)
    const { actions } = (await server.get(`/api/adventures/${long.id}/actions?limit=240`)).body
    for (const [i, { id, index }] of actions.entries()) {
      const copy = await copyOf(long.id, id)
      const part = dumpOf(reader, copy)
      expect(part.actions).toEqual(all.actions?.slice(0, i + 1) ?? [])
      expect(part.story_cards).toEqual(all.story_cards ?? [])
      expect([id, await world(copy)]).toEqual([id, long.worlds.get(id)])
      expect(part.memories).toEqual(
        (all.memories ?? []).filter(({ source_end }) => Number(source_end) <= index),
      )
      const told = (all.summaries ?? []).filter(({ covers }) => Number(covers) <= index)
      expect(part.adventure?.[0]).toMatchObject({
        action_count: i + 1,
        story_summary: told.at(-1)?.text ?? '',
      })
      expect(await audit(copy)).toMatchObject({ ok: true, findings: [], breaks: [] })
    }
    const { adventure: _, ...unchanged } = all
    expect(dumpOf(reader, long.id)).toMatchObject(unchanged)
  })

  test('creates new memories of what follows', async () => {
    const { actions } = (await server.get(`/api/adventures/${long.id}/actions?limit=240`)).body
    const copy = await copyOf(long.id, actions[15].id)
    for (let turn = 0; turn < 3; turn++) await playTurn(server, copy, { type: 'do', text: `step ${turn}` })
    server.deps.idle.wake(copy)
    await server.deps.idle.ended()
    const ends = reader.all<{ source_end: number }>(
      'SELECT source_end FROM memories WHERE adventure_id = ?',
      copy,
    )
    expect(ends.map(({ source_end }) => source_end)).toEqual([6, 12, 18])
  })

  test('before a refresh is fitted to the current schema', async () => {
    const { id } = await longStory(2)
    await server.send('PATCH', `/api/scenarios/${scenario.id}`, {
      stat_schema: { ...LANTERN_ROCK, player: { luck: { initial: 5 } } },
    })
    await server.post(`/api/adventures/${id}/refresh`)
    await playTurn(server, id, { type: 'continue' })
    const { actions } = await read(id)
    const copy = await copyOf(id, actions[2].id)
    expect((await world(copy)).player).toEqual({ luck: 5 })
    expect(await audit(copy)).toMatchObject({ ok: true, findings: [] })
    await playTurn(server, copy, { type: 'continue' })
    expect(await audit(copy)).toMatchObject({ ok: true, findings: [] })
    await server.send('PATCH', `/api/scenarios/${scenario.id}`, { stat_schema: LANTERN_ROCK })
  })

  test('needs an action of the same story', async () => {
    const other = await read((await server.post('/api/adventures', {})).body.id)
    for (const up_to of [other.actions[0].id, 999_999])
      expect(await server.post(`/api/adventures/${long.id}/copy`, { up_to })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
    expect((await server.post('/api/adventures/999999/copy')).status).toBe(404)
    expect((await server.post(`/api/adventures/${long.id}/copy`, { up_to: 'x' })).status).toBe(422)
  })
})

describe('a story of the earlier release', () => {
  test('is copied with what it has, and keeps its schema', async () => {
    const path = join(temporaryFolder(), 'library.db')
    leaveEarlierLibrary(path, {
      also: `ALTER TABLE actions ADD COLUMN strange INTEGER NOT NULL DEFAULT 7;
             UPDATE adventures SET summary_cursor = 13, story_summary = 'All of it.' WHERE id = 1;
             UPDATE actions SET state_before = NULL`,
    })
    const old = await startServer({ dbPath: path })
    const copy = async (up_to: number | null) => (await old.post('/api/adventures/1/copy', { up_to })).body
    const { reader } = old.deps.library
    const whole = await copy(null)
    const { adventure: _, ...before } = dumpOf(reader, 1)
    expect(dumpOf(reader, whole.id)).toMatchObject(before)
    expect(whole.story_summary).toBe('All of it.')
    expect(getWorld(reader, whole.id)).toEqual({ ...getWorld(reader, 1), pinned: true })
    // After the ninth passage: the next one has the world state before it.
    const part = await copy(9)
    expect(part).toMatchObject({ action_count: 9, story_summary: '' })
    expect((await old.get(`/api/adventures/${part.id}/world-state`)).body.state).toEqual(WORLD.beforeTheStair)
    expect(
      (await old.get(`/api/adventures/${part.id}/memories`)).body.map(({ text }: { text: string }) => text),
    ).toEqual(['The rail broke.', 'Written by hand.'])
    expect(reader.get('SELECT memory_cursor FROM adventures WHERE id = ?', part.id)).toEqual({
      memory_cursor: 6,
    })
  })
})
