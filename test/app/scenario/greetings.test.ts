import { describe, expect, test } from 'bun:test'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const OPENINGS = ['Rain, ${Your name}.', 'Fog over ${A town}.']

async function scenario(): Promise<number> {
  const fields = { title: 'The Lamp Road', prompt: 'Dusk.', greetings: OPENINGS }
  return (await server.post('/api/scenarios', fields)).body.id
}
const begin = (scenario_id: number, more: object = {}) =>
  server.post('/api/adventures', {
    scenario_id,
    placeholders: { 'Your name': 'Mara', 'A town': 'Wick' },
    ...more,
  })
const opening = async (id: number): Promise<string> =>
  (await server.get(`/api/adventures/${id}/actions`)).body.actions[0].text
const form = (path: string, fields: Record<string, string>) =>
  server.ask(path, { method: 'POST', body: new URLSearchParams(fields) })

describe('a story begins with', () => {
  const cases: [what: string, greeting: object, text: string][] = [
    ['the first opening if none is chosen', {}, 'Dusk.'],
    ['the first opening', { greeting: 0 }, 'Dusk.'],
    ['the second', { greeting: 1 }, 'Rain, Mara.'],
    ['the last', { greeting: 2 }, 'Fog over Wick.'],
  ]
  for (const [what, greeting, text] of cases)
    test(what, async () => {
      const { body } = await begin(await scenario(), greeting)
      expect(await opening(body.id)).toBe(text)
    })

  test('nothing, when an opening is chosen that there is not', async () => {
    const stories = (await server.get('/api/adventures')).body.length
    const { status, body } = await begin(await scenario(), { greeting: 3 })
    expect([status, body.code]).toEqual([409, 'changed_elsewhere'])
    expect((await server.get('/api/adventures')).body).toHaveLength(stories)
  })
})

test('a page without script offers each opening, and starts with the chosen one', async () => {
  const id = await scenario()
  const page = await (await server.ask(`/scenarios/${id}`)).text()
  expect(page.match(/type="radio" name="greeting"/g)).toHaveLength(3)
  const answer = await form('/adventures', {
    scenario_id: String(id),
    greeting: '2',
    'question-0': 'Your name',
    'answer-0': 'Mara',
    'question-1': 'A town',
    'answer-1': 'Wick',
  })
  const to = new URL(answer.headers.get('location') ?? '', server.address)
  expect(await opening(Number(to.pathname.split('/').at(-1)))).toBe('Fog over Wick.')
})

test('of many openings the first are listed, and the others folded', async () => {
  const greetings = Array.from({ length: 11 }, (_, i) => `Opening ${i + 2}.`)
  const { body } = await server.post('/api/scenarios', { title: 'Many', prompt: 'Dusk.', greetings })
  const page = await (await server.ask(`/scenarios/${body.id}`)).text()
  const [listed = '', folded = ''] = page.split('More openings (4)')
  expect([listed, folded].map((part) => part.match(/name="greeting"/g)?.length)).toEqual([8, 4])
})

test('a scenario with one opening offers no choice', async () => {
  const { body } = await server.post('/api/scenarios', { title: 'Plain', prompt: 'Dusk.' })
  expect(await (await server.ask(`/scenarios/${body.id}`)).text()).not.toContain('name="greeting"')
  expect(body.greetings).toEqual([])
})

test('the form of the editor keeps the order, and removes what is empty', async () => {
  const id = await scenario()
  await form(`/scenarios/${id}`, { 'greeting-0': 'Snow.', 'greeting-1': ' ', 'greeting-2': 'Sun.' })
  expect((await server.get(`/api/scenarios/${id}`)).body.greetings).toEqual(['Snow.', 'Sun.'])
})

test('all openings are exported as a card, and found by a search', async () => {
  const id = await scenario()
  const card = (await server.get(`/api/scenarios/${id}/export?format=card`)).body
  expect(card.data.alternate_greetings).toEqual(['Rain, {{user}}.', 'Fog over A town.'])
  const found = (await server.get('/api/search?q=fog')).body
  expect(JSON.stringify(found)).toContain('The Lamp Road')
})
