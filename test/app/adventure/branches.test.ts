import { describe, expect, test } from 'bun:test'
import { findDraft } from '../../../src/db/tables/waiting-lines.ts'
import { type StoryBranch, suggestedName } from '../../../src/domain/family/branch.ts'
import { sayAndRecord } from '../../support/endpoint/endpoint.ts'
import { dumpOf } from '../../support/library/dump.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel({}, {})

let told = 0
endpoint.byDefault((exchange) =>
  sayAndRecord(`Passage ${++told} of a lamp.`, { 'player.warmth': -1 })(exchange),
)
const { body: scenario } = await server.post('/api/scenarios', {
  title: 'Lantern Rock',
  prompt: 'You light the lamp.',
  stat_schema: LANTERN_ROCK,
})

const read = async (id: number) => (await server.get(`/api/adventures/${id}`)).body
const world = async (id: number) => (await server.get(`/api/adventures/${id}/world-state`)).body.state
const familyOf = async (id: number): Promise<StoryBranch[]> =>
  (await server.get(`/api/adventures/${id}/family`)).body
const branch = async (id: number, body: object) =>
  (await server.post(`/api/adventures/${id}/family`, body)).body
const dump = (id: number) => dumpOf(server.deps.library.reader, id)

async function story(turns = 3): Promise<number> {
  const { id } = (await server.post('/api/adventures', { scenario_id: scenario.id })).body
  for (let turn = 0; turn < turns; turn++) await playTurn(server, id, { type: 'do', text: `step ${turn}` })
  return id
}
const at = async (id: number, index: number) => (await read(id)).actions[index].id as number

describe('a branch', () => {
  test('shares the beginning of its story, and nothing that is done on one touches the other', async () => {
    const id = await story()
    const passages = dump(id).actions
    const made = await branch(id, { action_id: await at(id, 2) })
    const before = dump(id)
    expect(before.actions).toEqual(passages)
    expect(made.actions.map(({ text }: { text: string }) => text)).toEqual(
      (await read(id)).actions.slice(0, 3).map(({ text }: { text: string }) => text),
    )
    expect(made.title).toMatch(/^Lantern Rock: Passage \d+ of a lamp$/)
    await playTurn(server, made.id, { type: 'do', text: 'go another way' })
    await server.post(`/api/adventures/${made.id}/undo`)
    await server.send('PATCH', `/api/adventures/${made.id}/actions/${await at(made.id, 1)}`, {
      text: 'Else.',
    })
    expect(dump(id)).toEqual(before)
    expect(await familyOf(id)).toEqual(await familyOf(made.id))
    expect(await familyOf(made.id)).toMatchObject([
      { id, main_branch: true, branched_from: null, branched_at: null, branch_name: '' },
      { id: made.id, main_branch: false, branched_from: id, branched_at: 2, branch_color: 1 },
    ])
    expect((await server.get(`/api/adventures/${made.id}/audit`)).body).toMatchObject({ ok: true })
  })

  test('can go on from another version of an earlier passage, with its world', async () => {
    const id = await story(1)
    await retryTurn(server, id)
    const [newest] = (await read(id)).actions.slice(-1)
    const first = newest.text
    await retryTurn(server, id)
    await playTurn(server, id, { type: 'do', text: 'go on' })
    const state = await world(id)
    const made = await branch(id, { action_id: newest.id, variant_index: 1, line: 'wait here instead' })
    expect(made.title).toBe(`Lantern Rock: ${suggestedName(first)}`)
    expect(made.actions.at(-1)).toMatchObject({ text: first, variant_index: 1, variant_count: 3 })
    expect((await world(made.id)).player.warmth).toBe((state.player.warmth as number) + 1)
    expect(findDraft(server.deps.library.reader, made.id).text).toBe('wait here instead')
    expect(
      await server.post(`/api/adventures/${id}/family`, { action_id: newest.id, variant_index: 9 }),
    ).toMatchObject({
      status: 400,
      body: { code: 'no_such_variant' },
    })
  })

  test('takes its name from the player, or from a bookmark', async () => {
    const id = await story(2)
    const action_id = await at(id, 2)
    await server.send('PUT', `/api/adventures/${id}/bookmarks/${action_id}`, { name: 'The third tower' })
    expect((await branch(id, { action_id })).title).toBe('Lantern Rock: The third tower')
    const own = await branch(id, { action_id, name: ' The key ' })
    expect(own.title).toBe('Lantern Rock: The key')
    expect((await branch(own.id, { action_id: await at(own.id, 2), name: 'Two' })).title).toBe(
      'Lantern Rock: Two',
    )
  })

  test('of what it shares with its story grows from that story', async () => {
    const id = await story(3)
    const one = await branch(id, { action_id: await at(id, 4) })
    const two = await branch(one.id, { action_id: await at(one.id, 2) })
    expect((await familyOf(id)).at(-1)).toMatchObject({ id: two.id, branched_from: id, branched_at: 2 })
  })

  test('can be named, colored, and made the main one', async () => {
    const id = await story(1)
    const made = await branch(id, { action_id: await at(id, 2) })
    const { body } = await server.send('PATCH', `/api/adventures/${made.id}/family`, {
      branch_name: 'North',
      branch_color: 5,
      main_branch: true,
    })
    expect(body).toMatchObject([
      { id, main_branch: false },
      { id: made.id, branch_name: 'North', branch_color: 5, main_branch: true },
    ])
    expect(
      (await server.send('PATCH', `/api/adventures/${made.id}/family`, { branch_color: 8 })).status,
    ).toBe(422)
    expect((await server.get('/api/adventures/999999/family')).status).toBe(404)
  })

  test('needs an action of its story', async () => {
    const [one, other] = [await story(1), await story(0)]
    const { body, status } = await server.post(`/api/adventures/${one}/family`, {
      action_id: await at(other, 0),
    })
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect(await familyOf(one)).toHaveLength(1)
  })
})

