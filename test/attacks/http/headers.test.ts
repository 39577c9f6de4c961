import { describe, expect, test } from 'bun:test'
import { dataUri, png } from '../../support/files/pictures.ts'
import { everyRoute } from '../../support/service/routes.ts'
import { startServer } from '../../support/service/server.ts'

// Response headers. That no response may be cached is tested in every-route.test.ts.
const server = await startServer()
const routes = await everyRoute(server)

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]
const policyOf = (response: Response) => response.headers.get('content-security-policy')?.split('; ').sort()

describe('25 no response can be framed', () => {
  const requests: [what: string, path: string, init: RequestInit, status: number][] = [
    ['a page', '/', {}, 200],
    ['a missing page', '/nowhere', {}, 200],
    ['a refused form', '/settings', { method: 'POST', body: new URLSearchParams({ api_mode: 'x' }) }, 422],
    ['an invalid form', '/settings', { method: 'POST', body: 'x' }, 400],
    ['a successful form', '/adventures', { method: 'POST', body: new URLSearchParams() }, 303],
    ['a fragment', '/settings/test', { method: 'POST', headers: { 'HX-Request': 'true' } }, 200],
    ['a file', '/public/x/y', {}, 404],
    ['JSON', '/api/settings', {}, 200],
    ['a missing API route', '/api/nowhere', {}, 404],
    ['a wrong method', '/api/settings', { method: 'DELETE' }, 405],
    [
      'invalid JSON',
      '/api/adventures',
      { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' },
      400,
    ],
    ['an unknown host name', '/', { headers: { Host: 'evil.example' } }, 403],
    ['an unknown origin', '/api/settings', { headers: { Origin: 'null' } }, 403],
    ['a turn', '/api/adventures/1/retry', { method: 'POST' }, 200],
  ]
  for (const [what, path, init, status] of requests)
    test(what, async () => {
      const response = await server.ask(path, init)
      await response.body?.cancel()
      expect([response.status, response.headers.get('x-frame-options')]).toEqual([status, 'DENY'])
      expect(policyOf(response)).toContain("frame-ancestors 'none'")
    })

  for (const { method, route, path } of routes.filter(({ method }) => method === 'GET' || method === 'HEAD'))
    test(`${method} ${route}`, async () => {
      const response = await server.ask(path, { method })
      await response.body?.cancel()
      expect(response.headers.get('x-frame-options')).toBe('DENY')
      expect(policyOf(response)).toContain("frame-ancestors 'none'")
    })
})

describe('37 a page runs only our own scripts', () => {
  const pages = routes.filter(
    ({ method, isApi, route }) => method === 'GET' && !isApi && !route.startsWith('/public'),
  )
  for (const path of [
    ...pages.map(({ path }) => path),
    '/api/docs',
    '/adventures/1?panel=plot',
    '/scenarios/1/edit?tab=stats',
    '/search?q=lamp',
  ])
    test(path, async () => {
      const response = await server.ask(path, { headers: { Accept: 'text/html' }, redirect: 'follow' })
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(policyOf(response)).toEqual(POLICY.toSorted())
      const html = await response.text()
      expect(html).not.toMatch(/<script(?![^>]* src="\/public\/)|<style|<base|<object|<embed|<iframe/)
      expect(html.replace(/>[^<]*</g, '><')).not.toMatch(/ (style|on[a-z]+)="/)
      expect(html.match(/ (?:src|href|action)="(?![/#]|data:)[^"]*/g)).toBeNull()
    })
})

describe('39 a picture', () => {
  const made = async (fields: object) => (await server.post('/api/scenarios', fields)).body.id as number

  test('is served with its type, may be cached, and cannot run anything', async () => {
    const path = `/api/scenarios/${await made({ image: dataUri(png()) })}/image`
    const { image_url } = (await server.get('/api/scenarios')).body.find((one: { image_url: string }) =>
      one.image_url.startsWith(path),
    )
    const response = await server.ask(image_url)
    const of = (name: string) => response.headers.get(name)
    expect([of('content-type'), of('x-content-type-options')]).toEqual(['image/webp', 'nosniff'])
    expect(policyOf(response)).toEqual(["default-src 'none'", "frame-ancestors 'none'", 'sandbox'])
    expect(of('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(of('cross-origin-resource-policy')).toBe('same-origin')
    const known = await server.ask(image_url, { headers: { 'If-None-Match': of('etag') ?? '' } })
    expect([known.status, await known.text()]).toEqual([304, ''])
    expect((await server.ask(image_url, { method: 'HEAD' })).headers.get('etag')).toBe(of('etag'))
    const old = await server.ask(`${path}?v=old`)
    expect(old.headers.get('cache-control')).toBe('private, no-cache')
  })

  test('that is missing is 404 in JSON', async () =>
    expect(await server.get(`/api/scenarios/${await made({})}/image`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    }))
})
