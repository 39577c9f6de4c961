import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { say, sayAndRecord } from '../../support/endpoint/endpoint.ts'
import { HOSTILE } from '../../support/files/portable.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel({}, {})
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAE0lEQVR4nGPgEtE4sSqKAYiBLAAdqgQlQNJ/iAAAAABJRU5ErkJggg=='
const { body: scenario } = await server.post('/api/scenarios', {
  title: 'Lämp / Road',
  prompt: '${Your name} waits.',
  image: PICTURE,
  stat_schema: LANTERN_ROCK,
})
await server.post('/api/story-cards', {
  scenario_id: scenario.id,
  name: 'Lamp',
  keys: 'lamp',
  entry: 'It burns.',
  notes: 'n',
})
const { body: adventure } = await server.post('/api/adventures', {
  scenario_id: scenario.id,
  placeholders: { 'Your name': HOSTILE.slice(0, 90).toWellFormed() },
})
const at = (more: string) => `/api/adventures/${adventure.id}/export${more}`
const _FENCE = '```'
endpoint.next(sayAndRecord(`The sea rises.`, { 'player.warmth': -90 }), say('The sea falls.'))
await playTurn(server, adventure.id, { type: 'do', text: 'wait' })
await retryTurn(server, adventure.id)

describe('an adventure is taken away', () => {
  const files: [format: string, type: string, ending: string][] = [
    ['json', 'application/json', 'story.json'],
    ['markdown', 'text/markdown; charset=utf-8', 'md'],
    ['html', 'text/html; charset=utf-8', 'html'],
    ['epub', 'application/epub+zip', 'epub'],
    ['jsonl', 'application/jsonl; charset=utf-8', 'jsonl'],
    ['legacy', 'application/json', 'earlier-story.json'],
  ]
  for (const [format, type, ending] of files)
    test(`as ${format}, with a name that is safe, and as nothing but a file`, async () => {
      const answer = await server.ask(at(`?format=${format}`))
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': type,
        'content-disposition': `attachment; filename="Lamp - Road.${ending}"; filename*=UTF-8''L%C3%A4mp%20-%20Road.${ending}`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'cache-control': 'no-store',
      })
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100)
    })

  test('as our own file when nothing is said, with everything that it needs elsewhere', async () => {
    const { body } = await server.get(at(''))
    expect(body).toMatchObject({
      format: 'inglenook-adventure',
      version: 2,
      exported_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      stat_schema: LANTERN_ROCK,
      scenario: {
        title: 'Lämp / Road',
        image: expect.stringContaining('data:image/webp'),
        story_cards: [{ name: 'Lamp' }],
      },
      story_cards: expect.arrayContaining([expect.objectContaining({ name: 'Lamp', source_ref: 'card:0' })]),
    })
    const [, , told] = body.actions
    expect(told).toMatchObject({
      text: 'The sea falls.',
      variant_index: 1,
      variants: [{ text: 'The sea rises.' }, {}],
    })
    // The refused part of the first variant travels too, and the world that it left.
    expect(told.variants[0].world_state.report.verdicts).toMatchObject([{ asked: -90, verdict: 'limited' }])
    expect(told.variants[0].world_state.state.player.warmth).toBe(24)
    expect(body.world_state.player.warmth).toBe(32)
  })

  test('as the reader wants to see it', async () => {
    const text = async (query: string) => (await server.ask(at(`?format=markdown${query}`))).text()
    expect(await text('')).not.toContain('rises')
    const all = await text('&attempts=true&stats=true')
    expect(all).toContain('Version 1 of 2')
    expect(all).toContain('warmth −8 → 24')
    expect(await text('&player_lines=false')).not.toContain('You wait')
    expect(await text('&from=1&to=1')).toBe('# Lämp / Road\n\n> You wait.\n')
  })

  for (const query of ['format=docx', 'stats=perhaps', 'from=-1', 'to=x'])
    test(`not with ${query}`, async () =>
      expect(await server.get(at(`?${query}`))).toMatchObject({ status: 422, body: { code: 'invalid' } }))

  test('not when it is not there', async () =>
    expect(await server.get('/api/adventures/999/export')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    }))

  for (const format of ['json', 'markdown', 'html', 'jsonl', 'legacy'])
    test(`twice as ${format}, and both are the same but for the moment`, async () => {
      const one = await (await server.ask(at(`?format=${format}`))).text()
      const other = await (await server.ask(at(`?format=${format}`))).text()
      const timeless = (text: string) => text.replace(/"exported_at":"[^"]*"/, '')
      expect(timeless(one)).toBe(timeless(other))
    })
})

