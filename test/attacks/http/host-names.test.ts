import { describe, expect, test } from 'bun:test'
import { contentOf } from '../../support/library/library-content.ts'
import { bodyOf, sendRaw, statusesIn } from '../../support/service/raw-request.ts'
import { startServer } from '../../support/service/server.ts'

// Host names. No client would send most of these.
const server = await startServer({ allowedHosts: ['stories.lan', 'box:8080', 'nas'] })
const { port } = new URL(server.address)
const before = contentOf(server.path)

/** Sends a request with this Host and other headers. */
const askAs = (host: string, path = '/api/adventures', more = '') =>
  sendRaw(server.address, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`)

/** Sends a write, so that an accepted name shows in the library. */
const writeAs = (host: string, more = '') =>
  sendRaw(
    server.address,
    `POST /api/adventures HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n${more}\r\n{}`,
  )

function expectRefused(response: string): void {
  expect(statusesIn(response)).toEqual([403])
  expect(JSON.parse(bodyOf(response))).toEqual({ detail: expect.any(String), code: 'host_not_allowed' })
  expect(response).not.toContain('Access-Control')
}

const withoutPort = (host: string) => host.replaceAll(port, 'PORT')

test('1 an unknown name reads nothing', async () => expectRefused(await askAs('evil.example')))

test('2 DNS rebinding reads and writes nothing', async () => {
  const host = `evil.example:${port}`
  const origin = `Origin: http://${host}\r\nSec-Fetch-Site: same-origin\r\n`
  expectRefused(await askAs(host, '/api/adventures', origin))
  expectRefused(await writeAs(host, origin))
})

describe('3 a request with no Host, or several', () => {
  const own = `localhost:${port}`
  const heads: [what: string, head: string, statuses: number[]][] = [
    ['none in HTTP/1.0', 'GET /api/health HTTP/1.0\r\n', [400]],
    ['none in HTTP/1.1', 'GET /api/health HTTP/1.1\r\nConnection: close\r\n', [400]],
    ['an empty one', 'GET /api/health HTTP/1.1\r\nHost:\r\nConnection: close\r\n', [400]],
    ['two', `GET / HTTP/1.1\r\nHost: ${own}\r\nHost: evil.example\r\nConnection: close\r\n`, [400]],
    [
      'two, ours last',
      `GET / HTTP/1.1\r\nHost: evil.example\r\nhOST: ${own}\r\nConnection: close\r\n`,
      [400],
    ],
    ['an empty one and ours', `GET / HTTP/1.1\r\nHost:\r\nHost: ${own}\r\nConnection: close\r\n`, [400]],
    ['the same twice', `GET / HTTP/1.1\r\nHost: ${own}\r\nHost: ${own}\r\nConnection: close\r\n`, [400]],
    ['two in one line', `GET / HTTP/1.1\r\nHost: ${own},evil.example\r\nConnection: close\r\n`, [400]],
    ['a folded one', `GET / HTTP/1.1\r\nHost:\r\n ${own}\r\nConnection: close\r\n`, [400]],
    ['one with a fold', `GET / HTTP/1.1\r\nHost: ${own}\r\n .evil.example\r\nConnection: close\r\n`, [400]],
    ['one after a bare line feed', `GET / HTTP/1.1\r\nX: a\nHost: ${own}\r\nConnection: close\r\n`, [400]],
    [
      'one after a bare carriage return',
      `GET / HTTP/1.1\r\nX: a\rHost: ${own}\r\nConnection: close\r\n`,
      [400],
    ],
    ['one with a space before its colon', `GET / HTTP/1.1\r\nHost : ${own}\r\nConnection: close\r\n`, [400]],
    ['one with a NUL', `GET / HTTP/1.1\r\nHost: ${own}\0.evil.example\r\nConnection: close\r\n`, [400]],
    ['only bare line feeds', `GET / HTTP/1.1\nHost: ${own}\nConnection: close\n`, [505]],
    [
      'one only in the trailers',
      `POST /api/adventures HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: Host\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\nHost: ${own}\r\n`,
      [400],
    ],
    // Only the path of such a target reaches the service, and the Host is checked as usual.
    [
      'another in the target',
      `GET http://${own}/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n`,
      [403],
    ],
    ['another, only in the target', `GET http://${own}/ HTTP/1.1\r\nConnection: close\r\n`, [400]],
  ]
  for (const [what, head, statuses] of heads)
    test(what, async () => {
      const response = await sendRaw(server.address, `${head}\r\n`)
      expect(statusesIn(response)).toEqual(statuses)
      expect(response).not.toContain('<')
    })

  test('HTTP/1.0 with our name, or our name also in the target, is accepted', async () => {
    const old = await sendRaw(server.address, `GET /api/health HTTP/1.0\r\nHost: ${own}\r\n\r\n`)
    const whole = await askAs(own, `http://${own}/api/health`)
    expect([statusesIn(old), statusesIn(whole)]).toEqual([[200], [200]])
  })
})

