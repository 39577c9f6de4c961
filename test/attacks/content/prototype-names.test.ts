import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { sample } from '../../formats/samples.ts'
import { hasBrowser, visit } from '../../support/browser/browser.ts'
import { say, sayAndRecord, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { ofType, playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'm' })

/** Names that every object inherits, including the one that changes its prototype. */
const INHERITED = ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'isPrototypeOf']
const PROTO = '__proto__'

afterEach(() => {
  const plain = {} as Record<string, unknown>
  expect([plain.isAdmin, plain.polluted, Object.keys(Object.prototype)]).toEqual([undefined, undefined, []])
})

const sendText = async (method: string, path: string, body: string) => {
  const response = await server.ask(path, { method, body, headers: { 'Content-Type': 'application/json' } })
  const text = await response.text()
  return { status: response.status, text }
}

describe('47 names that every object inherits', () => {
  for (const name of INHERITED)
    test(`47 a stat, a flag, a character, a card and a placeholder called ${name} work`, async () => {
      const { status, body: scenario } = await server.post('/api/scenarios', {
        title: name,
        prompt: `\${${name}} wakes.`,
        tags: name,
        stat_schema: {
          world: { [name]: { initial: 1 } },
          player: { [name]: { min: 0, max: 9, initial: 3, cooldown: 2, bands: [[0, 9, name]] } },
          npcs: { [name]: { name, keys: name, stats: { [name]: { initial: 2 } } } },
          flags: { [name]: {} },
          milestones: { [name]: {} },
        },
      })
      expect([status, scenario.questions]).toEqual([201, [name]])
      const unanswered = await server.post('/api/adventures', { scenario_id: scenario.id })
      expect((await server.get(`/api/adventures/${unanswered.body.id}`)).body.actions[0].text).toBe(
        `\${${name}} wakes.`,
      )
      const { body: story } = await server.post('/api/adventures', {
        scenario_id: scenario.id,
        placeholders: { [name]: 'Mira' },
      })
      expect(story.actions[0].text).toBe('Mira wakes.')
      const card = {
        adventure_id: story.id,
        name,
        keys: name,
        entry: `About ${name}.`,
        type: name,
        notes: name,
      }
      expect((await server.post('/api/story-cards', card)).status).toBe(201)
      const delta = {
        [`world.${name}`]: 1,
        [`player.${name}`]: 2,
        [`npc.${name}.${name}`]: -1,
        [`flags.${name}`]: true,
        [`milestones.${name}`]: true,
        [`player.${PROTO}.isAdmin`]: 1,
        [PROTO]: 5,
      }
      endpoint.next(sayAndRecord(`Done.`, delta))
      const events = await playTurn(server, story.id, { type: 'do', text: `ask about ${name}` })
      const [done] = events.filter(ofType('done'))
      expect(done?.world_state.state).toMatchObject({
        world: { [name]: 2 },
        player: { [name]: 5 },
        npc: { [name]: { [name]: 1 } },
        flags: { [name]: true },
        milestones: { [name]: { reached: true } },
      })
      expect(JSON.stringify(endpoint.requests.at(-1)?.body)).toContain(`About ${name}.`)
      expect((await server.get(`/api/adventures/${story.id}/audit`)).body.findings).toEqual([])
      await server.send('PUT', `/api/adventures/${story.id}/world-state`, { [`player.${name}`]: 7 })
      await server.send('PATCH', `/api/scenarios/${scenario.id}`, {
        stat_schema: { player: { [name]: { initial: 0 } } },
      })
      expect((await server.post(`/adventures/${story.id}/refresh`)).status).toBe(200)
      const { state } = (await server.get(`/api/adventures/${story.id}/world-state`)).body
      expect([Object.entries(state.player), Object.entries(state.world)]).toEqual([[[name, 7]], []])
      for (const page of ['', '?world=edit', '?panel=plot', '/insights', '/refresh'])
        expect((await server.ask(`/adventures/${story.id}${page}`)).status).toBe(200)
      expect((await server.ask(`/scenarios/${scenario.id}/edit?tab=stats`)).status).toBe(200)
      const exported = await server.ask(`/api/adventures/${story.id}/export`)
      const imported = await server.ask('/api/import?apply=1', {
        method: 'POST',
        body: await exported.text(),
      })
      expect(imported.status).toBe(201)
    })

  test('47 a stat called __proto__ is refused with a message', async () => {
    for (const path of ['player', 'world', 'npcs', 'flags', 'milestones'])
      expect(
        await sendText('POST', '/api/scenarios', `{"stat_schema":{"${path}":{"${PROTO}":{}}}}`),
      ).toMatchObject({ status: 422, text: expect.stringContaining('has an invalid name') })
  })

  test('47 a placeholder called __proto__ is a plain value or refused', async () => {
    const { body } = await server.post('/api/scenarios', { prompt: `\${${PROTO}} wakes.` })
    const begun = await sendText(
      'POST',
      '/api/adventures',
      `{"scenario_id":${body.id},"placeholders":{"${PROTO}":"Mira"}}`,
    )
    expect(begun.status).toBeLessThan(500)
    expect(begun.text).toMatch(/Mira wakes|\$\{__proto__\} wakes|must be|expected/i)
  })
})