describe('a scenario is taken away', () => {
  test('as our own file, as one of the earlier release, and as a card in its own picture', async () => {
    const path = `/api/scenarios/${scenario.id}/export`
    expect((await server.get(path)).body).toMatchObject({
      format: 'inglenook-scenario',
      version: 1,
      prompt: '${Your name} waits.',
      stat_schema: LANTERN_ROCK,
      image: expect.stringContaining('data:image/webp'),
      story_cards: [{ type: '', name: 'Lamp', keys: 'lamp', entry: 'It burns.', notes: 'n' }],
    })
    expect((await server.get(`${path}?format=legacy`)).body).toMatchObject({
      format: 'ai-dnd-scenario-v1',
      statSchema: LANTERN_ROCK,
      storyCards: [{ name: 'Lamp' }],
      scripts: [],
    })
    const card = await server.ask(`${path}?format=png`)
    expect(card.headers.get('content-type')).toBe('image/png')
    expect(await new Bun.Image(new Uint8Array(await card.arrayBuffer())).metadata()).toMatchObject({
      width: 2,
      height: 2,
    })
    expect(await server.get(`${path}?format=epub`)).toMatchObject({ status: 422 })
    expect(await server.get('/api/scenarios/999/export')).toMatchObject({ status: 404 })
  })

  test('never with the address of a picture elsewhere', async () => {
    const { body: old } = await server.post('/api/scenarios', { title: 'Old' })
    server.deps.library.write((tx) =>
      tx.update('scenarios', old.id, { image: 'https://tracker.example/a.png' }),
    )
    for (const format of ['json', 'legacy'])
      expect((await server.get(`/api/scenarios/${old.id}/export?format=${format}`)).body.image).toBe('')
  })
})

test('the cards of a scenario or an adventure are taken away as a list', async () => {
  const answer = await server.ask(`/api/story-cards/export?scenario_id=${scenario.id}`)
  expect(answer.headers.get('content-disposition')).toStartWith(
    'attachment; filename="Lamp - Road.cards.json"',
  )
  expect(await answer.json()).toEqual([
    {
      keys: 'lamp',
      value: 'It burns.',
      type: '',
      title: 'Lamp',
      description: 'n',
      useForCharacterCreation: false,
    },
  ])
  expect((await server.get(`/api/story-cards/export?adventure_id=${adventure.id}`)).body).toContainEqual(
    expect.objectContaining({ title: 'Lamp' }),
  )
  expect(await server.get('/api/story-cards/export')).toMatchObject({ status: 422 })
  expect(await server.get('/api/story-cards/export?scenario_id=999')).toMatchObject({ status: 404 })
})

