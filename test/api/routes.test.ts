import { describe, expect, test } from 'bun:test'
import { startServer } from '../support/server.ts'

const server = await startServer()
const REMOVED = [
  '/api/auth/me',
  '/api/auth/register',
  '/api/auth/login',
  '/api/auth/logout',
  '/api/scripts',
  '/api/scripts/1',
  '/api/scripts/1/test',
  '/api/scripts/1/export',
  '/api/scripts/import',
  '/api/adventures/1/script-state',
  '/api/adventures/1/scripts',
  '/api/adventures/1/scripts/1',
  '/api/adventures/1/scripts/1/sync',
  '/api/analytics/collect',
  '/api/analytics/summary',
  '/api/analytics/access',
  '/api/adventures/1/branches',
  '/api/adventures/1/branches/1',
  '/api/adventures/1/actions/1/fork',
  '/api/adventures/1/actions/1/takes',
  '/api/chat/config',
  '/api/chat/stream',
  '/api/debug/requests',
]

describe('a route that is gone is gone for every method', () => {
  for (const path of REMOVED)
    test(path, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
        expect(await server.send(method, path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    })
})

describe('what is not there is JSON under /api and a page elsewhere', () => {
  for (const path of [
    '/api',
    '/api/',
    '/api/nowhere',
    '/API/adventures',
    '/api%2Fadventures',
    '/api/adventures/1;x=1',
  ])
    test(path, async () => {
      const answer = await server.ask(path, { headers: { Accept: 'text/html' } })
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toStartWith('application/json')
    })
  for (const path of ['/nowhere', '/adventures/99', '/scenarios/abc', '/apiary', '/%E0%A4%A'])
    test(path, async () => {
      const answer = await server.ask(path)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('Nothing lives here')
    })
  test('a missing file is 404 in the same words as any other', async () => {
    const bodies = await Promise.all(
      ['/public/x/app.css', '/public/..%2f..%2fetc/passwd', '/public/'].map(async (path) => [
        (await server.ask(path)).status,
        await (await server.ask(path)).text(),
      ]),
    )
    expect(new Set(bodies.map(String)).size).toBe(1)
    expect(bodies[0]?.[0]).toBe(404)
  })
})

test('a known path with a wrong method says which ones it takes', async () => {
  const answer = await server.ask('/api/adventures/1/actions/1', { method: 'DELETE' })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('PATCH')
  expect(await answer.json()).toMatchObject({ code: 'wrong_method' })
  expect((await server.send('PUT', '/api/scenarios')).status).toBe(405)
})

describe('numbers in a path are plain digits', () => {
  for (const id of ['abc', '1e0', '0x1', '-1', '1.0', '%31x'])
    test(id, async () =>
      expect(await server.get(`/api/scenarios/${id}`)).toMatchObject({
        status: 422,
        body: { code: 'invalid' },
      }),
    )
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
