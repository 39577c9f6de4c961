import { expect, test } from 'bun:test'
import { sayAndRecord } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

const { id: scenario_id } = (
  await server.post('/api/scenarios', {
    title: 'Gates',
    stat_schema: { flags: { gate_open: { initial: false } } },
  })
).body

const told = (open: boolean) => sayAndRecord('It is so.', { 'flags.gate_open': open })

test('what matters is listed newest first with its passage, page by page', async () => {
  const { id } = (await server.post('/api/adventures', { scenario_id })).body
  const history = async (query = '') => (await server.get(`/api/adventures/${id}/history${query}`)).body
  expect(await history()).toEqual({ events: [], before: null })
  for (const open of [true, true, false]) {
    endpoint.next(told(open))
    await playTurn(server, id, { type: 'do', text: 'push' })
  }
  const { actions } = (await server.get(`/api/adventures/${id}`)).body
  const [opened, closed] = [actions[2], actions[6]]
  const events = [
    { action_id: closed.id, index: 6, kind: 'flag', words: 'gate open: no — “It is so.”' },
    { action_id: opened.id, index: 2, kind: 'flag', words: 'gate open: yes — “It is so.”' },
  ]
  expect(await history()).toEqual({ events, before: null })
  expect(await history('?before=6')).toEqual({ events: events.slice(1), before: null })
  const page =
    (await (await server.ask(`/adventures/${id}?panel=history`)).text()).split('id="panel"')[1] ?? ''
  expect(page.indexOf('gate open: no')).toBeLessThan(page.indexOf('gate open: yes'))
  expect(page).toContain(`/adventures/${id}?at=${opened.id}#action-${opened.id}`)
  await server.post(`/api/adventures/${id}/undo`)
  expect(await history()).toEqual({ events: events.slice(1), before: null })
})
