import { describe, expect, test } from 'bun:test'
import { dataUri, png } from '../../support/files/pictures.ts'
import { everyRoute } from '../../support/service/routes.ts'
import { startServer } from '../../support/service/server.ts'

// What answers tell a browser. That every answer is marked as none that may be kept is in every-route.test.ts.
const server = await startServer()
const routes = await everyRoute(server)

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]
const policyOf = (answer: Response) => answer.headers.get('content-security-policy')?.split('; ').sort()

describe('25 no answer is shown in a frame', () => {
  const asks: [what: string, path: string, init: RequestInit, status: number][] = [
    ['a page', '/', {}, 200],
    ['a page that is not there', '/nowhere', {}, 200],
    [
      'a form that is refused',
      '/settings',
      { method: 'POST', body: new URLSearchParams({ api_mode: 'x' }) },
      422,
    ],
    ['a form that is none', '/settings', { method: 'POST', body: 'x' }, 400],
    ['a form that is done', '/adventures', { method: 'POST', body: new URLSearchParams() }, 303],
    ['a fragment', '/settings/test', { method: 'POST', headers: { 'HX-Request': 'true' } }, 200],
    ['a file', '/public/x/y', {}, 404],
    ['JSON', '/api/settings', {}, 200],
    ['nothing under the API', '/api/nowhere', {}, 404],
    ['a wrong method', '/api/settings', { method: 'DELETE' }, 405],
    [
      'what is no JSON',
      '/api/adventures',
      { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' },
      400,
    ],
    ['a strange name', '/', { headers: { Host: 'evil.example' } }, 403],
    ['a strange page', '/api/settings', { headers: { Origin: 'null' } }, 403],
    ['a turn', '/api/adventures/1/retry', { method: 'POST' }, 200],
  ]
  for (const [what, path, init, status] of asks)
    test(what, async () => {
      const answer = await server.ask(path, init)
      await answer.body?.cancel()
      expect([answer.status, answer.headers.get('x-frame-options')]).toEqual([status, 'DENY'])
      expect(policyOf(answer)).toContain("frame-ancestors 'none'")
    })

  for (const { method, route, path } of routes.filter(({ method }) => method === 'GET' || method === 'HEAD'))
    test(`${method} ${route}`, async () => {
      const answer = await server.ask(path, { method })
      await answer.body?.cancel()
      expect(answer.headers.get('x-frame-options')).toBe('DENY')
      expect(policyOf(answer)).toContain("frame-ancestors 'none'")
    })
})

describe('37 a page runs what we have written, and nothing else', () => {
  const pages = routes.filter(
    ({ method, isApi, route }) => method === 'GET' && !isApi && !route.startsWith('/public'),
  )
  for (const path of [
    ...pages.map(({ path }) => path),
    '/api/docs',
    '/adventures/1?panel=plot',
    '/scenarios/1?open=stats',
    '/search?q=lamp',
  ])
    test(path, async () => {
      const answer = await server.ask(path, { headers: { Accept: 'text/html' }, redirect: 'follow' })
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(policyOf(answer)).toEqual(POLICY.toSorted())
      const html = await answer.text()
      expect(html).not.toMatch(/<script(?![^>]* src="\/public\/)|<style|<base|<object|<embed|<iframe/)
      expect(html.replace(/>[^<]*</g, '><')).not.toMatch(/ (style|on[a-z]+)="/)
      expect(html.match(/ (?:src|href|action)="(?![/#]|data:)[^"]*/g)).toBeNull()
    })
})

describe('39 a picture', () => {
  const made = async (fields: object) => (await server.post('/api/scenarios', fields)).body.id as number

  test('is served as what it is, to be kept, and as nothing that runs', async () => {
    const path = `/api/scenarios/${await made({ image: dataUri(png()) })}/image`
    const { image_url } = (await server.get('/api/scenarios')).body.find((one: { image_url: string }) =>
      one.image_url.startsWith(path),
    )
    const answer = await server.ask(image_url)
    const of = (name: string) => answer.headers.get(name)
    expect([of('content-type'), of('x-content-type-options')]).toEqual(['image/webp', 'nosniff'])
    expect(policyOf(answer)).toEqual(["default-src 'none'", "frame-ancestors 'none'", 'sandbox'])
    expect(of('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(of('cross-origin-resource-policy')).toBe('same-origin')
    const known = await server.ask(image_url, { headers: { 'If-None-Match': of('etag') ?? '' } })
    expect([known.status, await known.text()]).toEqual([304, ''])
    expect((await server.ask(image_url, { method: 'HEAD' })).headers.get('etag')).toBe(of('etag'))
    const old = await server.ask(`${path}?v=old`)
    expect(old.headers.get('cache-control')).toBe('private, no-cache')
  })

  test('that is not there is 404 in JSON', async () =>
    expect(await server.get(`/api/scenarios/${await made({})}/image`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    }))
})
