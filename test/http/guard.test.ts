import { describe, expect, test } from 'bun:test'
import { sendRaw } from '../support/raw.ts'
import { startServer } from '../support/server.ts'

const server = await startServer({
  allowedHosts: ['stories.lan', 'box:8080'],
  corsOrigins: ['http://localhost:5173'],
})
const { port } = new URL(server.address)

/** Asks with a Host that no client would let us set. */
async function askAs(host: string, path = '/api/settings', more = ''): Promise<string> {
  return sendRaw(server.address, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`)
}

const status = (answer: string) => Number(answer.split(' ')[1])
const library = async () => JSON.stringify((await server.get('/api/adventures')).body)
const write = (headers: Record<string, string>, body: string | null = '{"title":"Stranger"}') =>
  server.ask('/api/adventures', { method: 'POST', headers, body })

describe('by which name it is called', () => {
  const cases: [host: string, status: number][] = [
    [`127.0.0.1:${port}`, 200],
    [`localhost:${port}`, 200],
    [`LOCALHOST:${port}`, 200],
    [`localhost.:${port}`, 200],
    [`[::1]:${port}`, 200],
    ['stories.lan', 200],
    [`stories.lan:${port}`, 200],
    ['box:8080', 200],
    ['box', 403],
    ['evil.example', 403],
    [`evil.example:${port}`, 403],
    [`127.0.0.1.evil.example:${port}`, 403],
    [`evil.localhost:${port}`, 403],
    [`127.0.0.2:${port}`, 403],
    [`0.0.0.0:${port}`, 403],
    [`[::]:${port}`, 403],
    [`2130706433:${port}`, 403],
    [`127.1:${port}`, 403],
    [`[::ffff:127.0.0.1]:${port}`, 403],
    ['127.0.0.1', 403],
    [`127.0.0.1:${Number(port) + 1}`, 403],
    ['', 400],
  ]
  for (const [host, wanted] of cases)
    test(`"${host.replace(port, 'PORT')}"`, async () => expect(status(await askAs(host))).toBe(wanted))

  for (const path of ['/', '/api/scenarios/1/image', '/public/x/app.css', '/nowhere'])
    test(`a strange name is refused for ${path} too`, async () => {
      const answer = await askAs('evil.example', path)
      expect(answer).toContain('host_not_allowed')
      expect(answer).not.toContain('Access-Control')
    })

  test('two names or none are no request', async () => {
    const twice = await sendRaw(
      server.address,
      `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    )
    const none = await sendRaw(server.address, 'GET / HTTP/1.0\r\n\r\n')
    expect([status(twice), status(none)]).toEqual([400, 400])
  })

  test('a name inside an absolute target opens nothing: only its path is read', async () => {
    const answer = await sendRaw(
      server.address,
      `GET http://evil.example/api/health HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`,
    )
    const named = await sendRaw(
      server.address,
      `GET http://localhost:${port}/api/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toContain('"turns"')
    expect(status(named)).toBe(403)
  })
})

describe('who asks', () => {
  const json = { 'Content-Type': 'application/json' }
  const refused: [who: string, headers: Record<string, string>][] = [
    ['another site', { ...json, Origin: 'https://evil.example' }],
    ['a sandboxed frame', { ...json, Origin: 'null' }],
    [
      'another port of this machine',
      { ...json, Origin: 'http://localhost:1', 'Sec-Fetch-Site': 'same-site' },
    ],
    ['a rebound name', { ...json, Origin: `http://evil.example:${port}` }],
    ['an unnamed page of another site', { ...json, 'Sec-Fetch-Site': 'cross-site' }],
  ]
  for (const [who, headers] of refused)
    test(`${who} may not write`, async () => {
      const before = await library()
      const answer = await write(headers)
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ code: 'origin_not_allowed' })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      expect(await library()).toBe(before)
    })

  const allowed: [who: string, headers: Record<string, string>][] = [
    ['a script', json],
    ['our own page', { ...json, Origin: `http://127.0.0.1:${port}`, 'Sec-Fetch-Site': 'same-origin' }],
    ['a listed page', { ...json, Origin: 'http://localhost:5173', 'Sec-Fetch-Site': 'cross-site' }],
  ]
  for (const [who, headers] of allowed)
    test(`${who} may write`, async () => expect((await write(headers)).status).toBe(201))

  test('no other site may read the API, not even by a link', async () => {
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' },
      { Origin: 'https://evil.example' },
    ])
      expect((await server.ask('/api/adventures', { headers })).status).toBe(403)
  })

  test('a link from elsewhere may open a page', async () => {
    expect(
      (await server.ask('/', { headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' } }))
        .status,
    ).toBe(200)
  })

  test('a form of another site starts no turn', async () => {
    const { body } = await server.post('/api/adventures', {})
    const form = {
      method: 'POST',
      body: 'type=do&text=run',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://evil.example' },
    }
    expect((await server.ask(`/adventures/${body.id}/turns`, form)).status).toBe(403)
    expect((await server.get(`/api/adventures/${body.id}`)).body.action_count).toBe(1)
  })
})

describe('other origins', () => {
  const preflight = (origin: string, path = '/api/adventures') =>
    server.ask(path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Private-Network': 'true',
      },
    })

  test('that are listed get a preflight and their own name', async () => {
    const answer = await preflight('http://localhost:5173')
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    const read = await server.ask('/api/settings', { headers: { Origin: 'http://localhost:5173' } })
    expect(read.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
  })

  test('that are not listed get nothing', async () => {
    const answer = await preflight('https://evil.example')
    expect(answer.status).toBe(403)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('get no page, listed or not', async () => {
    const answer = await server.ask('/', { headers: { Origin: 'http://localhost:5173' } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('bodies', () => {
  const types: [type: string, status: number][] = [
    ['application/json', 201],
    ['application/json; charset=utf-8', 201],
    ['APPLICATION/JSON', 201],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/jsonp', 415],
  ]
  for (const [type, wanted] of types)
    test(`${type} is answered ${wanted}`, async () =>
      expect((await write({ 'Content-Type': type })).status).toBe(wanted))

  test('without a type or compressed are refused', async () => {
    expect((await write({ 'Content-Type': '' })).status).toBe(415)
    expect((await write({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })).status).toBe(415)
  })

  test('that are too large are refused by their length, before they are read', async () => {
    const head = (path: string, length: string) =>
      sendRaw(
        server.address,
        `POST ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`,
      )
    expect(await head('/api/adventures', String(2 * 1024 * 1024 + 1))).toContain('"too_large"')
    expect(status(await head('/api/scenarios', String(900 * 1024 * 1024)))).toBe(413)
    expect(status(await head('/api/adventures', 'many'))).toBe(400)
  })

  test('without a length are refused', async () => {
    const answer = await sendRaw(
      server.address,
      `POST /api/adventures HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    )
    expect(status(answer)).toBe(411)
  })

  const odd: [what: string, body: string, status: number][] = [
    ['no JSON', '{', 400],
    ['a list', '[]', 422],
    ['nested 100,000 deep', `{"placeholders":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`, 400],
    ['a name of every object', '{"placeholders":{"__proto__":"x","constructor":"y"}}', 201],
  ]
  for (const [what, body, wanted] of odd)
    test(`${what}: ${wanted}`, async () => {
      const answer = await write({ 'Content-Type': 'application/json' }, body)
      expect(answer.status).toBe(wanted)
      expect(({} as Record<string, unknown>).x).toBeUndefined()
    })
})

describe('what every answer says', () => {
  for (const path of [
    '/',
    '/settings',
    '/nowhere',
    '/api/settings',
    '/api/nowhere',
    '/public/x/y',
    '/adventures/99',
  ])
    test(path, async () => {
      const { headers } = await server.ask(path)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('content-security-policy')).not.toContain('unsafe')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe(path.startsWith('/api') ? 'no-referrer' : 'same-origin')
      expect(headers.get('set-cookie')).toBeNull()
    })

  test('no upgrade is taken, and no method is overridden', async () => {
    const upgrade = await server.ask('/api/settings', {
      headers: { Connection: 'Upgrade', Upgrade: 'websocket' },
    })
    expect(upgrade.status).toBeLessThan(500)
    expect(upgrade.status).not.toBe(101)
    await server.ask('/api/scenarios/1', { headers: { 'X-HTTP-Method-Override': 'DELETE' } })
    expect((await server.get('/api/scenarios/1')).status).toBe(200)
  })
})
