import { describe, expect, test } from 'bun:test'
import { unknownApi } from '../../src/api/unknown.ts'
import { startServer } from '../support/service/server.ts'

const server = await startServer()

test('a known path with a wrong method lists the allowed ones', async () => {
  const response = await server.ask('/api/adventures/1/actions/1', { method: 'DELETE' })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('PATCH')
  expect(await response.json()).toMatchObject({ code: 'wrong_method' })
  expect((await server.send('PUT', '/api/scenarios')).status).toBe(405)
})

describe('a fixed path beside an id is known by its own methods', () => {
  const paths: [path: string, allow: string][] = [
    ['/api/scenarios/import', 'POST'],
    ['/api/adventures/import', 'POST'],
    ['/api/story-cards/import', 'POST'],
    ['/api/story-cards/export', 'GET'],
    ['/api/story-cards/try', 'POST'],
  ]
  for (const [path, allow] of paths)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
      test(`${method} ${path}`, async () => {
        for (const to of [path, `${path}/`]) {
          const body = ['GET', 'HEAD'].includes(method) ? {} : { body: '{"no":1}' }
          const headers = { 'Content-Type': 'application/json' }
          const response = await server.ask(to, { method, headers, ...body })
          const isAllowed = method === allow || (method === 'HEAD' && allow === 'GET')
          expect([response.status === 405, response.headers.get('allow')]).toEqual([
            !isAllowed,
            isAllowed ? null : allow,
          ])
        }
      })

  test('and an id that is not a number is still refused as one', async () =>
    expect((await server.get('/api/scenarios/imports')).status).toBe(422))
})

describe('the documentation', () => {
  test('names every route and loads nothing from outside', async () => {
    const { body } = await server.get('/api/openapi.json')
    const page = await (await server.ask('/api/docs')).text()
    expect(Object.keys(body.paths).length).toBeGreaterThan(20)
    for (const path of Object.keys(body.paths)) expect(page).toContain(path)
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//)
  })

  test('has examples that work', async () => {
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
          const { status } = await request(
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

async function request(method: string, path: string, body: unknown): Promise<Response> {
  const response = await server.ask(path, {
    method: method.toUpperCase(),
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
  await response.text()
  return response
}

test('a page is served without a look at the routes of the API', async () => {
  let looks = 0
  const app = unknownApi(() => {
    looks++
    return []
  })
  await app.handle(new Request('http://localhost/'))
  expect(looks).toBe(0)
})
