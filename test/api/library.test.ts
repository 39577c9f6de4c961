import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { startServer } from '../support/service/server.ts'

const server = await startServer()
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAE0lEQVR4nGPgEtE4sSqKAYiBLAAdqgQlQNJ/iAAAAABJRU5ErkJggg=='

async function scenario(fields: object = {}): Promise<number> {
  return (await server.post('/api/scenarios', { title: 'The Lamp Road', ...fields })).body.id
}

describe('scenarios', () => {
  test('are created, read, changed field by field and deleted', async () => {
    const made = await server.post('/api/scenarios', { title: 'The Lamp Road', tags: 'quiet' })
    expect(made).toMatchObject({
      status: 201,
      body: { title: 'The Lamp Road', prompt: '', tags: 'quiet', stat_schema: null, story_cards: [] },
    })
    const path = `/api/scenarios/${made.body.id}`
    expect((await server.send('PATCH', path, { prompt: 'Dusk.' })).body).toMatchObject({
      title: 'The Lamp Road',
      prompt: 'Dusk.',
    })
    expect((await server.send('DELETE', path)).status).toBe(204)
    expect(await server.get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('are listed last edited first, without their long texts', async () => {
    const [one, two] = [await scenario({ prompt: 'SECRET' }), await scenario()]
    await server.send('PATCH', `/api/scenarios/${one}`, { icon: '🏮' })
    const { body } = await server.get('/api/scenarios')
    expect(body.map(({ id }: { id: number }) => id).slice(0, 2)).toEqual([one, two])
    expect(JSON.stringify(body)).not.toContain('SECRET')
  })

  const limits: [field: string, value: unknown, status: number][] = [
    ['title', '🦊'.repeat(200), 200],
    ['title', 'x'.repeat(201), 422],
    ['title', null, 422],
    ['icon', 'x'.repeat(17), 422],
    ['memory', 'x'.repeat(50_001), 422],
    ['stat_schema', null, 200],
    ['stat_schema', [], 422],
    ['user_id', 7, 200],
  ]
  for (const [field, value, status] of limits)
    test(`${field} of ${JSON.stringify(value)?.slice(0, 20)} gets ${status}`, async () => {
      expect(
        (await server.send('PATCH', `/api/scenarios/${await scenario()}`, { [field]: value })).status,
      ).toBe(status)
    })

  test('have long tags cut at a comma', async () => {
    const { body } = await server.get(`/api/scenarios/${await scenario({ tags: 'a tag,'.repeat(120) })}`)
    expect(body.tags.length).toBeLessThanOrEqual(500)
    expect(body.tags).toEndWith('a tag')
  })

  test('are refused with the names of invalid fields', async () => {
    const { body } = await server.post('/api/scenarios', { title: 5, icon: null })
    expect(body).toMatchObject({
      code: 'invalid',
      detail: expect.stringContaining('title'),
      errors: expect.arrayContaining([
        { path: '/title', message: expect.stringContaining('200 characters') },
      ]),
    })
  })
})

describe('covers', () => {
  const bad: [what: string, image: string][] = [
    ['a drawing that may hold script', 'data:image/svg+xml;base64,PHN2Zy8+'],
    ['a page', `data:image/png;base64,${btoa('<html></html>')}`],
    ['an address elsewhere', 'https://tracker.example/a.png'],
    ['half a picture', PICTURE.slice(0, 60)],
  ]
  for (const [what, image] of bad)
    test(`${what} is refused`, async () =>
      expect(await server.post('/api/scenarios', { image })).toMatchObject({
        status: 422,
        body: { code: 'image_refused' },
      }))
})

test('values of an older library are returned as they are, however long or large', async () => {
  const old = await startServer()
  const { body } = await old.post('/api/adventures', { scenario_id: 1 })
  const long = 'x'.repeat(60_000)
  {
    using db = new Database(old.path)
    db.run('UPDATE adventures SET title = ?, memory = ?, placeholders = ?', [
      long,
      long,
      JSON.stringify({ a: long }),
    ])
    db.run('UPDATE scenarios SET title = ?, prompt = ?, icon = ?, image = ?', [
      long,
      long,
      long,
      `data:image/avif;base64,${'A'.repeat(500_000)}`,
    ])
    db.run('UPDATE story_cards SET type = ?, name = ?, entry = ?', [long, long, long])
    db.run(
      'UPDATE settings SET temperature = 9, max_output_tokens = 900000, read_timeout_seconds = 3, model = ?',
      [long],
    )
  }
  const cards = [{ type: long, name: long, entry: long }]
  expect(await old.get(`/api/adventures/${body.id}`)).toMatchObject({
    status: 200,
    body: { title: long, memory: long },
  })
  expect(await old.get(`/api/adventures/${body.id}/placeholders`)).toMatchObject({
    status: 200,
    body: { placeholders: { a: long } },
  })
  expect(await old.get('/api/scenarios/1')).toMatchObject({
    status: 200,
    body: { title: long, prompt: long, icon: long },
  })
  expect((await old.get('/api/story-cards?scenario_id=1')).body.slice(0, 1)).toMatchObject(cards)
  expect(await old.get('/api/settings')).toMatchObject({
    status: 200,
    body: { temperature: 9, read_timeout_seconds: 3, model: long },
  })
  // Requests must still respect the limits.
  expect((await old.send('PATCH', `/api/adventures/${body.id}`, { title: long })).status).toBe(422)
  expect((await old.send('PUT', '/api/settings', { temperature: 9 })).status).toBe(422)
})

test('world changes that another version recorded are returned, whatever they look like', async () => {
  const old = await startServer()
  const { body } = await old.post('/api/adventures', { scenario_id: 1 })
  const verdicts = [
    { verdict: 'moved', path: 'player.warmth', asked: [1], old: null, new: { a: 1 }, reason: 7, extra: 1 },
    { verdict: 'refused', path: 'player.luck', reason: 'bad omen' },
    { path: 'flags.lit', new: 'yes' },
  ]
  {
    using db = new Database(old.path)
    db.run('UPDATE actions SET world_delta = ?', [JSON.stringify({ verdicts, recorded: 5, delta: 'none' })])
    db.run('UPDATE adventures SET world_state = ?', [JSON.stringify({ player: { warmth: [1] }, extra: 1 })])
  }
  const path = `/api/adventures/${body.id}`
  const changes = [
    { kind: 'stat', path: 'player.warmth', value: { a: 1 }, asked: [1], verdict: 'moved', reason: 7 },
    { kind: 'rejected', path: 'player.luck' },
    { kind: 'flag', path: 'flags.lit', on: false },
  ]
  expect(await old.get(`${path}/actions`)).toMatchObject({
    status: 200,
    body: { actions: [{ world_changes: changes }] },
  })
  expect(await old.get(`${path}/insights`)).toMatchObject({ status: 200, body: { turns: [{ verdicts }] } })
  expect(await old.get(`${path}/world-state`)).toMatchObject({ status: 200, body: { state: { extra: 1 } } })
  for (const report of ['audit', 'context'])
    expect([report, (await old.get(`${path}/${report}`)).status]).toEqual([report, 200])
})

describe('story cards', () => {
  test('belong to exactly one owner', async () => {
    const scenario_id = await scenario()
    const made = await server.post('/api/story-cards', {
      scenario_id,
      name: 'Lamp',
      keys: 'lamp',
      entry: 'It burns.',
    })
    expect(made).toMatchObject({ status: 201, body: { name: 'Lamp', scenario_id, adventure_id: null } })
    expect(made.body).not.toHaveProperty('source_ref')
    expect((await server.post('/api/story-cards', { name: 'Nobody’s' })).status).toBe(422)
    expect((await server.post('/api/story-cards', { scenario_id, adventure_id: 1 })).status).toBe(422)
    expect((await server.post('/api/story-cards', { scenario_id: 999 })).status).toBe(404)
    const path = `/api/story-cards/${made.body.id}`
    expect((await server.send('PATCH', path, { notes: 'mine' })).body).toMatchObject({
      name: 'Lamp',
      notes: 'mine',
    })
    expect((await server.send('DELETE', path)).status).toBe(204)
    expect((await server.get(`/api/story-cards?scenario_id=${scenario_id}`)).body).toEqual([])
  })
})

test('cards are moved among those of their owner, also after deletions', async () => {
  const scenario_id = await scenario()
  const ids: number[] = []
  for (const name of ['a', 'b', 'c'])
    ids.push((await server.post('/api/story-cards', { scenario_id, name })).body.id)
  const order = async () =>
    (await server.get(`/api/story-cards?scenario_id=${scenario_id}`)).body
      .map(({ name }: { name: string }) => name)
      .join('')
  const move = (i: number, where: string) => server.post(`/api/story-cards/${ids[i]}/move`, { where })
  await move(2, 'earlier')
  expect(await order()).toBe('acb')
  await move(2, 'earlier')
  await move(2, 'earlier')
  expect(await order()).toBe('cab')
  await server.send('DELETE', `/api/story-cards/${ids[2]}`)
  await server.post('/api/story-cards', { scenario_id, name: 'd' })
  expect(await order()).toBe('abd')
  await move(0, 'later')
  expect(await order()).toBe('bad')
  const { body } = await server.post('/api/adventures', { scenario_id })
  expect(body.story_cards.map(({ name }: { name: string }) => name).join('')).toBe('bad')
  expect((await move(0, 'sideways')).status).toBe(422)
})

test('a scenario is duplicated with everything that belongs to it', async () => {
  const id = await scenario({
    title: 'x'.repeat(200),
    image: PICTURE,
    stat_schema: { player: { hp: { initial: 1 } } },
  })
  await server.post('/api/story-cards', { scenario_id: id, name: 'Lamp', notes: 'mine' })
  const { status, body } = await server.post(`/api/scenarios/${id}/duplicate`)
  const { body: first } = await server.get(`/api/scenarios/${id}`)
  expect(status).toBe(201)
  expect(body.title).toBe(`${'x'.repeat(193)} (copy)`)
  const { image, stat_schema, prompt } = first
  expect(body).toMatchObject({ image, stat_schema, prompt, story_cards: [{ name: 'Lamp', notes: 'mine' }] })
  expect((await server.post('/api/scenarios/99999/duplicate')).status).toBe(404)
})

describe('an adventure', () => {
  test('copies its scenario with the placeholders filled in, unaffected by later edits', async () => {
    const schema = {
      player: { hp: { initial: 9 } },
      npcs: { mira: { name: 'Mira', desc: 'She keeps ${What}.' } },
    }
    const scenario_id = await scenario({
      prompt: '${Name} waits.',
      memory: '${Name} is brave.',
      stat_schema: schema,
    })
    await server.post('/api/story-cards', {
      scenario_id,
      name: 'Lamp',
      keys: '${What}',
      entry: 'The ${What} burns.',
    })
    expect((await server.get(`/api/scenarios/${scenario_id}`)).body.questions).toEqual(['Name', 'What'])
    const { status, body } = await server.post('/api/adventures', {
      scenario_id,
      placeholders: { Name: 'Tamsin', What: 'lamp' },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      title: 'The Lamp Road',
      memory: 'Tamsin is brave.',
      action_count: 1,
      actions: [{ type: 'start', text: 'Tamsin waits.', index: 0 }],
      story_cards: [
        { name: 'Lamp', keys: 'lamp', entry: 'The lamp burns.' },
        { name: 'Mira', keys: 'Mira', entry: 'She keeps lamp.' },
      ],
    })
    await server.send('PATCH', `/api/scenarios/${scenario_id}`, { memory: 'Changed.', stat_schema: null })
    expect((await server.get(`/api/adventures/${body.id}`)).body.memory).toBe('Tamsin is brave.')
    await server.send('DELETE', `/api/scenarios/${scenario_id}`)
    expect((await server.get(`/api/adventures/${body.id}/world-state`)).body).toMatchObject({
      state: { player: { hp: 9 } },
      schema: { player: {} },
    })
    expect((await server.get(`/api/adventures/${body.id}`)).body.scenario_id).toBeNull()
  })

  test('without a scenario starts with a blank page', async () => {
    const { body } = await server.post('/api/adventures', {})
    expect(body).toMatchObject({ title: 'Untitled Adventure', actions: [{ type: 'start', text: '' }] })
    expect((await server.get(`/api/adventures/${body.id}/world-state`)).body).toEqual({
      state: {},
      schema: null,
    })
  })

  test('is changed field by field, listed and deleted', async () => {
    const { id } = (await server.post('/api/adventures', { title: 'Mine' })).body
    expect(
      (await server.send('PATCH', `/api/adventures/${id}`, { authors_note: 'Slow.' })).body,
    ).toMatchObject({ title: 'Mine', authors_note: 'Slow.' })
    expect((await server.get('/api/adventures')).body[0]).toMatchObject({
      id,
      title: 'Mine',
      action_count: 1,
      snippet: '',
    })
    expect((await server.send('DELETE', `/api/adventures/${id}`)).status).toBe(204)
    expect((await server.get(`/api/adventures/${id}`)).status).toBe(404)
  })

  test('of an unknown scenario is 404', async () =>
    expect((await server.post('/api/adventures', { scenario_id: 999 })).status).toBe(404))

  test('is read in pages without repeats or gaps', async () => {
    const { id } = (await server.post('/api/adventures', {})).body
    server.deps.library.write((tx) => {
      for (let i = 1; i < 150; i++)
        tx.insert('actions', {
          adventure_id: id,
          index: i,
          type: 'ai',
          text: `Passage ${i}`,
          created_at: '',
          variant_count: 0,
          variant_index: 0,
        })
      tx.run('UPDATE adventures SET action_count = 150 WHERE id = ?', id)
    })
    const seen: number[] = []
    let page = (await server.get(`/api/adventures/${id}/actions`)).body
    expect(page).toMatchObject({ total: 150, has_more: true })
    for (;;) {
      seen.unshift(...page.actions.map(({ index }: { index: number }) => index))
      if (!page.has_more) break
      page = (await server.get(`/api/adventures/${id}/actions?before_id=${page.actions[0].id}`)).body
    }
    expect(seen).toEqual(Array.from({ length: 150 }, (_, i) => i))
    expect((await server.get(`/api/adventures/${id}/actions?before_id=99999`)).body).toEqual({
      actions: [],
      total: 150,
      has_more: false,
    })
    expect((await server.get(`/api/adventures/${id}/actions?limit=0`)).body.actions).toHaveLength(1)
    expect((await server.get(`/api/adventures/${id}/actions?limit=-1`)).body.actions).toHaveLength(1)
    expect((await server.get(`/api/adventures/${id}/actions?limit=999`)).body.actions).toHaveLength(150)
  })
})

test('the health check reads no table', async () => {
  expect((await server.get('/api/health')).body).toEqual({ ok: true, turns: { accepted: 0, failed: {} } })
})
