import { afterAll, afterEach, expect, test } from 'bun:test'
import { learnedFacts, UNKNOWN_MODEL } from '../../../src/domain/prompt/model-facts.ts'
import { say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { ofType, playTurn, retryTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
afterEach(() => {
  endpoint.pages.clear()
  endpoint.routes.clear()
})
const server = await startServer({ idleDelay: 0 })
let models = 0

/** A story with a model of its own, whose server is looked at now. */
async function begin(fields: object = {}): Promise<number> {
  const model = `window-${models++}`
  await server.send('PUT', '/api/settings', {
    endpoint_url: endpoint.url,
    model,
    context_token_budget: 16_384,
  })
  await server.deps.idle.ended()
  const { id } = (await server.post('/api/adventures', { title: 'Long' })).body
  await server.send('PATCH', `/api/adventures/${id}`, fields)
  // Reading ahead would take a scripted reply.
  await server.deps.idle.ended()
  return id
}
const windowOf = (n_ctx: number) =>
  endpoint.pages.set('/props', { default_generation_settings: { n_ctx }, total_slots: 1 })
const newest = async (id: number) => (await server.get(`/api/adventures/${id}`)).body.actions.at(-1)
const sentTokens = async (id: number) =>
  (await server.get(`/api/adventures/${id}/actions/${(await newest(id)).id}/context`)).body.tokens

test('a server that is restarted with another window is noticed at the next turn', async () => {
  windowOf(4_096)
  const id = await begin()
  await playTurn(server, id)
  expect((await sentTokens(id)).budget).toBe(4_096)
  windowOf(8_192)
  await playTurn(server, id)
  expect((await sentTokens(id)).budget).toBe(8_192)
  windowOf(2_048)
  await retryTurn(server, id)
  expect((await sentTokens(id)).budget).toBe(2_048)
})

test('a prompt that is too large is sent once the server has a larger window, without saving the settings', async () => {
  windowOf(1_024)
  const id = await begin({ ai_instructions: 'The road goes on and on. '.repeat(200) })
  expect((await playTurn(server, id)).at(-1)).toMatchObject({ type: 'error', code: 'prompt_too_large' })
  windowOf(8_192)
  expect((await playTurn(server, id)).at(-1)).toMatchObject({ type: 'done' })
})

test('the window of a server that was not recognised is asked again before a prompt is too large', async () => {
  endpoint.pages.set('/v1/models', { data: [{ id: `window-${models}`, max_model_len: 1_024 }] })
  const id = await begin({ ai_instructions: 'The road goes on and on. '.repeat(200) })
  expect((await playTurn(server, id)).at(-1)).toMatchObject({ type: 'error', code: 'prompt_too_large' })
  endpoint.pages.set('/v1/models', { data: [{ id: `window-${models - 1}`, max_model_len: 8_192 }] })
  expect((await playTurn(server, id)).at(-1)).toMatchObject({ type: 'done' })
})

for (const [how, look] of [
  ['saved unchanged', () => server.send('PUT', '/api/settings', { endpoint_url: endpoint.url })],
  ['tested', () => server.post('/api/settings/test')],
  ['looked for', () => server.post('/api/settings/detect')],
] as const)
  test(`a server that is ${how} is asked for its window again`, async () => {
    windowOf(4_096)
    const id = await begin()
    windowOf(8_192)
    await look()
    await server.deps.idle.ended()
    expect((await server.get(`/api/adventures/${id}/context`)).body.tokens.budget).toBe(8_192)
  })

test('Ollama tells its window when it has loaded the model; a prompt that it cut teaches nothing and is said', async () => {
  endpoint.routes.set('/', ({ response }) => void response.end('Ollama is running'))
  endpoint.pages.set('/api/ps', { models: [] })
  const id = await begin({ ai_instructions: 'The road goes on and on. '.repeat(500) })
  endpoint.next((exchange) => {
    endpoint.pages.set('/api/ps', { models: [{ name: `window-${models - 1}`, context_length: 2_048 }] })
    return say('Rain.', { usage: { prompt_tokens: 2_040, completion_tokens: 2 } })(exchange)
  })
  const done = (await playTurn(server, id)).find(ofType('done'))
  expect(done?.notice).toContain('read only 2040 of about')
  const { tokens } = (await server.get(`/api/adventures/${id}/context`)).body
  expect(tokens ?? {}).not.toMatchObject({ window: null })
  expect((await playTurn(server, id)).at(-1)).toMatchObject({ type: 'error', code: 'prompt_too_large' })
})

test('what is learned from a prompt that was cut to the reported window', () => {
  const ollama = { ...UNKNOWN_MODEL, window: 4_096, window_from: '/api/ps' }
  const cases: [says: string, samples: number, estimated: number, counted: number, clipped: boolean][] = [
    ['messages are left out at first', 0, 5_900, 4_070, true],
    ['messages are left out later', 4, 5_900, 4_070, true],
    ['it fits', 4, 3_000, 2_900, false],
    ['it fits because the estimate was high', 0, 4_500, 4_000, false],
    ['it is larger than the window, so the window is old', 4, 6_000, 5_900, false],
  ]
  for (const [says, samples, estimated, counted, clipped] of cases) {
    const learned = learnedFacts({ ...ollama, samples }, estimated, counted, 800)
    expect([says, learned.clipped]).toEqual([says, clipped])
    if (clipped) expect(learned.facts).toEqual({ ...ollama, samples })
  }
})