describe('a deleted branch', () => {
  test('leaves the others as they are, whichever they grew from', async () => {
    const id = await story(3)
    const one = await branch(id, { action_id: await at(id, 4) })
    await playTurn(server, one.id, { type: 'continue' })
    const two = await branch(one.id, { action_id: await at(one.id, 5) })
    const three = await branch(id, { action_id: await at(id, 2) })
    const before = [one, two, three].map(({ id }) => ({ ...dump(id), adventure: null }))
    await server.send('DELETE', `/api/adventures/${one.id}`)
    expect(await familyOf(id)).toMatchObject([
      { id },
      { id: two.id, branched_from: id, branched_at: 4 },
      { id: three.id, branched_from: id, branched_at: 2 },
    ])
    await server.send('DELETE', `/api/adventures/${id}`)
    expect(await familyOf(two.id)).toMatchObject([
      { id: two.id, branched_from: null, branched_at: null, main_branch: true },
      { id: three.id, branched_from: two.id, branched_at: 2 },
    ])
    expect([two, three].map(({ id }) => ({ ...dump(id), adventure: null }))).toEqual(before.slice(1))
  })

  test('is no ancestor of a story that gets its id', async () => {
    const id = await story(1)
    const made = await branch(id, { action_id: await at(id, 2) })
    await server.send('DELETE', `/api/adventures/${made.id}`)
    const next = await story(0)
    expect(await familyOf(next)).toMatchObject([{ id: next }])
    expect(await familyOf(id)).toHaveLength(1)
  })
})

test('a duplicate is a story of its own', async () => {
  const id = await story(1)
  await branch(id, { action_id: await at(id, 2) })
  const { body } = await server.post(`/api/adventures/${id}/copy`)
  expect(await familyOf(body.id)).toMatchObject([{ id: body.id, branched_from: null }])
  expect(await familyOf(id)).toHaveLength(2)
})

test('all branches travel in one file, and know each other where they arrive', async () => {
  const id = await story(2)
  const one = await branch(id, { action_id: await at(id, 2), name: 'North' })
  await playTurn(server, one.id, { type: 'continue' })
  const two = await branch(one.id, { action_id: await at(one.id, 3), name: 'The lamp' })
  await server.send('PATCH', `/api/adventures/${one.id}/family`, { main_branch: true, branch_color: 6 })
  const archive = async (of: number) =>
    new Uint8Array(await (await server.ask(`/api/adventures/${of}/export?format=family`)).arrayBuffer())
  for (const query of ['format=family', 'format=epub&branches=true']) {
    const { headers } = await server.ask(`/api/adventures/${two.id}/export?${query}`)
    expect(headers.get('content-disposition')).toStartWith('attachment; filename="Lantern Rock.')
  }
  const scenarios = (await server.get('/api/scenarios')).body.length
  const form = new FormData()
  form.append('file', new File([await archive(two.id)], 'family.zip'))
  const answer = await server.ask('/api/import?apply=1', { method: 'POST', body: form })
  const { adventure_ids } = (await answer.json()) as { adventure_ids: number[] }
  const [first = 0, second = 0, third = 0] = adventure_ids
  expect(await familyOf(third)).toMatchObject([
    { id: first, title: 'Lantern Rock', branched_from: null, main_branch: false },
    {
      id: second,
      branch_name: 'North',
      branched_from: first,
      branched_at: 2,
      main_branch: true,
      branch_color: 6,
    },
    { id: third, branch_name: 'The lamp', branched_from: second, branched_at: 3 },
  ])
  expect(await familyOf(id)).toHaveLength(3)
  expect((await server.get('/api/scenarios')).body).toHaveLength(scenarios + 1)
  const told = async (of: number) => (await read(of)).actions.map(({ text }: { text: string }) => text)
  expect(await told(third)).toEqual(await told(two.id))
})

test('a passage that branches share is found once, with the branches that have it', async () => {
  const id = await story(1)
  const opening = await at(id, 0)
  await server.send('PATCH', `/api/adventures/${id}/actions/${opening}`, { text: 'A silverfinch sings.' })
  const north = await branch(id, { action_id: await at(id, 2), name: 'North' })
  const south = await branch(id, { action_id: await at(id, 2), name: 'South' })
  await branch(north.id, { action_id: await at(north.id, 2), name: 'Further north' })
  const found = async (more = '') => (await server.get(`/api/search?q=silverfinch${more}`)).body.items
  expect(await found()).toMatchObject([
    { id: opening, branches: [{ name: 'North' }, { name: 'South' }, { name: 'Further north' }] },
  ])
  expect(await found('&limit=1')).toHaveLength(1)
  expect(await found(`&adventure=${south.id}`)).toHaveLength(1)
  await server.send('PATCH', `/api/adventures/${south.id}/actions/${await at(south.id, 0)}`, {
    text: 'The silverfinch is gone.',
  })
  expect(await found()).toHaveLength(2)
  await server.send('DELETE', `/api/adventures/${id}`)
  expect(await found()).toHaveLength(2)
})
