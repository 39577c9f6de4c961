import { afterAll, describe, expect, test } from 'bun:test'
import { MAX_BUNDLE_BYTES, MAX_IMPORT_BYTES } from '../../../src/domain/limits.ts'
import { MAX_BODY } from '../../../src/http/guard.ts'
import { sayAndRecord, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { contentOf } from '../../support/library/library-content.ts'
import { bodyOf, sendRaw, statusesIn } from '../../support/service/raw-request.ts'
import { everyRoute, FORM_FIELDS, QUERIES, type RouteRequest } from '../../support/service/routes.ts'
import { startServer } from '../../support/service/server.ts'

// The routes come from the service itself, so new ones are covered automatically.
const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
endpoint.byDefault(sayAndRecord('The lamp burns low.', { 'player.warmth': -1 }))
const server = await startServer()
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
const routes = await everyRoute(server)
const { host } = new URL(server.address)
const before = contentOf(server.path)

const reading = routes.filter(({ method }) => method === 'GET' || method === 'HEAD')
const writing = routes.filter((route) => !reading.includes(route))

/** Sends a request that would succeed without these headers. */
function ask(
  { method, path, isApi, example }: RouteRequest,
  headers: Record<string, string>,
): Promise<Response> {
  if (method === 'GET' || method === 'HEAD')
    return server.ask(path, { method, headers: isApi ? headers : { Accept: 'text/html', ...headers } })
  const type = isApi ? 'application/json' : 'application/x-www-form-urlencoded'
  const body = isApi ? JSON.stringify(example ?? {}) : FORM_FIELDS
  return server.ask(path, { method, body, headers: { 'Content-Type': type, ...headers } })
}

/** Expects an error with this code and an unchanged library. */
async function expectRefused(response: Response, status: number, code: string): Promise<void> {
  expect(response.status).toBe(status)
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
  expect(await response.json()).toEqual({ detail: expect.any(String), code })
  expect(contentOf(server.path)).toBe(before)
}

test('all routes of the API and the pages are covered', () => {
  const count = (list: RouteRequest[], isApi: boolean) => list.filter((route) => route.isApi === isApi).length
  expect(count(writing, true)).toBeGreaterThan(30)
  expect(count(writing, false)).toBeGreaterThan(25)
  expect(count(reading, true)).toBeGreaterThan(20)
  expect(count(reading, false)).toBeGreaterThan(12)
})

for (const route of writing)
  describe(`${route.method} ${route.route}`, () => {
    test('2 refuses an unknown host name', async () => {
      const rebound = { Host: 'evil.example', Origin: 'http://evil.example', 'Sec-Fetch-Site': 'same-origin' }
      await expectRefused(await ask(route, rebound), 403, 'host_not_allowed')
    })

    test('9 refuses other web pages', async () => {
      for (const headers of [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: 'http://localhost:1', 'Sec-Fetch-Site': 'same-site' },
        { 'Sec-Fetch-Site': 'cross-site' },
      ] as Record<string, string>[])
        await expectRefused(await ask(route, headers), 403, 'origin_not_allowed')
    })

    if (route.isApi)
      test('16 refuses the content types of forms', async () => {
        const isFile = route.route === '/api/import'
        for (const type of [
          'text/plain',
          'text/plain; charset=application/json',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          '',
        ]) {
          const another = { 'Content-Type': type, ...(isFile ? { Origin: 'https://evil.example' } : {}) }
          await (isFile
            ? expectRefused(await ask(route, another), 403, 'origin_not_allowed')
            : expectRefused(await ask(route, another), 415, 'json_required'))
        }
      })

    test('51 refuses a body over the limit, unread', async () => {
      const limit = limitOf(route.path)
      const response = await sendRaw(
        server.address,
        `${route.method} ${route.path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${limit + 1}\r\nConnection: close\r\n\r\n`,
      )
      expect(statusesIn(response)).toEqual([413])
      const sentence = `The request is too large: the limit is ${limit / 1024 / 1024} MB.`
      if (route.isApi) expect(JSON.parse(bodyOf(response))).toEqual({ detail: sentence, code: 'too_large' })
      else expect(bodyOf(response)).toMatch(new RegExp(`^<!doctype html>.*${sentence}`))
      expect(contentOf(server.path)).toBe(before)
    })
  })

describe('12 a read route', () => {
  for (const route of reading)
    test(`${route.method} ${route.route} writes nothing`, async () => {
      for (const query of QUERIES[route.route] ?? ['']) {
        const response = await ask({ ...route, path: route.path + query }, {})
        await response.arrayBuffer()
        // Not found and redirects are valid responses too.
        if (!/nowhere|delete|unknown/.test(route.path)) expect([query, response.status]).toEqual([query, 200])
        expect(contentOf(server.path)).toBe(before)
      }
    })

  for (const route of reading.filter(({ route }) => !route.startsWith('/public/')))
    test(`${route.method} ${route.route} refuses another web page`, async () => {
      for (const headers of [
        { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
        { 'Sec-Fetch-Site': 'same-site' },
        { Origin: 'https://evil.example' },
      ] as Record<string, string>[]) {
        const response = await ask(route, headers)
        expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null])
      }
    })
})

describe('80 the headers of every response', () => {
  const isPicture = ({ route }: RouteRequest) => route.endsWith('/image')
  const isKept = ({ route }: RouteRequest) => route.startsWith('/public/') && !route.endsWith('*')
  for (const route of routes)
    test(`of ${route.method} ${route.route}`, async () => {
      const bodyHeaders =
        route.method === 'GET' || route.method === 'HEAD' ? {} : { 'Content-Encoding': 'gzip' }
      for (const headers of [
        bodyHeaders,
        { Origin: 'null', ...bodyHeaders },
        { Host: 'evil.example', ...bodyHeaders },
      ]) {
        const response = await ask(route, headers)
        await response.arrayBuffer()
        const of = (name: string) => response.headers.get(name)
        const mayKeep = response.ok && (isPicture(route) || isKept(route))
        expect(of('cache-control')).toEqual(
          // The reader's preferences are requested with every page.
          mayKeep ? expect.stringMatching(/^((private|public), |no-cache$)/) : 'no-store',
        )
        expect(of('referrer-policy')).toBe(route.isApi ? 'no-referrer' : 'same-origin')
        expect(of('cross-origin-resource-policy')).toBe('same-origin')
        expect(of('cross-origin-opener-policy')).toBe('same-origin')
        expect(of('x-content-type-options')).toBe('nosniff')
        expect(of('x-frame-options')).toBe('DENY')
        expect(of('set-cookie')).toBeNull()
      }
    })
})

// Requests like those refused above succeed from our own page: every route is open to the player.
test('and our own page may use all of them', async () => {
  const own = { Origin: server.address.slice(0, -1), 'Sec-Fetch-Site': 'same-origin' }
  for (const route of writing) {
    if (/delete|duplicate|copy|import|retry|actions$|turns$|undo|detect/.test(route.route)) continue
    const response = await ask(route, own)
    await response.arrayBuffer()
    expect([route.method, route.route, response.status]).not.toEqual([route.method, route.route, 403])
  }
  expect(contentOf(server.path)).not.toBe(before)
})

function limitOf(path: string): number {
  if (path === '/api/import' || path === '/import') return MAX_BUNDLE_BYTES
  return path.endsWith('/import') ? MAX_IMPORT_BYTES : MAX_BODY
}
