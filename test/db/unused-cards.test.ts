import { expect, test } from 'bun:test'
import { findUnusedCards } from '../../src/db/stories/unused-cards.ts'
import { say, startEndpoint } from '../support/endpoint/endpoint.ts'
import { playTurn } from '../support/service/events.ts'
import { startServer } from '../support/service/server.ts'

test('cards that no prompt was given in fifty turns are named, in a story and in its scenario', async () => {
  await using endpoint = await startEndpoint()
  endpoint.byDefault(say('The rain goes on.'))
  const server = await startServer()
  await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'm' })
  const { id: scenario_id } = (await server.post('/api/scenarios', { title: 'Rain' })).body
  for (const [name, keys] of [
    ['Lamp', 'lamp'],
    ['Harbour', 'harbour'],
  ])
    await server.post('/api/story-cards', { scenario_id, name, keys, entry: `The ${name}.` })
  const { id } = (await server.post('/api/adventures', { scenario_id })).body
  const { reader } = server.deps.library
  const unusedOf = (owner: Parameters<typeof findUnusedCards>[1]) =>
    [...findUnusedCards(reader, owner)].map((card) =>
      reader.value<string>('SELECT name FROM story_cards WHERE id = ?', card),
    )
  for (let turn = 0; turn < 49; turn++)
    await playTurn(server, id, { type: 'do', text: turn === 40 ? 'light the lamp' : `wait ${turn}` })
  expect([unusedOf({ adventure_id: id }), unusedOf({ scenario_id })]).toEqual([[], []])
  await playTurn(server, id, { type: 'do', text: 'wait' })
  expect([unusedOf({ adventure_id: id }), unusedOf({ scenario_id })]).toEqual([['Harbour'], ['Harbour']])
  for (const path of [`/adventures/${id}?panel=plot`, `/scenarios/${scenario_id}/edit?tab=cards`])
    expect(await (await server.ask(path)).text()).toMatch(/last 50 turns: <span dir="auto">Harbour</)
})
