import { afterAll, expect, test } from 'bun:test'
import {
  afterGate,
  fallSilent,
  gate,
  type RecordedBody,
  type Step,
  say,
  startEndpoint,
} from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
// Without idle time between turns.
const server = await startServer()
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })

const taskOf = (body: RecordedBody | null) => body?.messages?.at(-1)?.content ?? ''
const isTask = (body: RecordedBody | null) => taskOf(body).includes('[Leave the story')
let onTask: Step = say('They went on along the road.')
let told = 0
endpoint.byDefault((exchange) =>
  isTask(exchange.request.body) ? onTask(exchange) : say(`Passage ${told++} of the road.`)(exchange),
)
const tasks = () => endpoint.requests.filter(({ body }) => isTask(body)).map(({ body }) => taskOf(body))

async function begin(): Promise<number> {
  const { id } = (await server.post('/api/adventures', { title: 'Road' })).body
  endpoint.requests.length = 0
  return id
}
const bank = async (id: number) => (await server.get(`/api/adventures/${id}/memories`)).body
async function play(id: number, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await playTurn(server, id, { type: 'do', text: `step ${turn}` })
}

test('a player who never pauses has memories and a summary', async () => {
  const id = await begin()
  await server.send('PATCH', `/api/adventures/${id}`, { auto_summarize: true })
  await play(id, 30)
  expect(await bank(id)).toHaveLength(4)
  expect((await server.get(`/api/adventures/${id}`)).body.story_summary).not.toBe('')
})

test('all that waits is asked about, without quotes, behind the prompt of the story', async () => {
  const id = await begin()
  await play(id, 7)
  expect(tasks()).toEqual([])
  const before = endpoint.requests.at(-1)?.body?.messages ?? []
  await play(id, 1)
  expect(await bank(id)).toMatchObject([{ source_start: 1, source_end: 13 }])
  expect(tasks()).toHaveLength(1)
  expect(tasks()[0]).toContain('the last 13 passages before the newest one')
  expect(tasks()[0]).not.toContain('of the road')
  const asked = endpoint.requests.at(-2)?.body?.messages ?? []
  expect(asked.slice(0, before.length)).toEqual(before)
  expect(asked).toHaveLength(before.length + 2)
})

test('the next line is stored before, and answered after', async () => {
  const id = await begin()
  await play(id, 7)
  const door = gate()
  const asked = gate()
  onTask = (exchange) => {
    asked.open()
    return afterGate(door, say('They went on.'))(exchange)
  }
  const waiting = playTurn(server, id, { type: 'do', text: 'sit down' })
  await asked.opened
  expect((await server.get(`/api/adventures/${id}`)).body.actions.at(-1).text).toContain('sit down')
  door.open()
  expect((await waiting).at(-1)).toMatchObject({ type: 'done' })
  expect(await bank(id)).toHaveLength(1)
})

test('one that takes too long is given up, and not asked for in the next turn', async () => {
  const id = await begin()
  await play(id, 7)
  onTask = fallSilent('They')
  Object.assign(server.deps.recordings, { maxWait: 20 })
  const events = await playTurn(server, id, { type: 'do', text: 'sit down' })
  expect(events.at(-1)).toMatchObject({ type: 'done' })
  expect(await bank(id)).toEqual([])
  endpoint.requests.length = 0
  await play(id, 1)
  expect(tasks()).toEqual([])
})
