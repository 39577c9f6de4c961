import { describe, expect, test } from 'bun:test'
import { contentOf } from '../support/library/library-content.ts'
import { everyRoute } from '../support/service/routes.ts'
import { startServer } from '../support/service/server.ts'

const server = await startServer()
const routes = await everyRoute(server)
const { body: scenario } = await server.post('/api/scenarios', { title: 'The Lamp Road' })
const { body: story } = await server.post('/api/adventures', { scenario_id: scenario.id })
const { body: card } = await server.post('/api/story-cards', { scenario_id: scenario.id, name: 'Lamp' })
const before = contentOf(server.path)

const refusalOf = (...paths: string[]) => ({
  status: 422,
  body: {
    code: 'invalid',
    detail: expect.stringContaining(paths.map((path) => `“${path.slice(1)}”`).join(', ')),
    errors: paths.map((path) => ({ path, message: 'Unknown field' })),
  },
})

describe('a key that no field has is refused by its name', () => {
  // Files are tolerant, paths of a world state are judged one by one, and the practice narrator is any client's.
  const strict = routes.filter(
    ({ example, route }) => example !== null && !/import$|world-state$|practice|engine/.test(route),
  )
  for (const { method, route, path, example } of strict)
    test(`${method} ${route}`, async () => {
      const body = { ...(example as object), tilte: 'A', constructor: 1 }
      expect(await server.send(method, path, body)).toEqual(refusalOf('/tilte', '/constructor'))
      expect(contentOf(server.path)).toBe(before)
    })

  test('also among the fields as they were read', async () => {
    for (const path of [`/scenarios/${scenario.id}`, `/adventures/${story.id}`, `/story-cards/${card.id}`])
      expect(await server.send('PATCH', `/api${path}`, { was: { tilte: 'A' } })).toEqual(
        refusalOf('/was/tilte'),
      )
  })

  test('also by the page that takes JSON', async () => {
    const response = await server.ask(`/adventures/${story.id}/refresh`, {
      method: 'POST',
      headers: { Accept: 'text/html', 'Content-Type': 'application/json' },
      body: '{"skpi":[]}',
    })
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('“skpi”')])
  })
})

test('what clients of the earlier release send, and what GET answered, may be sent', async () => {
  const settings = (await server.get('/api/settings')).body
  const gone = { user_id: 7, api_key: 'x', has_api_key: false, stream: true }
  expect(await server.send('PUT', '/api/settings', { ...settings, ...gone })).toMatchObject({
    status: 200,
    body: settings,
  })
  expect((await server.post('/api/scenarios', { is_public: true, script_ids: [] })).status).toBe(201)
})

describe('a form', () => {
  const post = async (path: string, fields: Record<string, string>) => {
    const response = await server.ask(path, { method: 'POST', body: new URLSearchParams(fields) })
    return { status: response.status, text: await response.text() }
  }
  const odd = JSON.parse('{"constructor":"x","toString":"x","__proto__":"x","valueOf":"1"}')

  test('has only the fields that are known', async () => {
    const forms: [path: string, fields: Record<string, string>][] = [
      ['/settings', { temperature: '0.5' }],
      ['/settings/reading', { theme: 'sepia' }],
      ['/scenarios', { title: 'Odd' }],
      [`/scenarios/${scenario.id}`, { title: 'Odd' }],
      [`/adventures/${story.id}`, { title: 'Odd' }],
      [`/story-cards/${card.id}`, { name: 'Odd' }],
      ['/story-cards', { scenario_id: String(scenario.id), name: 'Odd' }],
    ]
    for (const [path, fields] of forms)
      expect([path, (await post(path, { ...fields, ...odd })).status]).toEqual([
        path,
        path === '/settings' ? 200 : 303,
      ])
    expect((await server.get('/api/settings')).body.temperature).toBe(0.5)
    expect((await server.get(`/api/scenarios/${scenario.id}`)).body.title).toBe('Odd')
  })

  test('adds a stat to a section of any name', async () => {
    const { status } = await post(`/scenarios/${scenario.id}/stats`, { base: '{}', do: 'add:constructor' })
    expect(status).toBeLessThan(500)
  })
})

describe('a wrong value', () => {
  const choices: [method: string, path: string, body: object | undefined, says: string][] = [
    ['POST', `/api/adventures/${story.id}/actions`, { type: 'shout' }, 'do, say, story, try, continue'],
    ['PUT', `/api/adventures/${story.id}/shelf`, { shelf: 'lost' }, 'open, pinned, archived'],
    ['POST', `/api/story-cards/${card.id}/move`, { where: 'up' }, 'earlier, later'],
    ['PUT', '/api/settings', { api_mode: 'voice' }, 'chat, completion'],
    ['PUT', '/api/settings', { reasoning_effort: 'most' }, 'low, medium, high'],
    ['PUT', '/api/settings', { second_call: 'yes' }, 'on, never'],
    ['PUT', '/api/preferences', { theme: 'pink' }, 'sepia'],
    ['PUT', '/api/settings', { num_ctx: 100 }, 'a whole number from 512 to 1000000'],
    ['POST', '/api/adventures', { scenario_id: 'abc' }, 'scenario_id (expected a whole number)'],
    ['POST', '/api/adventures', { placeholders: 'abc' }, 'placeholders (expected object)'],
    ['POST', '/api/scenarios', { title: 7 }, 'title (expected text of at most 200 characters).'],
    ['PUT', '/api/settings', { temperature: 'hot' }, 'temperature (expected number'],
    ['POST', '/api/import?duplicates=maybe', {}, 'duplicates (expected one of skip, import, replace)'],
    ['GET', '/api/search?q=a&kind=song', undefined, 'adventure, scenario'],
    ['GET', `/api/adventures/${story.id}/export?format=pdf`, undefined, 'json'],
    ['GET', `/api/scenarios/${scenario.id}/export?format=pdf`, undefined, 'json'],
  ]
  for (const [method, path, body, says] of choices)
    test(`of ${method} ${path.replace(/\d+/, '1')} ${JSON.stringify(body ?? '')} lists the choices`, async () => {
      const answer = await server.send(method, path, body)
      expect(answer).toMatchObject({ status: 422, body: { code: 'invalid' } })
      expect(answer.body.detail).toContain(says)
    })

  for (const path of [
    '/api/story-cards?scenario_id=abc',
    '/api/story-cards?adventure_id=1.5',
    '/api/story-cards/export?scenario_id=abc',
    `/api/adventures/${story.id}/actions?limit=abc`,
    `/api/adventures/${story.id}/actions?before_id=abc`,
    '/api/search?q=a&adventure=abc',
  ])
    test(`${path.replace(/\d+/, '1')} is refused as not a number`, async () => {
      const answer = await server.get(path)
      expect(answer).toMatchObject({ status: 422, body: { code: 'invalid' } })
      const name = /\?(?:q=a&)?(\w+)/.exec(path)?.[1]
      expect(answer.body.detail).toBe(`Please check: ${name} (expected a whole number).`)
    })

  for (const [path, fields] of [
    ['/story-cards', 'scenario_id=abc&name=Lamp'],
    ['/story-cards/try', 'adventure_id=abc&text=Lamp'],
    ['/adventures', 'scenario_id=abc'],
    ['/import', 'owner=abc&text=x'],
  ] as const)
    test(`${path} with ${fields} does not speak of NaN`, async () => {
      const response = await server.ask(path, { method: 'POST', body: new URLSearchParams(fields) })
      expect(response.status).toBeLessThan(500)
      expect(await response.text()).not.toContain('NaN')
    })
})
