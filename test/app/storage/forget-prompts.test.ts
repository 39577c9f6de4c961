import { afterAll, expect, test } from 'bun:test'
import { runDoctor } from '../../../src/app/files/doctor.ts'
import { KEPT_PROMPTS } from '../../../src/domain/limits.ts'
import { say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer()

test('stored prompts are deleted but for the newest; texts, and what the next prompt says, stay', async () => {
  await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
  const lamp = { name: 'Lamp', keys: 'lamp', entry: 'It burns.', type: 'thing' }
  const { id } = (await server.post('/api/adventures', { title: 'Long' })).body
  await server.post('/api/story-cards', { adventure_id: id, ...lamp })
  for (let turn = 0; turn < KEPT_PROMPTS + 3; turn++) {
    endpoint.next(say(`The sea rises for the ${turn}th time.`))
    await server.send('PATCH', `/api/adventures/${id}`, { memory: turn < 2 ? 'An old plot.' : 'A new plot.' })
    await playTurn(server, id, { type: 'do', text: turn === 1 ? 'light the lamp' : `wait ${turn} hours` })
  }
  const path = `/api/adventures/${id}`
  const story = (await server.get(`${path}/actions?limit=100`)).body
  const told = story.actions.filter(({ type }: { type: string }) => type === 'ai')
  const prompts = async () =>
    Promise.all(told.map(async ({ id: action }: { id: number }) => (await server.get(`${path}/actions/${action}/context`)).body)) // biome-ignore format: one call
  const [before, next] = [await prompts(), (await server.get(`${path}/context`)).body]
  expect(before.every(({ messages }) => messages.length > 0)).toBe(true)
  expect(textsWith('An old plot.')).toBeGreaterThan(0)
  expect((await server.ask('/storage/forget-prompts', { method: 'POST' })).status).toBe(303)
  const after = await prompts()
  expect(after.slice(3)).toEqual(before.slice(3))
  expect(after.slice(0, 3).map(({ code }) => code)).toEqual(['not_found', 'not_found', 'not_found'])
  expect((await server.get(`${path}/context`)).body).toEqual(next)
  expect((await server.get(`${path}/actions?limit=100`)).body).toEqual(story)
  expect([textsWith('An old plot.'), textsWith('A new plot.') > 0]).toEqual([0, true])
  expect((await runDoctor(server.path, { version: '' })).findings).toEqual([]) // biome-ignore format: one call
})

const textsWith = (words: string) =>
  server.deps.library.reader.all('SELECT hash FROM prompt_parts WHERE text LIKE ?', `%${words}%`).length
