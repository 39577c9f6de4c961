import { describe, expect, test } from 'bun:test'
import { settingsFields } from '../../src/domain/settings.ts'
import { everyRoute } from '../support/service/routes.ts'
import { startServer } from '../support/service/server.ts'

// 500 is for our own faults: no value of a setting may cause one.
const server = await startServer({ practicePace: 1 })
const routes = (await everyRoute(server)).filter(
  // A search for servers asks real ports, and copies read no setting.
  ({ route }) => !/detect|backup|export|import|public/.test(route),
)
/** Routes that delete things which other routes need. */
const isLast = (route: string) => /delete|undo/.test(route)
const reading = routes.filter(({ method }) => method === 'GET')
const writing = routes
  .filter(({ method }) => method !== 'GET' && method !== 'HEAD')
  .sort((one, other) => Number(isLast(one.route)) - Number(isLast(other.route)))

const bounds = Object.entries(settingsFields().properties)
const extreme = (bound: 'minimum' | 'maximum') =>
  Object.fromEntries(bounds.flatMap(([name, schema]) => (bound in schema ? [[name, schema[bound]]] : [])))

async function fails(route: (typeof routes)[number]): Promise<string | null> {
  const { method, path, isApi, example } = route
  const form = new URLSearchParams({ text: 'A lamp.', type: 'do', name: 'x', index: '0', where: 'later' })
  const init = isApi
    ? { body: JSON.stringify(example ?? {}), headers: { 'Content-Type': 'application/json' } }
    : { body: form }
  const response = await server.ask(path, { method, ...(method === 'GET' ? {} : init) })
  await response.arrayBuffer()
  return response.status === 500 ? `${method} ${route.route}` : null
}

const failing = async (list: typeof routes) => {
  const failed: string[] = []
  for (const route of list) failed.push((await fails(route)) ?? '')
  return failed.filter(Boolean)
}

describe('no route fails', () => {
  const smallest = { ...extreme('minimum'), narrator_prompt: '' }
  const largest = { ...extreme('maximum'), max_output_tokens: 90_000, reasoning_max_tokens: 90_000 }
  for (const [what, settings] of Object.entries({ smallest, largest }))
    test(`with the ${what} settings that are accepted`, async () => {
      expect((await server.send('PUT', '/api/settings', settings)).status).toBe(200)
      expect(await failing(reading)).toEqual([])
    })

  test('with settings of an older file that leave no room for a story', async () => {
    server.deps.library.write((tx) =>
      tx.run('UPDATE settings SET context_token_budget = 256, max_output_tokens = 100000'),
    )
    const context = reading.find(({ route }) => route === '/api/adventures/:id/context')
    expect(await server.get(context?.path ?? '')).toEqual({
      status: 422,
      body: { code: 'prompt_too_large', detail: expect.stringContaining('max response length') },
    })
    expect(await failing([...reading, ...writing])).toEqual([])
  })
})
