import { expect, test } from 'bun:test'
import { say } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

const STATS = {
  world: { alarm: { initial: 10, min: 0, max: 100 } },
  npcs: { brisa: { name: 'Brisa' } },
  flags: { lit: { initial: false } },
  milestones: { crossed: { desc: 'Crossed' } },
}
const is = (kind: string, of: string, value: unknown, how = 'is') => ({ kind, of, is: how, value })
const CARDS = [
  { name: 'Search', when: [is('stat', 'world.alarm', 50, 'at least')] },
  { name: 'Lamp', when: [is('flag', 'flags.lit', true)] },
  { name: 'Far side', when: [is('milestone', 'milestones.crossed', true)] },
  { name: 'Gift', when: [is('present', 'npc.brisa', true)] },
  { name: 'Late', when: [is('turn', '', 5, 'at least')] },
  { name: 'After', when: [is('card', 'Omen', true)] },
]

const scenario = (await server.post('/api/scenarios', { title: 'Tried', stat_schema: STATS })).body.id
for (const { name, when } of CARDS)
  await server.post('/api/story-cards', {
    scenario_id: scenario,
    name,
    entry: `About ${name}.`,
    timing: { when, how: {} },
  })
await server.post('/api/story-cards', {
  scenario_id: scenario,
  name: 'Omen',
  keys: 'bell',
  entry: 'About Omen.',
  timing: { when: [], how: { once: true } },
})
const story = (await server.post('/api/adventures', { scenario_id: scenario })).body.id

async function tried(owner: object, trial: object) {
  const { status, body } = await server.post('/api/story-cards/try', { ...owner, text: '', ...trial })
  expect(status).toBe(200)
  return body.cards as { name: string; included: boolean; reason: string; why?: string[] }[]
}
const told = async (owner: object, trial: object) =>
  (await tried(owner, trial)).flatMap(({ name, included }) => (included ? [name] : []))

test('cards are tried with any values, turn, text and cards included before, of a scenario and of a story', async () => {
  const trials: [object, string[]][] = [
    [{}, []],
    [{ values: { 'world.alarm': 60 } }, ['Search']],
    [{ values: { 'flags.lit': true, 'milestones.crossed': true } }, ['Lamp', 'Far side']],
    [{ text: 'Brisa waits.' }, ['Gift']],
    [{ turn: 5 }, ['Late']],
    [{ text: 'A bell.' }, ['Omen']],
    [{ text: 'A bell.', told: { Omen: 1 }, turn: 3 }, ['After']],
  ]
  for (const owner of [{ scenario_id: scenario }, { adventure_id: story }])
    for (const [trial, names] of trials) expect(await told(owner, trial)).toEqual(names)
  const [omen] = (await tried({ scenario_id: scenario }, {})).filter(({ name }) => name === 'Omen')
  expect(omen).toMatchObject({ reason: 'not triggered', why: ['none of its triggers is in the text'] })
})

test('a story is tried as it stands now, and nothing of it changes', async () => {
  const id = (await server.post('/api/adventures', { scenario_id: scenario })).body.id
  endpoint.next(say('It rings.'))
  await playTurn(server, id, { type: 'do', text: 'ring the bell' })
  await server.send('PUT', `/api/adventures/${id}/world-state`, { 'world.alarm': 70 })
  const before = (await server.get(`/api/adventures/${id}/export`)).body
  expect(await told({ adventure_id: id }, { text: 'A bell.' })).toEqual(['Search', 'After'])
  expect(await told({ adventure_id: id }, { values: { 'world.alarm': 0 }, told: {} })).toEqual([])
  const after = (await server.get(`/api/adventures/${id}/export`)).body
  expect({ ...after, exported_at: '' }).toEqual({ ...before, exported_at: '' })
})

test('what cannot be is refused with its path', async () => {
  for (const [trial, path] of [
    [{ values: { 'world.gone': 1 } }, '/values/world.gone'],
    [{ values: { 'world.alarm': 'loud' } }, '/values/world.alarm'],
    [{ turn: 0 }, '/turn'],
  ] as const) {
    const trying = { scenario_id: scenario, text: '', ...trial }
    const { status, body } = await server.post('/api/story-cards/try', trying)
    expect([status, body.errors?.[0]?.path]).toEqual([422, path])
  }
})

test('the form shows the values of the next turn, and what was chosen again', async () => {
  for (const [owner, page] of [
    [{ scenario_id: String(scenario) }, `/scenarios/${scenario}/edit?tab=cards`],
    [{ adventure_id: String(story) }, `/adventures/${story}?panel=plot`],
  ] as const) {
    const html = await (await server.ask(page)).text()
    expect(html).toContain('name="set:world.alarm" value="10"')
    expect(html).toContain('name="told:Omen"')
    const fields: Record<string, string> = {
      ...owner,
      text: 'A bell.',
      turn: '6',
      'set:world.alarm': '60',
      'was:world.alarm': '10',
      'on:flags.lit': '1',
      'was-on:flags.lit': '',
      'told:Omen': '2',
    }
    const answer = await server.ask('/story-cards/try', { method: 'POST', body: new URLSearchParams(fields) })
    const shown = await answer.text()
    for (const words of [
      'Alarm is 60, at least 50',
      'Lit is yes',
      'included once already',
      'The turn is 6, at least 5',
    ])
      expect(shown).toContain(words)
    expect(shown).toContain('name="set:world.alarm" value="60"')
  }
})
