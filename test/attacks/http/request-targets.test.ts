import { describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentOf } from '../../support/library/library-content.ts'
import { addressOf, spawnService } from '../../support/service/process.ts'
import { bodyOf, sendRaw, statusesIn } from '../../support/service/raw-request.ts'
import { startServer } from '../../support/service/server.ts'
import { temporaryFolder } from '../../support/temporary.ts'

// Request targets: addresses, methods and upgrades that are not what they seem.
const server = await startServer()
const { host } = new URL(server.address)
const { body: story } = await server.post('/api/adventures', { scenario_id: 1 })
const before = contentOf(server.path)

const askRaw = (line: string, more = '') =>
  sendRaw(server.address, `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`)

describe('19 a method override', () => {
  const disguises: [what: string, path: string, init: RequestInit][] = [
    ['in a header', '/api/scenarios/1', { headers: { 'X-HTTP-Method-Override': 'DELETE' } }],
    [
      'in another header',
      '/api/scenarios/1',
      { headers: { 'X-Method-Override': 'DELETE', 'X-HTTP-Method': 'DELETE' } },
    ],
    ['in the address', '/api/scenarios/1?_method=DELETE', {}],
    [
      'in a form',
      '/scenarios/1?_method=DELETE',
      { method: 'POST', body: new URLSearchParams({ _method: 'DELETE' }) },
    ],
  ]
  for (const [what, path, init] of disguises)
    test(`${what} is ignored`, async () => {
      expect((await server.ask(path, init)).status).toBeLessThan(400)
      expect((await server.get('/api/scenarios/1')).status).toBe(200)
    })

  test('the body of a GET is not read', async () => {
    const hidden = `DELETE /api/scenarios/1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    const response = await askRaw(
      'GET /api/scenarios/1',
      `Content-Type: application/json\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    )
    expect(statusesIn(response)).toEqual([200])
    expect((await server.get('/api/scenarios/1')).status).toBe(200)
  })

  test('unsupported methods do nothing', async () => {
    for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'get', 'DELETE\t'])
      expect(await askRaw(`${method} /api/scenarios/1`, 'X-Secret: lamp\r\n')).not.toMatch(/ 200 |lamp/)
    expect((await server.get('/api/scenarios/1')).status).toBe(200)
  })
})

describe('26 an upgrade to a WebSocket', () => {
  const upgrade = (protocol: string) =>
    `Connection: Upgrade\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`
  for (const path of ['/', '/api/health', `/api/adventures/${story.id}/actions`, '/public/x', '/nowhere'])
    test(`is refused at ${path}`, async () => {
      for (const protocol of ['websocket', 'WebSocket', 'h2c, websocket'])
        expect(statusesIn(await askRaw(`GET ${path}`, `${upgrade(protocol)}Connection: close\r\n`))).toEqual([
          400,
        ])
    })
  test('another upgrade is only an offer, and is ignored', async () =>
    expect(statusesIn(await askRaw('GET /api/health', 'Upgrade: h2c\r\n'))).toEqual([200]))
})

describe('27 a missing route is JSON under /api, whatever the Accept header,', () => {
  for (const path of ['/api', '/api/', '/api/nowhere', '/api/adventures/1/nowhere', '/api/index.html'])
    test(path, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await server.ask(path, { method, headers: { Accept: 'text/html' } })
        expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }])
      }
    })
  // Conversely, elsewhere a missing page is a page.
  for (const path of [
    '/nowhere',
    '/adventures/99',
    '/scenarios/abc',
    '/apiary',
    '/%E0%A4%A',
    '/api%252fsettings',
  ])
    test(`and a page elsewhere: ${path}`, async () => {
      const response = await server.ask(path)
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining('Page not found'),
      ])
    })
})

