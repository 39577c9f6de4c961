import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { BadVariable, readConfig } from '../../../src/config.ts'
import { contentOf } from '../../support/library/library-content.ts'
import { addressOf, refusalOf, spawnService } from '../../support/service/process.ts'
import { sendRaw, statusesIn } from '../../support/service/raw-request.ts'
import { startServer } from '../../support/service/server.ts'
import { temporaryFolder } from '../../support/temporary.ts'

// Origins. Checks of every route are in every-route.test.ts.
const LISTED = 'http://localhost:5173'
let queries = 0
const server = await startServer({
  allowedHosts: ['stories.lan'],
  corsOrigins: [LISTED],
  watch: () => queries++,
})
const { port, host, origin } = new URL(server.address)
const { body: story } = await server.post('/api/adventures', { scenario_id: 1 })

type Head = Record<string, string>
const JSON_TYPE = { 'Content-Type': 'application/json' }
const write = (headers: Head, body = '{"title":"Stranger"}') =>
  server.ask('/api/adventures', { method: 'POST', headers, body })

async function expectRefused(response: Response, code = 'origin_not_allowed', status = 403): Promise<void> {
  expect([response.status, await response.json()]).toMatchObject([status, { code }])
  expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
}

describe('another web page may not write', () => {
  const pages: [what: string, head: Head][] = [
    ['9 another site', { Origin: 'https://evil.example' }],
    [
      '9 another site that claims to be same-origin',
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
    ],
    ['9 our name with another scheme', { Origin: `ftp://${host}` }],
    ['9 our name with a path', { Origin: `${origin}/` }],
    ['9 our name and more', { Origin: `${origin}.evil.example` }],
    ['9 our name after user info', { Origin: `http://a@${host}` }],
    ['9 a listed page with another port', { Origin: 'http://localhost:5174' }],
    ['9 a listed page with another scheme', { Origin: 'https://localhost:5173' }],
    ['9 a listed page in capitals', { Origin: 'http://LOCALHOST:5173' }],
    ['9 an empty origin', { Origin: '' }],
    ['9 our name over TLS, which we do not serve', { Origin: `https://${host}` }],
    ['9 a listed host under another name', { Origin: 'https://stories.lan' }],
    ['10 a sandboxed frame or a file', { Origin: 'null' }],
    ['11 another port of this machine', { Origin: 'http://localhost:1', 'Sec-Fetch-Site': 'same-site' }],
    ['11 another name of this machine', { Origin: `http://localhost:${port}` }],
    ['11 another port without an origin', { 'Sec-Fetch-Site': 'same-site' }],
    ['12 a page without an origin', { 'Sec-Fetch-Site': 'cross-site' }],
    ['12 a page with an unknown fetch site', { 'Sec-Fetch-Site': 'cross-origin' }],
  ]
  for (const [what, head] of pages)
    test(what, async () => {
      const before = contentOf(server.path)
      await expectRefused(await write({ ...JSON_TYPE, ...head }))
      expect(contentOf(server.path)).toBe(before)
    })

  test('9 one with two origins, ours first', async () => {
    const response = await sendRaw(
      server.address,
      `POST /api/adventures HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nOrigin: https://evil.example\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    )
    expect(statusesIn(response)).toEqual([403])
  })
})

describe('who may write', () => {
  const allowed: [who: string, head: Head][] = [
    ['14 a script, which sends none of these headers', {}],
    ['9 our own page', { Origin: origin, 'Sec-Fetch-Site': 'same-origin' }],
    ['9 our own page behind a TLS proxy', { Host: 'stories.lan', Origin: 'https://stories.lan' }],
    ['13 a typed address', { 'Sec-Fetch-Site': 'none' }],
    ['9 a listed page', { Origin: LISTED, 'Sec-Fetch-Site': 'cross-site' }],
  ]
  for (const [who, head] of allowed)
    test(who, async () => expect((await write({ ...JSON_TYPE, ...head })).status).toBe(201))
})

describe('13 a link on another page', () => {
  const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
  for (const path of ['/', `/adventures/${story.id}`, '/settings', '/nowhere'])
    test(`opens ${path}`, async () => expect((await server.ask(path, { headers: link })).status).toBe(200))
  for (const path of [
    '/api/adventures',
    '/api/docs',
    '/api/backup',
    '/api/scenarios/1/image',
    '/api/nowhere',
  ])
    test(`does not open ${path}`, async () => expectRefused(await server.ask(path, { headers: link })))

  test('gets no JSON from an address that serves both a page and JSON', async () => {
    const path = `/adventures/${story.id}/refresh`
    expect((await server.ask(path)).headers.get('content-type')).toStartWith('application/json')
    await expectRefused(await server.ask(path, { headers: link }))
    const page = await server.ask(path, { headers: { ...link, Accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })
})

describe('12 a page that another page loads without opening it', () => {
  const cross = { 'Sec-Fetch-Site': 'cross-site' }
  const link = { ...cross, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
  const ways: [what: string, head: Head][] = [
    ['a picture', { ...cross, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }],
    ['a script', { ...cross, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' }],
    ['a request', { ...cross, 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty', Origin: 'null' }],
    ['a request of an old browser', { Origin: 'https://evil.example' }],
    ['a picture on another port', { ...link, 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' }],
    ['a frame', { ...link, 'Sec-Fetch-Dest': 'iframe' }],
    ['an embedded object', { ...link, 'Sec-Fetch-Dest': 'object' }],
    ['a page that is loaded ahead', { ...link, 'Sec-Purpose': 'prefetch' }],
  ]
  for (const [what, headers] of ways)
    test(`as ${what} is refused before any query`, async () => {
      const before = queries
      for (const path of ['/', '/search?q=lamp', `/adventures/${story.id}`, '/nowhere'])
        for (const method of ['GET', 'HEAD']) {
          const response = await server.ask(path, { method, headers })
          expect([path, response.status]).toEqual([path, 403])
        }
      expect(queries).toBe(before)
    })

  test('is answered where it is opened, on another port too, and by our own pages', async () => {
    for (const headers of [
      { ...link, 'Sec-Fetch-Site': 'same-site' },
      { ...cross, 'Sec-Fetch-Mode': 'navigate' },
      { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' },
    ] as Head[]) {
      const before = queries
      expect((await server.ask('/search?q=lamp', { headers })).status).toBe(200)
      expect(queries).toBeGreaterThan(before)
    }
  })

  test('but its style and script are public', async () => {
    const file = /\/public\/\w+\/app\.css/.exec(await (await server.ask('/')).text())?.[0] ?? ''
    expect((await server.ask(file, { headers: cross })).status).toBe(200)
  })
})

describe('a form on another page, which is sent without a preflight,', () => {
  const form = (type: string, body: string) => ({ method: 'POST', headers: { 'Content-Type': type }, body })
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n[]\r\n--x--\r\n'

  test('15 that parses as JSON is refused because of its type', async () => {
    const before = contentOf(server.path)
    const body = '{"title":"Stranger","x":"=&"}'
    await expectRefused(
      await server.ask('/api/adventures', form('application/x-www-form-urlencoded', body)),
      'json_required',
      415,
    )
    expect(contentOf(server.path)).toBe(before)
  })

  test('17 that uploads a file is refused by every route', async () => {
    const before = contentOf(server.path)
    const multipart = form('multipart/form-data; boundary=x', part)
    for (const path of ['/api/scenarios/import', '/api/adventures/import', '/api/story-cards/import'])
      await expectRefused(await server.ask(path, multipart), 'json_required', 415)
    const foreign = { ...multipart, headers: { ...multipart.headers, Origin: 'https://evil.example' } }
    for (const path of ['/api/import?apply=1', '/import', '/import/apply'])
      await expectRefused(await server.ask(path, foreign))
    expect(contentOf(server.path)).toBe(before)
  })

  test('18 that is empty undoes, retries and refreshes nothing', async () => {
    const before = contentOf(server.path)
    for (const operation of ['undo', 'retry', 'refresh', 'stop', 'copy'])
      for (const head of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }] as Head[])
        for (const face of ['/api', ''])
          await expectRefused(
            await server.ask(`${face}/adventures/${story.id}/${operation}`, {
              method: 'POST',
              headers: head,
            }),
          )
    expect(contentOf(server.path)).toBe(before)
    // An empty request from a script is not a form.
    expect((await server.ask(`/api/adventures/${story.id}/stop`, { method: 'POST' })).status).toBe(200)
  })
})

describe('20 a preflight', () => {
  const preflight = (from: string, path = '/api/adventures') =>
    server.ask(path, {
      method: 'OPTIONS',
      headers: {
        Origin: from,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
        'Access-Control-Request-Private-Network': 'true',
        'Access-Control-Request-Local-Network': 'true',
      },
    })

  for (const from of ['https://evil.example', 'null', 'http://localhost:5174'])
    test(`of ${from} is refused`, async () => expectRefused(await preflight(from)))

  test('of a listed page is allowed, only for the API', async () => {
    const response = await preflight(LISTED)
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe(LISTED)
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    expect(response.headers.get('access-control-allow-private-network')).toBeNull()
    await expectRefused(await preflight(LISTED, '/adventures'))
  })
})

describe('21 who may read a response', () => {
  const allowed = async (path: string, from: string) =>
    (await server.ask(path, { headers: { Origin: from } })).headers.get('access-control-allow-origin')

  test('a listed page, from the API', async () => {
    expect(await allowed('/api/settings', LISTED)).toBe(LISTED)
    expect(await allowed('/api/nowhere', LISTED)).toBe(LISTED)
  })
  test('and nobody else, and no page', async () => {
    for (const from of ['https://evil.example', 'null', origin])
      for (const path of ['/api/settings', '/api/nowhere', '/', '/public/x'])
        expect([path, await allowed(path, from)]).toEqual([path, null])
    expect(await allowed('/', LISTED)).toBeNull()
  })
})

test('24 another page cannot start a turn on any route', async () => {
  const before = contentOf(server.path)
  const requests: [path: string, init: RequestInit][] = [
    [
      `/api/adventures/${story.id}/actions`,
      { method: 'POST', headers: JSON_TYPE, body: '{"type":"continue"}' },
    ],
    [`/api/adventures/${story.id}/retry`, { method: 'POST' }],
    [
      `/adventures/${story.id}/turns`,
      { method: 'POST', body: new URLSearchParams({ type: 'do', text: 'run' }) },
    ],
    [`/api/adventures/${story.id}/actions`, { headers: { Accept: 'text/event-stream' } }],
    [
      '/api/practice/v1/chat/completions',
      { method: 'POST', headers: JSON_TYPE, body: '{"messages":[],"stream":true}' },
    ],
  ]
  for (const [path, init] of requests)
    for (const from of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }] as Head[]) {
      await expectRefused(await server.ask(path, { ...init, headers: { ...init.headers, ...from } }))
      expect(server.deps.locks.isTaken(story.id)).toBe(false)
    }
  expect(contentOf(server.path)).toBe(before)
})

describe('an invalid list of origins', () => {
  const lists: [value: string, named: string][] = [
    ['22 *', '*'],
    ['22 *,http://a.lan', '*'],
    ['22  * ', '*'],
    ['22 http://*', 'http://*'],
    ['22 https://*.x', 'https://*.x'],
    ['22 null', 'null'],
    ['22 http://a.lan,null', 'null'],
    ['23 http://a.lan/', 'http://a.lan/'],
    ['23 http://a.lan/path', 'http://a.lan/path'],
    ['23 http://a.lan:80', 'http://a.lan:80'],
    ['23 http://A.lan', 'http://A.lan'],
    ['23 http://u@a.lan', 'http://u@a.lan'],
    ['23 http://bücher.lan', 'http://bücher.lan'],
    ['23 a.lan', 'a.lan'],
    ['23 javascript:alert(1)', 'javascript:alert(1)'],
    ['23 file:///', 'file:///'],
    ['23 http://a.lan,', ''],
    ['23 ,', ''],
    ['23 http://a.lan http://b.lan', 'http://a.lan http://b.lan'],
  ]
  for (const [title, named] of lists)
    test(title, () => {
      const value = title.slice(3)
      expect(() => readConfig({ APP_CORS_ORIGINS: value })).toThrow(BadVariable)
      expect(() => readConfig({ APP_CORS_ORIGINS: value })).toThrow(`APP_CORS_ORIGINS has "${named}"`)
    })

  test('22 stops the program with the reason, and no port is opened', async () => {
    const free = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    free.stop(true)
    const env = { APP_DB_PATH: `${temporaryFolder()}/library.db`, APP_PORT: String(free.port) }
    const { code, said } = await refusalOf(spawnService({ ...env, APP_CORS_ORIGINS: 'http://a.lan,*' }))
    expect(code).not.toBe(0)
    expect(said).toContain('APP_CORS_ORIGINS has "*"')
    expect(await Bun.file(env.APP_DB_PATH).exists()).toBe(false)
    await expect(
      new Promise((opened, refused) =>
        connect(free.port, '127.0.0.1', () => opened(true)).on('error', refused),
      ),
    ).rejects.toThrow('ECONNREFUSED')
  })

  test('23 but exact origins are accepted', async () => {
    const env = {
      APP_DB_PATH: `${temporaryFolder()}/library.db`,
      APP_CORS_ORIGINS: ' http://a.lan , https://b.lan:8443',
    }
    const address = await addressOf(spawnService(env))
    for (const from of ['http://a.lan', 'https://b.lan:8443']) {
      const response = await fetch(`${address}api/health`, { headers: { Origin: from } })
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, from])
    }
    expect((await fetch(`${address}api/health`, { headers: { Origin: 'http://c.lan' } })).status).toBe(403)
  })
})