describe('4 a name that only starts or ends like ours', () => {
  for (const host of [
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.localhost',
    'evil.local',
    'xlocalhost',
    'localhost..',
    'evil-stories.lan',
    'stories.lan.evil.example',
    'a.stories.lan',
    `user@127.0.0.1`,
    'localhost:1@127.0.0.1',
    '127.0.0.1/',
    '127.0.0.1\tevil.example',
    '127.0.0.1 evil.example',
    '127.0.0.1#',
    '%31%32%37.0.0.1',
    '127.0.0.1%00',
    '[::1%25lo]',
    '[fe80::1%eth0]',
    '[::1',
    '::1',
  ])
    test(`"${host.replace('\t', '\\t')}"`, async () => {
      expectRefused(await askAs(`${host}:${port}`))
      expectRefused(await writeAs(host))
    })
})

describe('5 our own names', () => {
  for (const host of [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `LOCALHOST:${port}`,
    `localhost.:${port}`,
    `[::1]:${port}`,
    `\t127.0.0.1:${port} `,
    'stories.lan',
    'STORIES.lan.',
    `stories.lan:${port}`,
    'box:8080',
    'nas',
  ])
    test(JSON.stringify(withoutPort(host)), async () => expect(statusesIn(await askAs(host))).toEqual([200]))

  test('each address of this machine is a separate name', async () =>
    expectRefused(await askAs(`127.0.0.2:${port}`)))

  test('a short name works like a long one', async () => {
    expect(statusesIn(await askAs('nas', '/api/nowhere'))).toEqual([404])
    expect(await askAs('nas', '/nowhere')).toContain('There is no page at /nowhere.')
    expect(statusesIn(await askAs('nas', '/x/api/settings'))).toEqual([200])
    expect(await askAs('nas', '/x/api/settings')).not.toContain('endpoint_url')
  })
})

describe('6 other spellings of our address', () => {
  for (const host of [
    '0.0.0.0',
    '[::]',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '127.0.1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:0:0:1]',
  ])
    test(host, async () => expectRefused(await askAs(`${host}:${port}`)))
})

describe('7 the right name with a wrong port', () => {
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    `127.0.0.1:${Number(port) + 1}`,
    `localhost:0${port}`,
    'localhost:',
    `localhost:${port}:${port}`,
    'box',
    'box:8081',
    'stories.lan:8080',
  ])
    test(withoutPort(host), async () => expectRefused(await askAs(host)))
})

describe('8 an unknown name gets no page, picture or file either', () => {
  const served = /\/public\/\w+\/app\.css/
  for (const path of ['/', '/api/scenarios/1/image', '/nowhere', '/settings', 'app.css'])
    test(path, async () => {
      const page = await (await server.ask('/')).text()
      const target = path === 'app.css' ? (served.exec(page)?.[0] ?? '') : path
      expectRefused(await askAs('evil.example', target))
      if (path === 'app.css') expect(statusesIn(await askAs(`localhost:${port}`, target))).toEqual([200])
    })
})

test('none of it changed the library', () => expect(contentOf(server.path)).toBe(before))
