import { afterAll, expect, test } from 'bun:test'
import { type RecordedBody, say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer({ idleDelay: 1e6 })
endpoint.pages.set('/props', { default_generation_settings: { n_ctx: 2_048 } })

const PASSAGE = 'The road goes on and on, past a mill and a ruined tower. '.repeat(2)
let played = 0
const isQuestion = (body: RecordedBody | null) =>
  body?.messages?.at(-1)?.content.includes('[Leave the story') ?? false
endpoint.byDefault((exchange) =>
  isQuestion(exchange.request.body)
    ? say('1. look around\n2. run\n3. sing')(exchange)
    : say(`${played++}. ${PASSAGE}`)(exchange),
)
const opening = (body: RecordedBody | null) => body?.messages?.find(({ role }) => role !== 'system')?.content

test('the next turn keeps a window that was cut for a question', async () => {
  await server.send('PUT', '/api/settings', {
    endpoint_url: endpoint.url,
    model: 'test-model',
    read_ahead: false,
    context_token_budget: 2_048,
    max_output_tokens: 60,
  })
  const { id } = (await server.post('/api/adventures', { title: 'Road' })).body
  let before: string | undefined
  let cuts = 0
  for (let turn = 0; turn < 40; turn++) {
    await playTurn(server, id, { type: 'do', text: `${turn} and on `.repeat(30) })
    const told = opening(endpoint.requests.at(-1)?.body ?? null)
    if (before !== undefined) expect(told).toBe(before)
    await server.post(`/api/adventures/${id}/suggestions`)
    const asked = endpoint.requests.findLast(({ body }) => isQuestion(body))?.body ?? null
    before = opening(asked)
    if (before !== told) cuts++
  }
  expect(cuts).toBeGreaterThan(0)
})
