import { afterAll } from 'bun:test'
import { type ScriptedEndpoint, startEndpoint } from '../endpoint/endpoint.ts'
import { startServer, type TestServer } from './server.ts'

/** A service that is connected to a scripted model server, for the tests of one file. Both are stopped after them. */
export async function startWithModel(
  options: Parameters<typeof startServer>[0] = {},
  settings: object = {},
): Promise<{ endpoint: ScriptedEndpoint; server: TestServer }> {
  const endpoint = await startEndpoint()
  afterAll(() => endpoint.close())
  const server = await startServer(options)
  await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model', ...settings })
  return { endpoint, server }
}
