import { describe, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { startServer } from '../support/service/server.ts'

const server = await startServer()
const STATS = { player: { health: { min: 0, max: 10, initial: 10, desc: 'Hale.' } } }
const HTML = { Accept: 'text/html,application/xhtml+xml' }

/** A story whose scenario has gone on: a text, a card and a stat differ, and something is asked. */
async function begin() {
  const scenario = (
    await server.post('/api/scenarios', { title: 'Lamp Road', memory: 'An old lamp.', stat_schema: STATS })
  ).body.id
  const card = (
    await server.post('/api/story-cards', { scenario_id: scenario, name: 'Lamp', entry: 'It burns.' })
  ).body.id
  const id = (await server.post('/api/adventures', { scenario_id: scenario })).body.id as number
  await server.send('PATCH', `/api/scenarios/${scenario}`, {
    memory: 'A new lamp in ${Where?}.',
    stat_schema: { player: { health: { ...STATS.player.health, max: 4 } } },
  })
  await server.send('PATCH', `/api/story-cards/${card}`, { entry: 'It is out.' })
  return { id, scenario, card, path: `/adventures/${id}/refresh` }
}

const html = async (path: string) => (await server.ask(path, { headers: HTML })).text()

/** The fields of the first form that goes to `action`, as a browser would send them. */
function formOn(page: string, action: string): Record<string, string> {
  const { document } = new Window()
  document.body.innerHTML = page
  const form = [...document.querySelectorAll('form')].find((one) => one.getAttribute('action') === action)
  const controls = [...(form?.querySelectorAll('input, textarea') ?? [])]
  return Object.fromEntries(
    controls
      .filter((one) => one.getAttribute('type') !== 'checkbox' || one.hasAttribute('checked'))
      .map((one) => [one.getAttribute('name') ?? '', one.getAttribute('value') ?? '']),
  )
}

const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  server.ask(path, { method: 'POST', body: new URLSearchParams(fields), headers: { ...HTML, ...headers } })
const read = async (id: number) => (await server.get(`/api/adventures/${id}`)).body

describe('the page of a refresh', () => {
  test('shows what was and what will be of each text, card and value, and what is asked', async () => {
    const story = await begin()
    const page = await html(story.path)
    const { document } = new Window()
    document.body.innerHTML = page
    const items = [...document.querySelectorAll('.items > li')].map((item) => [
      item.querySelector('strong')?.textContent,
      ...[...item.querySelectorAll('h3, dd')].map(({ textContent }) => textContent),
    ])
    expect(items).toEqual([
      ['Plot essentials', 'An old lamp.', 'A new lamp in ${Where?}.'],
      ['Lamp', 'Entry', 'It burns.', 'It is out.'],
      ['health', 'Value', '10', '4', 'max', '10', '4'],
    ])
    expect(page).toContain('<span>Where?</span>')
    expect(page).toContain('Used in the plot essentials.')
  })

  test('has a label for every control', async () => {
    const { document } = new Window()
    document.body.innerHTML = await html((await begin()).path)
    const controls = [...document.querySelectorAll('input:not([type=hidden]), textarea')]
    expect(controls.length).toBe(4)
    expect(controls.filter((one) => one.closest('label')?.textContent?.trim() === '')).toEqual([])
  })

  test('takes over what is ticked, keeps what is not, and answers', async () => {
    const story = await begin()
    const fields = formOn(await html(story.path), story.path)
    const { [`take:card:${story.card}`]: _, ...ticked } = fields
    const answer = await send(story.path, { ...ticked, 'answer-0': 'Veld' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${story.path}?did=updated`])
    expect(await read(story.id)).toMatchObject({
      memory: 'A new lamp in Veld.',
      story_cards: [{ entry: 'It burns.' }],
    })
    const { state } = (await server.get(`/api/adventures/${story.id}/world-state`)).body
    expect(state.player.health).toBe(4)
    const page = await html(`${story.path}?did=updated`)
    expect(formOn(page, story.path)).toMatchObject({ [`take:card:${story.card}`]: '1' })
  })

  test('carries out no other plan than the one it shows, and loses nothing that was chosen', async () => {
    const story = await begin()
    const { [`take:card:${story.card}`]: _, ...fields } = formOn(await html(story.path), story.path)
    await server.send('PATCH', `/api/scenarios/${story.scenario}`, { authors_note: 'Slow.' })
    const before = await read(story.id)
    const answer = await send(story.path, { ...fields, 'answer-0': 'Veld' })
    expect(answer.status).toBe(409)
    const page = await answer.text()
    expect(page).toContain('nothing has been applied yet')
    expect(await read(story.id)).toEqual(before)
    const again = formOn(page, story.path)
    expect(again).toMatchObject({ 'answer-0': 'Veld', 'take:field:authors_note': '1' })
    expect(again).not.toHaveProperty([`take:card:${story.card}`])
    expect((await send(story.path, again)).status).toBe(303)
  })

  test('says so when there is nothing to take over, and when there is no scenario', async () => {
    const story = await begin()
    await server.post(`/api${story.path}`, { placeholders: { 'Where?': 'Veld' } })
    expect(await html(story.path)).toContain('is up to date with its scenario')
    expect(await html(`/adventures/${story.id}?panel=plot`)).toContain('Up to date.')
    await server.send('DELETE', `/api/scenarios/${story.scenario}`)
    expect(await html(story.path)).toContain('no scenario to update from')
    expect(await html(`/adventures/${story.id}?panel=plot`)).not.toContain('Update from scenario')
  })

  const CLIMB = { dice: '1d20', difficulties: [{ name: 'hard', number: 12 }] }
  const LIT = { initial: true, desc: 'The lamp burns.' }
  const SKY = { type: 'text', initial: '' }
  const CHECKED = { ...STATS, checks: { Climb: CLIMB } }
  const STATES: [what: string, stat_schema: object, shown: string[]][] = [
    [
      'a changed check',
      { ...STATS, checks: { Climb: { ...CLIMB, dice: '2d6' } } },
      ['check, changed', 'dice', '1d20', '2d6'],
    ],
    ['a new check', { ...STATS, checks: { Climb: CLIMB, Swim: CLIMB } }, ['new check']],
    ['a removed check', STATS, ['check, removed']],
    ['a new flag', { ...CHECKED, flags: { lit: LIT } }, ['new flag', 'Value', 'yes']],
    ['a new text stat', { ...CHECKED, world: { sky: SKY } }, ['new stat']],
  ]
  test.each(STATES)('shows %s', async (_what, stat_schema, shown) => {
    const { body: scenario } = await server.post('/api/scenarios', {
      title: 'Lamp Road',
      stat_schema: CHECKED,
    })
    const { body: story } = await server.post('/api/adventures', { scenario_id: scenario.id })
    await server.send('PATCH', `/api/scenarios/${scenario.id}`, { stat_schema })
    const { document } = new Window()
    document.body.innerHTML = await html(`/adventures/${story.id}/refresh`)
    const words = [...document.querySelectorAll('.items :is(.about, h3, dd)')]
    expect(words.map(({ textContent }) => textContent)).toEqual(shown)
  })

  test('shows that every value is removed with the last stat', async () => {
    const { body: scenario } = await server.post('/api/scenarios', { stat_schema: STATS })
    const { body: story } = await server.post('/api/adventures', { scenario_id: scenario.id })
    await server.send('PATCH', `/api/scenarios/${scenario.id}`, { stat_schema: {} })
    expect(await html(`/adventures/${story.id}/refresh`)).toContain('every value, removed')
  })

  test('asks what was left open, where nothing else differs', async () => {
    const story = await begin()
    const location = (await send(story.path, formOn(await html(story.path), story.path))).headers.get(
      'location',
    )
    const page = await html(location ?? '')
    expect(page).toContain('has placeholders that this story does not answer yet.')
    expect(page).not.toMatch(/Choose what to take|still differs/)
  })

  test('says so while a turn runs', async () => {
    const story = await begin()
    const fields = formOn(await html(story.path), story.path)
    using _ = server.deps.locks.take(story.id)
    const answer = await send(story.path, fields)
    expect(answer.status).toBe(409)
    expect(await answer.text()).toContain('A turn of this story is still running')
    const fragment = await send(story.path, fields, { 'HX-Request': 'true' })
    expect([fragment.status, fragment.headers.get('hx-retarget')]).toEqual([409, '#notice'])
  })
})

describe('without the prefix, a program gets what the API answers', () => {
  const kinds: [what: string, headers: Record<string, string>, type: string][] = [
    ['a program', {}, 'application/json'],
    ['a program that names JSON', { Accept: 'application/json' }, 'application/json'],
    ['a browser', HTML, 'text/html'],
    ['htmx', { 'HX-Request': 'true' }, 'text/html'],
  ]
  for (const [what, headers, type] of kinds)
    test(`${what} that asks for the plan gets ${type}`, async () => {
      const story = await begin()
      const answer = await server.ask(story.path, { headers })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining(type),
      ])
      if (type === 'application/json')
        expect(await answer.json()).toEqual((await server.get(`/api${story.path}`)).body)
    })

  test('and refreshes, with a body and without', async () => {
    const story = await begin()
    const some = await server.send('POST', story.path, { skip: ['field:memory'] })
    expect(some).toMatchObject({ status: 200, body: { id: story.id, memory: 'An old lamp.' } })
    const all = await server.post(story.path)
    expect(all).toMatchObject({ status: 200, body: { memory: 'A new lamp in ${Where?}.' } })
  })

  test('and is refused in JSON', async () => {
    const { id } = (await server.post('/api/adventures', {})).body
    const path = `/adventures/${id}/refresh`
    for (const method of ['GET', 'POST'])
      expect(await server.send(method, path)).toMatchObject({ status: 404, body: { code: 'no_scenario' } })
    expect(await server.get('/adventures/999999/refresh')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    expect(await server.post(path, { skip: 'x' })).toMatchObject({ status: 422, body: { code: 'invalid' } })
    const text = await server.ask(path, {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'text/plain' },
    })
    expect([text.status, (await text.json()).code]).toEqual([415, 'json_required'])
  })

  test('a program that wants a page gets one', async () => {
    const story = await begin()
    const headers = { ...HTML, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ skip: ['field:memory'] })
    const answer = await server.ask(story.path, { method: 'POST', headers, body })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${story.path}?did=updated`])
    expect((await read(story.id)).memory).toBe('An old lamp.')
  })
})

describe('a story', () => {
  test('has its answers in the plot, where they can be changed', async () => {
    const story = await begin()
    await server.post(`/api${story.path}`, { placeholders: { 'Where?': 'Veld' } })
    const action = `/adventures/${story.id}/answers`
    const fields = formOn(await html(`/adventures/${story.id}?panel=plot`), action)
    expect(fields).toEqual({ 'question-0': 'Where?', 'answer-0': 'Veld' })
    const cases: [answer: string, memory: string][] = [
      ['Dorn', 'A new lamp in Dorn.'],
      ['', 'A new lamp in .'],
    ]
    for (const [text, memory] of cases) {
      await send(action, { ...fields, 'answer-0': text })
      expect((await server.get(`/api${story.path}`)).body.fields.memory.new).toBe(memory)
    }
    const long = await send(action, { ...fields, 'answer-0': 'x'.repeat(2001) })
    expect(long.status).toBe(422)
    expect(formOn(await long.text(), action)['answer-0']).toHaveLength(2001)
  })
})
