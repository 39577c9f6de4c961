import { describe, expect, test } from 'bun:test'
import { startServer } from '../support/service/server.ts'

const server = await startServer()

test('a known path with a wrong method says which ones it takes', async () => {
  const answer = await server.ask('/api/adventures/1/actions/1', { method: 'DELETE' })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('PATCH')
  expect(await answer.json()).toMatchObject({ code: 'wrong_method' })
  expect((await server.send('PUT', '/api/scenarios')).status).toBe(405)
})

describe('the documentation', () => {
  test('names every route and loads nothing from outside', async () => {
    const { body } = await server.get('/api/openapi.json')
    const page = await (await server.ask('/api/docs')).text()
    expect(Object.keys(body.paths).length).toBeGreaterThan(20)
    for (const path of Object.keys(body.paths)) expect(page).toContain(path)
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//)
  })

  test('has examples that do what they say', async () => {
    const { body } = await server.get('/api/openapi.json')
    await server.post('/api/adventures', { scenario_id: 1 })
    let tried = 0
    for (const [path, methods] of Object.entries<
      Record<string, { requestBody?: { content: Record<string, { schema: { examples?: unknown[] } }> } }>
    >(body.paths))
      for (const [method, { requestBody }] of Object.entries(methods)) {
        const examples = requestBody?.content['application/json']?.schema.examples ?? []
        if (requestBody) expect([path, examples.length]).toEqual([path, 1])
        for (const example of examples) {
          tried++
          const { status } = await answered(
            method,
            path.replace('{id}', '1').replace('{action}', '1'),
            example,
          )
          expect([path, method, status]).toEqual([
            path,
            method,
            EXPECTED[`${method} ${path}`] ?? expect.any(Number),
          ])
          expect(status).toBeLessThan(500)
        }
      }
    expect(tried).toBeGreaterThan(8)
  })
})

// An opening has no second attempt.
const EXPECTED: Record<string, number> = { 'post /api/adventures/{id}/actions/{action}/variant': 400 }

async function answered(method: string, path: string, body: unknown): Promise<Response> {
  const answer = await server.ask(path, {
    method: method.toUpperCase(),
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
  await answer.text()
  return answer
}