describe('47 at every level of every body', async () => {
  const spoils = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(spoils)
    if (value === null || typeof value !== 'object') return value
    const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoils(one)]))
    return { ...inner, SPOIL: 1 }
  }
  /** JSON text with `__proto__` and similar keys in every object. */
  const spoiled = (value: unknown) =>
    JSON.stringify(spoils(value)).replaceAll(
      '"SPOIL":1',
      `"${PROTO}":{"isAdmin":true,"polluted":1},"constructor":{"prototype":{"isAdmin":true}},"toString":"x","hasOwnProperty":1`,
    )

  const { body: api } = await server.get('/api/openapi.json')
  interface Operation {
    requestBody?: { content: Record<string, { schema: { examples?: unknown[] } }> }
  }
  for (const [path, methods] of Object.entries<Record<string, Operation>>(api.paths))
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const [example] = requestBody?.content['application/json']?.schema.examples ?? []
      if (example === undefined) continue
      test(`47 ${method} ${path}`, async () => {
        const to = path.replace('{id}', '1').replace('{action}', '1').replace('{memory}', '1')
        const { status, text } = await sendText(method.toUpperCase(), to, spoiled(example))
        expect(status).toBeLessThan(500)
        expect(text).not.toContain('isAdmin')
      })
    }

  for (const name of [
    'own-adventure-counted.json',
    'own-scenario-full.json',
    'bundle-v1-lamp.json',
    'bundle-v2-tree.json',
    'bundle-scenario-full.json',
    'card-v2.json',
    'card-v3.json',
    'cards-official.json',
    'kobold-chat.json',
  ])
    test(`47 the file ${name}`, async () => {
      const { status, text } = await sendText('POST', '/api/import?apply=1', spoiled(sample(name)))
      expect([201, 422]).toContain(status)
      const imported = JSON.parse(text) as { adventure_ids?: number[]; scenario_ids?: number[] }
      for (const id of imported.adventure_ids ?? []) {
        expect((await server.ask(`/adventures/${id}`)).status).toBe(200)
        expect((await server.get(`/api/adventures/${id}`)).body.isAdmin).toBeUndefined()
      }
      for (const id of imported.scenario_ids ?? [])
        expect((await server.get(`/api/scenarios/${id}`)).body.isAdmin).toBeUndefined()
    })
})

test.skipIf(!hasBrowser)('47 nothing reaches the objects of a page', async () => {
  const { body: scenario } = await server.post('/api/scenarios', {
    title: PROTO,
    stat_schema: { player: { constructor: { initial: 1, label: PROTO } } },
  })
  const { body: story } = await server.post('/api/adventures', { scenario_id: scenario.id, title: PROTO })
  const { page, faults } = await visit(server.address)
  endpoint.byDefault(say(`${PROTO} constructor.prototype.isAdmin = 1`))
  const names = `${PROTO}[isAdmin]=1&constructor[prototype][isAdmin]=1&${PROTO}.isAdmin=1`
  for (const address of [
    `/adventures/${story.id}?${names}&world=edit`,
    `/scenarios/${scenario.id}?${names}`,
    `/search?q=${PROTO}&${names}`,
  ]) {
    await page.goto(address)
    expect(
      await page.evaluate(() => [Object.keys(Object.prototype), ({} as { isAdmin?: unknown }).isAdmin]),
    ).toEqual([[], undefined])
  }
  expect(faults).toEqual([])
})