describe('in idle time', () => {
  test('the library is copied once a day, when something has happened to it', async () => {
    let now = new Date('2030-03-01T10:00:00Z')
    const idle = await startServer({ idleDelay: 0, now: () => now })
    const folder = join(dirname(idle.path), 'backups')
    await idle.deps.idle.ended()
    expect(readdirSync(folder)).toEqual(['library.2030-03-01.db'])
    await idle.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
    const { body } = await idle.post('/api/adventures', { title: 'Mine' })
    const idleAt = async (day: string) => {
      now = new Date(`2030-03-${day}T10:00:00Z`)
      idle.deps.idle.wake()
      await idle.deps.idle.ended()
      return readdirSync(folder).sort()
    }
    const play = async () => {
      await playTurn(idle, body.id, { type: 'story', text: 'Dusk.' })
      await idle.deps.idle.ended()
    }
    await play()
    expect(await idleAt('01')).toEqual(['library.2030-03-01.db'])
    expect(await idleAt('02')).toEqual(['library.2030-03-01.db', 'library.2030-03-02.db'])
    using db = new Database(join(folder, 'library.2030-03-02.db'), { readonly: true })
    expect(db.query('SELECT title FROM adventures').all()).toEqual([{ title: 'Mine' }])
    // A day that began without a change has its copy as soon as there is one.
    expect(await idleAt('03')).toHaveLength(2)
    await play()
    expect(await idleAt('03')).toHaveLength(3)
    // No turn is needed: who only writes a scenario has a copy of it too.
    expect(await idleAt('04')).toHaveLength(3)
    await idle.post('/api/scenarios', { title: 'Written' })
    while (readdirSync(folder).length < 4) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await idleAt('04')).toHaveLength(4)
  })

  test('a failed copy is shown on the library page, and play continues', async () => {
    let now = new Date('2030-03-01T10:00:00Z')
    const idle = await startServer({ idleDelay: 0, now: () => now })
    const folder = join(dirname(idle.path), 'backups')
    await idle.deps.idle.ended()
    rmSync(folder, { recursive: true })
    writeFileSync(folder, 'a file where the copies should go')
    await idle.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
    const { body } = await idle.post('/api/adventures', { title: 'Mine' })
    const page = async () => (await idle.ask('/')).text()
    expect(await page()).not.toContain('was not copied')
    now = new Date('2030-03-02T10:00:00Z')
    expect((await playTurn(idle, body.id, { type: 'story', text: 'Dusk.' })).at(-1)).toMatchObject({
      type: 'done',
    })
    await idle.deps.idle.ended()
    expect(await page()).toContain('The library was not copied.')
    expect(await idle.get('/api/backup')).toMatchObject({
      status: 500,
      body: { code: 'storage_failed', detail: expect.stringContaining('The library was not copied.') },
    })
    expect((await playTurn(idle, body.id, { type: 'story', text: 'Dark.' })).at(-1)).toMatchObject({
      type: 'done',
    })
    rmSync(folder)
    now = new Date('2030-03-03T10:00:00Z')
    await playTurn(idle, body.id, { type: 'story', text: 'Dawn.' })
    await idle.deps.idle.ended()
    expect(readdirSync(folder)).toEqual(['library.2030-03-03.db'])
    expect(await page()).not.toContain('was not copied')
  })
})

test('the page of a scenario says before an export what the formats have no place for', async () => {
  const page = async (id: number) => (await server.ask(`/scenarios/${id}`)).text()
  expect(await page(scenario.id)).toContain('character card in other programs')
  const { body: plain } = await server.post('/api/scenarios', { title: 'Plain' })
  const card = { scenario_id: plain.id, name: 'Storm', keys: 'storm', entry: 'It comes.' }
  await server.post('/api/story-cards', { ...card, name: 'Sea' })
  expect(await page(plain.id)).not.toMatch(/cannot hold|leaves out/)
  const when = [{ kind: 'turn', of: '', is: 'at least', value: 3 }]
  await server.post('/api/story-cards', { ...card, timing: { when, how: { once: true } } })
  await server.send('PATCH', `/api/scenarios/${plain.id}`, { greetings: ['Or so.'] })
  const told = await page(plain.id)
  expect(told).toMatch(/cannot hold everything of 1 story card<\/summary>/)
  expect(told).toMatch(/<b dir="auto">Storm<\/b>: <span dir="auto">when the turn is at least 3, once<\/span>/)
  expect(told).toMatch(
    /earlier release leaves out: other openings \(1\), when and how often story cards are included \(1\)\./,
  )
})
