import { expect, test } from 'bun:test'
import { say, status } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

const climb = {
  dice: '1d20',
  stat: 'player.grip',
  difficulties: [
    { name: 'normal', number: 12 },
    { name: 'wet', number: 15 },
  ],
  outcomes: [
    { name: 'you slip', effects: { 'player.grip': -2 } },
    { name: 'you hold on', from: 0, effects: { 'player.grip': -1 } },
  ],
}
const stat_schema = {
  player: { grip: { initial: 9, min: 0, max: 9, max_delta_per_turn: 1 } },
  checks: { Climb: climb, Jump: { ...climb, stat: undefined } },
}
const scenario_id = (await server.post('/api/scenarios', { prompt: 'A wall.', stat_schema })).body.id
await server.post('/api/story-cards', {
  scenario_id,
  name: 'The ledge',
  keys: 'ledge',
  entry: 'The ledge crumbles.',
  timing: { when: [], how: { once: true, check: 'Climb' } },
})
await server.post('/api/story-cards', {
  scenario_id,
  name: 'The gutter',
  keys: 'gutter',
  entry: 'The gutter drips.',
  timing: { when: [], how: { check: 'Climb', difficulty: 'wet' } },
})
const begin = async (): Promise<number> => (await server.post('/api/adventures', { scenario_id })).body.id
const lastSent = () => endpoint.requests.at(-1)?.body?.messages?.at(-1)?.content ?? ''
const actions = async (id: number) => (await server.get(`/api/adventures/${id}/actions`)).body.actions
const tell = async (id: number, input: object = { type: 'do', text: 'step onto the ledge' }) => {
  endpoint.next(say('Stones fall.'))
  await playTurn(server, id, input)
  return lastSent()
}

test('a card calls for a check: thrown for the line before the model is asked, and counted', async () => {
  const id = await begin()
  const sent = await tell(id)
  const [, line, passage] = await actions(id)
  expect(line.type).toBe('do')
  expect(line.roll).toMatchObject({ check: 'Climb', called_by: 'The ledge', bonus: 9, rerolls: 0 })
  expect(sent).toContain('The ledge crumbles.')
  expect(sent).toContain(`Outcome: ${line.roll.outcome}.`)
  expect(passage.roll).toEqual(line.roll)
  expect(passage.world_changes).toMatchObject([
    { verdict: 'rolled', path: 'player.grip', delta: line.roll.effects['player.grip'] },
  ])
  expect(await tell(id)).not.toContain('[Dice. ')
  expect((await server.get(`/api/adventures/${id}/audit`)).body).toMatchObject({ ok: true, findings: [] })
})

test('the card says how hard it is', async () => {
  const id = await begin()
  await tell(id, { type: 'do', text: 'step into the gutter' })
  const [, line] = await actions(id)
  expect(line.roll).toMatchObject({ difficulty: 'wet', against: 15, called_by: 'The gutter' })
  expect(await (await server.ask(`/adventures/${id}`)).text()).toContain('</strong> (“The gutter”)')
  expect((await server.get(`/api/adventures/${id}/audit`)).body).toMatchObject({ ok: true, findings: [] })
})

test('it waits for a line that tries nothing', async () => {
  const id = await begin()
  endpoint.next(say('You see a ledge.'))
  await playTurn(server, id, { type: 'do', text: 'look' })
  expect(await tell(id, { type: 'continue' })).not.toContain('The ledge crumbles.')
  expect(await tell(id, { type: 'try', text: 'jump to the ledge', check: 'Jump' })).not.toContain(
    'The ledge crumbles.',
  )
  const { cards } = (await server.get(`/api/adventures/${id}/context`)).body
  const why = 'it calls for the check “Climb”, and waits for a line that tries nothing'
  expect(cards).toMatchObject([{ name: 'The ledge', reason: 'not due', why: [why] }])
  expect(await tell(id)).toContain('The ledge crumbles.')
  expect((await actions(id)).at(-1).roll).toMatchObject({ check: 'Climb' })
})

test('its roll survives a failed turn and is repeated by a retry; undo removes it', async () => {
  const id = await begin()
  endpoint.next(status(500))
  await playTurn(server, id, { type: 'do', text: 'step onto the ledge' })
  const { roll } = (await actions(id)).at(-1)
  expect(roll).toMatchObject({ check: 'Climb', called_by: 'The ledge' })
  for (let retry = 0; retry < 2; retry++) {
    endpoint.next(say(`Stones fall, ${retry}.`))
    await retryTurn(server, id)
    expect(lastSent()).toContain('The ledge crumbles.')
    expect((await actions(id)).slice(-2)).toMatchObject([{ roll }, { roll }])
  }
  const exported = (await server.get(`/api/adventures/${id}/export`)).body
  const { body: copied } = await server.post('/api/import?apply=1', exported)
  expect((await actions(copied.adventure_ids[0])).at(-1).roll).toEqual(roll)
  expect((await server.get(`/api/adventures/${id}/audit`)).body).toMatchObject({ ok: true, findings: [] })
  const undone = await server.post(`/api/adventures/${id}/undo`)
  expect(JSON.stringify(undone.body)).not.toContain('"try"')
  expect(await actions(id)).toHaveLength(1)
})
