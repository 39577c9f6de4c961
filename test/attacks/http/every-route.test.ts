import { afterAll, describe, expect, test } from 'bun:test'
import { BODY, IMPORT_BODY } from '../../../src/http/guard.ts'
import { say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { contentOf } from '../../support/library/library-content.ts'
import { bodyOf, sendRaw, statusesIn } from '../../support/service/raw-request.ts'
import { type Asked, everyRoute } from '../../support/service/routes.ts'
import { startServer } from '../../support/service/server.ts'

// The routes are those that the service itself knows: one that is added later is attacked too.
const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
endpoint.byDefault(say('The lamp burns low.\n```state_delta\n{"player.warmth": -1}\n```'))
const server = await startServer()
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
const routes = await everyRoute(server)
const { host } = new URL(server.address)
const before = contentOf(server.path)

const reading = routes.filter(({ method }) => method === 'GET' || method === 'HEAD')
const writing = routes.filter((route) => !reading.includes(route))

/** What a form may send to do something, whichever form it is. */
const FIELDS =
  'title=Stolen&text=Stolen&type=do&name=Stolen&do=delete&where=later&index=0&up_to=&model=Stolen'

/** Asks so that it would be done, but for what else the head says. */
function ask({ method, path, isApi, example }: Asked, headers: Record<string, string>): Promise<Response> {
  if (method === 'GET' || method === 'HEAD')
    return server.ask(path, { method, headers: isApi ? headers : { Accept: 'text/html', ...headers } })
  const type = isApi ? 'application/json' : 'application/x-www-form-urlencoded'
  const body = isApi ? JSON.stringify(example ?? {}) : FIELDS
  return server.ask(path, { method, body, headers: { 'Content-Type': type, ...headers } })
}

/** Expects a refusal by code, in the one shape of an error, and a library that nobody has touched. */
async function expectRefused(answer: Response, status: number, code: string): Promise<void> {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  expect(await answer.json()).toEqual({ detail: expect.any(String), code })
  expect(contentOf(server.path)).toBe(before)
}

test('all routes of both faces are known here', () => {
  const count = (list: Asked[], isApi: boolean) => list.filter((route) => route.isApi === isApi).length
  expect(count(writing, true)).toBeGreaterThan(30)
  expect(count(writing, false)).toBeGreaterThan(25)
  expect(count(reading, true)).toBeGreaterThan(20)
  expect(count(reading, false)).toBeGreaterThan(12)
})

for (const route of writing)
  describe(`${route.method} ${route.route}`, () => {
    test('2 is done under no strange name', async () => {
      const rebound = { Host: 'evil.example', Origin: 'http://evil.example', 'Sec-Fetch-Site': 'same-origin' }
      await expectRefused(await ask(route, rebound), 403, 'host_not_allowed')
    })

    test('9 is done for no other page', async () => {
      for (const headers of [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: 'http://localhost:1', 'Sec-Fetch-Site': 'same-site' },
        { 'Sec-Fetch-Site': 'cross-site' },
      ] as Record<string, string>[])
        await expectRefused(await ask(route, headers), 403, 'origin_not_allowed')
    })

    if (route.isApi)
      test('16 takes nothing that a form could send', async () => {
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

    test('51 takes no body above the limit, and reads none of it', async () => {
      const limit = route.path.endsWith('/import') ? IMPORT_BODY : BODY
      const answer = await sendRaw(
        server.address,
        `${route.method} ${route.path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${limit + 1}\r\nConnection: close\r\n\r\n`,
      )
      expect(statusesIn(answer)).toEqual([413])
      const sentence = `At most ${limit / 1024 / 1024} MB can be sent here.`
      if (route.isApi) expect(JSON.parse(bodyOf(answer))).toEqual({ detail: sentence, code: 'too_large' })
      else expect(bodyOf(answer)).toMatch(new RegExp(`^<!doctype html>.*${sentence}`))
      expect(contentOf(server.path)).toBe(before)
    })
  })

describe('12 a route that reads', () => {
  const WAYS: Record<string, string[]> = {
    '/api/story-cards': ['?scenario_id=1'],
    '/api/story-cards/export': ['?scenario_id=1'],
    '/adventures/:id': [
      '',
      '?panel=memory',
      '?panel=plot',
      '?world=edit',
      '?edit=1',
      '?show=1',
      '?before=2',
      '?at=1',
    ],
    '/adventures/:id/insights': ['', '?turn=3'],
    '/scenarios/:id': ['', '?open=stats', '?open=cards', '?open=questions'],
    '/search': ['', '?q=lamp'],
    '/api/search': ['', '?q=lamp'],
    '/api/adventures/:id/export': ['', '?format=epub', '?format=html', '?format=jsonl', '?format=legacy'],
  }
  for (const route of reading)
    test(`${route.method} ${route.route} writes nothing`, async () => {
      for (const query of WAYS[route.route] ?? ['']) {
        const answer = await ask({ ...route, path: route.path + query }, {})
        await answer.arrayBuffer()
        // What is nowhere, or has gone to another page, is an answer too.
        if (!/nowhere|delete/.test(route.path)) expect([query, answer.status]).toEqual([query, 200])
        expect(contentOf(server.path)).toBe(before)
      }
    })

  for (const route of reading.filter(({ isApi }) => isApi))
    test(`${route.method} ${route.route} says nothing to another page`, async () => {
      for (const headers of [
        { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
        { 'Sec-Fetch-Site': 'same-site' },
        { Origin: 'https://evil.example' },
      ] as Record<string, string>[]) {
        const answer = await ask(route, headers)
        expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null])
      }
    })
})

describe('80 the head of every answer', () => {
  const isPicture = ({ route }: Asked) => route.endsWith('/image')
  const isKept = ({ route }: Asked) => route.startsWith('/public/') && !route.endsWith('*')
  for (const route of routes)
    test(`of ${route.method} ${route.route}`, async () => {
      const asked = route.method === 'GET' || route.method === 'HEAD' ? {} : { 'Content-Encoding': 'gzip' }
      for (const headers of [asked, { Origin: 'null', ...asked }, { Host: 'evil.example', ...asked }]) {
        const answer = await ask(route, headers)
        await answer.arrayBuffer()
        const of = (name: string) => answer.headers.get(name)
        const mayKeep = answer.ok && (isPicture(route) || isKept(route))
        expect(of('cache-control')).toEqual(
          // What the reader chose is asked for with every page.
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

// What was refused above is done when our own page asks for it: each way in is open to the player.
test('and our own page may do all of it', async () => {
  const own = { Origin: server.address.slice(0, -1), 'Sec-Fetch-Site': 'same-origin' }
  for (const route of writing) {
    if (/delete|duplicate|copy|import|retry|actions$|turns$|undo|detect/.test(route.route)) continue
    const answer = await ask(route, own)
    await answer.arrayBuffer()
    expect([route.method, route.route, answer.status]).not.toEqual([route.method, route.route, 403])
  }
  expect(contentOf(server.path)).not.toBe(before)
})
