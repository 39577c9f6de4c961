import { afterAll, expect, test } from 'bun:test'
import { gate, loading, type Step, say, silent, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

/** Milliseconds per second of the service and the model server: few, except in a long run with real seconds. */
const second = Number(process.env.APP_TEST_SECOND ?? 2)
const LONG = 2_000 * second + 20_000

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer({ narrator: { msPerSecond: second, connectTimeout: 10_000 / second } })

/** Counts from its first request: refuses for 20 seconds, is silent until it has loaded, then replies. */
function cold(loaded: Promise<unknown>): Step {
  let since: number | null = null
  return async (exchange) => {
    since ??= performance.now()
    if (performance.now() - since < 20 * second) return (loading()[0] ?? silent)(exchange)
    await Promise.race([loaded, exchange.closed])
    return say('The lamp is lit.')(exchange)
  }
}

async function begin(read_timeout_seconds: number, loaded: Promise<unknown>): Promise<number> {
  endpoint.byDefault(cold(loaded))
  const settings = { endpoint_url: endpoint.url, model: 'test-model', read_timeout_seconds }
  await server.send('PUT', '/api/settings', settings)
  return (await server.post('/api/adventures', { title: 'Cold' })).body.id
}

test(
  'a turn waits for a model that loads for 400 seconds when 3,600 are allowed',
  async () => {
    const id = await begin(3_600, Bun.sleep(400 * second))
    const events = await playTurn(server, id, { type: 'do', text: 'wait' })
    expect(events.at(-1)).toMatchObject({ type: 'done', action: { text: 'The lamp is lit.' } })
  },
  LONG,
)

test(
  'but not for longer than is allowed; a retry then finds the model ready',
  async () => {
    const loaded = gate()
    const id = await begin(300, loaded.opened)
    const events = await playTurn(server, id, { type: 'do', text: 'wait' })
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      code: 'timeout',
      retryable: true,
      detail: expect.stringContaining('was not ready after 300 seconds'),
    })
    loaded.open()
    await server.send('PUT', '/api/settings', { read_timeout_seconds: 3_600 })
    expect((await retryTurn(server, id)).at(-1)).toMatchObject({ type: 'done' })
  },
  LONG,
)