describe('28 a removed route is missing for every method', () => {
  for (const path of [
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
  ])
    test(path, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
        expect(await server.send(method, path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect((await server.ask(path, { method: 'HEAD' })).status).toBe(404)
    })
})

describe('29 other spellings of API addresses', () => {
  const nowhere = [
    '/api%2Fsettings',
    '/api%2fadventures',
    '/%61pi/settings',
    '/a%70i/settings',
    '//api//settings',
    '//api/settings',
    '/api//settings',
    '/api/settings//',
    '/api/adventures//',
    '/api/adventures//1',
    '/api/adventures/1//actions',
    '/api/adventures/1/actions//',
    '/api//',
    '/API/settings',
    '/Api/settings',
    '/\\api\\settings',
    '/api;x=1/settings',
    '/api/settings;x=1',
    '/api/adventures/1;x=1',
    '/api/setting%73',
    '/api/settings%00',
    '/api/settings%20',
    '/api/settings.json',
    '/api/settings#',
    '/api/x/settings',
  ]
  for (const path of nowhere)
    test(`${path} is not found`, async () => {
      for (const method of ['GET', 'PUT']) {
        const response = await askRaw(`${method} ${path}`)
        expect([statusesIn(response), JSON.parse(bodyOf(response))]).toMatchObject([
          [404],
          { code: 'not_found' },
        ])
      }
    })

  // These are normalized by the URL standard, as in every browser, and the result is checked.
  for (const path of [
    '/x/../api/settings',
    '/api/../api/settings',
    '/./api/settings',
    '/%2e%2e/api/settings',
    '/api\\settings',
  ])
    test(`${path} is checked like the address it resolves to`, async () => {
      expect(bodyOf(await askRaw(`GET ${path}`))).toContain('"endpoint_url"')
      expect(statusesIn(await askRaw(`GET ${path}`, 'Sec-Fetch-Site: cross-site\r\n'))).toEqual([403])
      expect(statusesIn(await askRaw(`PUT ${path}`, 'Origin: http://evil.example\r\n'))).toEqual([403])
    })

  for (const id of ['abc', '1e0', '0x1', '-1', '1.0', '+1', '%31x', '1%00', '%20', '..%2f1', '9'.repeat(16)])
    test(`${id} is not a number`, async () =>
      expect(await server.get(`/api/scenarios/${id}`)).toMatchObject({
        status: 422,
        body: { code: 'invalid' },
      }))
  test('and a number is accepted', async () =>
    expect((await server.get('/api/scenarios/1')).status).toBe(200))
})

describe('30 a file that is not ours', () => {
  const page = server.ask('/').then((response) => response.text())
  const version = async () => /\/public\/(\w+)\//.exec(await page)?.[1] ?? ''
  const paths = [
    '/public/..%2f..%2fetc/passwd',
    '/public/VERSION/..%2f..%2f..%2f..%2fetc%2fpasswd',
    '/public/VERSION/%2e%2e%2fpackage.json',
    '/public/VERSION/..%5c..%5cpackage.json',
    '/public/VERSION/..%2fapp.css',
    '/public/VERSION/%2fetc%2fpasswd',
    '/public/VERSION//etc/passwd',
    '/public/VERSION/app.css%00.png',
    '/public/VERSION/APP.CSS',
    '/public/VERSION/.env',
    '/public/VERSION/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd',
    '/public/VERSION/%E0%A4%A',
    '/public/VERSION/app.js/..%2f..%2fpackage.json',
    '/public/VERSION/__proto__',
    '/public/VERSION/constructor',
    '/public/VERSION/toString',
    '/public/VERSION/reader.js',
    '/public/VERSION/nowhere.js',
    '/public/VERSION/',
    '/public/x/app.css',
    '/public/',
  ]
  for (const path of paths)
    test(`${path} is not found, with the same message as any missing file`, async () => {
      const response = await askRaw(`GET ${path.replace('VERSION', await version())}`)
      expect([statusesIn(response), bodyOf(response)]).toEqual([[404], 'File not found.'])
    })

  // Dot segments are removed first, as in every browser; the rest is a page or a file of ours.
  for (const path of [
    '/public/../../etc/passwd',
    '/public/%2e%2e/%2e%2e/etc/passwd',
    '/../../../etc/passwd',
    '/public\\..\\..\\etc\\passwd',
  ])
    test(`${path} is a page with that message`, async () => {
      const response = await askRaw(`GET ${path}`)
      expect(response).toContain('Page not found')
      expect(response).not.toContain('root:')
    })

  test('and our files are found', async () => {
    for (const name of ['app.css', 'app.js', 'icon.svg'])
      expect([name, (await server.ask(`/public/${await version()}/${name}`)).status]).toEqual([name, 200])
  })
})

test('31 a link out of the static folder is not served', async () => {
  const project = join(import.meta.dir, '../../..')
  const copy = temporaryFolder()
  for (const part of ['src', 'public', 'migrations', 'package.json', 'tsconfig.json'])
    cpSync(join(project, part), join(copy, part), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
  const secret = join(copy, 'secret')
  mkdirSync(secret)
  writeFileSync(join(secret, 'diary.txt'), 'Nobody may read this.')
  symlinkSync(join(secret, 'diary.txt'), join(copy, 'public/diary.txt'))
  symlinkSync(secret, join(copy, 'public/secret'))
  const address = await addressOf(spawnService({ APP_DB_PATH: join(copy, 'library.db') }, { folder: copy }))
  const version = /\/public\/(\w+)\//.exec(await (await fetch(address)).text())?.[1]
  for (const name of ['diary.txt', 'secret/diary.txt', 'secret', 'nowhere']) {
    const response = await fetch(`${address}public/${version}/${name}`)
    expect([name, response.status, await response.text()]).toEqual([name, 404, 'File not found.'])
  }
  expect((await fetch(`${address}public/${version}/app.css`)).status).toBe(200)
})

test('none of it changed the library', () => expect(contentOf(server.path)).toBe(before))
