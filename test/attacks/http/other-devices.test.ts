import { afterAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { isMachineOnly } from '../../../src/http/visitor.ts'
import { gate, say, sayAround, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { contentOf } from '../../support/library/library-content.ts'
import { playTurn, startTurn } from '../../support/service/events.ts'
import { letIn, listenForPhones, type Phone, startPhone } from '../../support/service/phone.ts'
import { sendInParts, statusesIn } from '../../support/service/raw-request.ts'
import { everyRoute, FORM_FIELDS, type RouteRequest } from '../../support/service/routes.ts'
import { startServer } from '../../support/service/server.ts'

// The listener for other devices. On macOS only one loopback address is there.
const hasLoopbackRange = process.platform === 'linux'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
endpoint.byDefault(say('The lamp burns low.'))
let queries = 0
const server = await startServer({ corsOrigins: ['http://localhost:5173'], watch: () => queries++ })
await server.send('PUT', '/api/settings', {
  endpoint_url: endpoint.url,
  model: 'test-model',
  second_call: 'never',
})
const routes = await everyRoute(server)
const { body: story } = await server.post('/api/adventures', { title: 'Fog' })
const turns = `/api/adventures/${story.id}/actions`

async function refusalOf(response: Response): Promise<[number, string]> {
  return [response.status, (await response.json()).code]
}

function askAs(phone: Phone, { method, path, isApi, example }: RouteRequest): Promise<Response> {
  if (method === 'GET' || method === 'HEAD') return phone.ask(path, { method })
  const type = isApi ? 'application/json' : 'application/x-www-form-urlencoded'
  const body = isApi ? JSON.stringify(example ?? {}) : FORM_FIELDS
  return phone.ask(path, { method, body, headers: { 'Content-Type': type } })
}

/** Switches it on anew, with one device that is allowed. */
async function withPhone(): Promise<{ listening: string; phone: Phone }> {
  const listening = await listenForPhones(server)
  const phone = await startPhone(listening)
  await phone.ask('/')
  await letIn(server, phone)
  return { listening, phone }
}

describe.if(hasLoopbackRange)('a device that is not allowed', () => {
  test('81 gets the waiting page for every page and file, JSON under the API, and nothing is read or written', async () => {
    const phone = await startPhone(await listenForPhones(server))
    const before = contentOf(server.path)
    for (const route of routes) {
      queries = 0
      const response = await askAs(phone, route)
      expect([route.path, response.status, queries]).toEqual([route.path, 403, 0])
      if (route.isApi && route.method !== 'HEAD')
        expect((await response.json()).code).toBe('device_not_allowed')
      else if (!route.isApi) expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
    expect(contentOf(server.path)).toBe(before)
  })

  test('81 sees the code that the machine shows, and the page may do nothing else', async () => {
    const phone = await startPhone(await listenForPhones(server))
    const page = await phone.ask('/adventures?title=%3Cb%3E')
    const text = await page.text()
    const [{ code }] = (await server.get('/api/devices')).body.waiting
    expect([text.includes(code), text.includes('<b>')]).toEqual([true, false])
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; base-uri/,
    )
    const fragment = await phone.ask('/', { headers: { 'HX-Request': 'true' } })
    expect([fragment.status, fragment.headers.get('hx-retarget')]).toEqual([403, '#notice'])
  })

  test('84 gets no access by claiming another address', async () => {
    const { listening } = await withPhone()
    const stranger = await startPhone(listening, '127.0.0.4')
    for (const name of ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP', 'Forwarded'])
      for (const claimed of ['127.0.0.1', '127.0.0.3', 'for=127.0.0.3'])
        expect(await refusalOf(await stranger.ask('/api/health', { headers: { [name]: claimed } }))).toEqual([
          403,
          'device_not_allowed',
        ])
  })

  test('87 cannot fill the list: at most 20 wait, whatever the number of devices', async () => {
    const listening = await listenForPhones(server)
    for (let i = 1; i <= 30; i++) await (await startPhone(listening, `127.0.1.${i}`)).ask('/')
    const { waiting } = (await server.get('/api/devices')).body
    expect(new Set(waiting.map(({ code }: { code: string }) => code)).size).toBe(20)
    const late = await (await startPhone(listening, '127.0.2.1')).ask('/')
    expect([late.status, await late.text()]).toEqual([403, expect.stringContaining('Too many devices')])
  })

  test('88 is allowed by its own code alone', async () => {
    const listening = await listenForPhones(server)
    const [one, other] = [await startPhone(listening), await startPhone(listening, '127.0.0.4')]
    await one.ask('/')
    await other.ask('/')
    const [mine, theirs] = (await server.get('/api/devices')).body.waiting
    for (const wrong of [theirs.code, '', 'ABCD', mine.code.toLowerCase(), `${mine.code} `]) {
      const body = { address: mine.address, code: wrong }
      expect((await server.post('/api/devices/allow', body)).body.code).toBe('not_found')
    }
    expect((await one.ask('/api/health')).status).toBe(403)
    expect((await server.post('/api/devices/allow', mine)).status).toBe(200)
    expect([(await one.ask('/api/health')).status, (await other.ask('/api/health')).status]).toEqual([
      200, 403,
    ])
  })
})

describe.if(hasLoopbackRange)('a device that is allowed', () => {
  test('82 must use the very address and port; neither listener answers to the name of the other', async () => {
    const { listening, phone } = await withPhone()
    const { port, host } = new URL(listening)
    const own = new URL(server.address)
    for (const wrong of [`127.0.0.1:${port}`, `localhost:${port}`, '127.0.0.2', `127.0.0.2:${own.port}`, own.host, `a.${host}`, `${host}.evil.example`, 'evil.example']) // biome-ignore format: one list
      for (const path of ['/', '/api/health', '/public/app.css'])
        expect(await refusalOf(await phone.ask(path, { headers: { Host: wrong } }))).toEqual([
          403,
          'host_not_allowed',
        ])
    expect((await server.ask('/', { headers: { Host: host } })).status).toBe(403)
    expect((await phone.ask('/')).status).toBe(200)
  })

  test('83 serves our own pages alone: no other origin, no listed one, no other page by its Referer', async () => {
    const { listening, phone } = await withPhone()
    const { origin, host } = new URL(listening)
    const before = contentOf(server.path)
    const json = { 'Content-Type': 'application/json' }
    const write = (headers: Record<string, string>) =>
      phone.ask('/api/adventures', {
        method: 'POST',
        body: '{"title":"Stolen"}',
        headers: { ...json, ...headers },
      })
    for (const Origin of ['http://evil.example', 'null', '', 'http://localhost:5173', `https://${host}`, new URL(server.address).origin]) // biome-ignore format: one list
      expect(await refusalOf(await write({ Origin }))).toEqual([403, 'origin_not_allowed'])
    expect(await refusalOf(await write({ Referer: 'http://evil.example/page' }))).toEqual([
      403,
      'origin_not_allowed',
    ])
    const image = { Referer: 'http://evil.example/', Accept: 'image/avif,image/webp,*/*;q=0.8' }
    for (const path of ['/api/adventures', '/', `/adventures/${story.id}`])
      expect((await phone.ask(path, { headers: image })).status).toBe(403)
    const preflight = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' }
    const answered = await phone.ask('/api/adventures', { method: 'OPTIONS', headers: preflight })
    expect([answered.status, answered.headers.get('access-control-allow-origin')]).toEqual([403, null])
    expect(contentOf(server.path)).toBe(before)
    const link = { Referer: 'http://evil.example/', Accept: 'text/html,*/*;q=0.8' }
    expect((await phone.ask('/', { headers: link })).status).toBe(200)
    expect((await phone.ask('/api/health', { headers: link })).status).toBe(403)
    expect((await phone.ask('/api/health', { headers: { Referer: `${origin}/settings` } })).status).toBe(200)
    expect((await write({ Origin: origin })).status).toBe(201)
  })

  test('85 may not do what only the machine may, and may read and play the rest', async () => {
    const { phone } = await withPhone()
    const before = contentOf(server.path)
    const reserved = routes.filter(({ method, route }) => isMachineOnly(method, route))
    expect(reserved.length).toBeGreaterThan(20)
    for (const route of reserved) {
      const response = await askAs(phone, route)
      expect([route.path, response.status]).toEqual([route.path, 403])
      if (route.isApi && route.method !== 'HEAD') expect((await response.json()).code).toBe('machine_only')
    }
    expect(contentOf(server.path)).toBe(before)
    for (const path of ['/SETTINGS/test', '/settings//test', '/%73ettings/test', '/settings/test/', '/./settings/test']) // biome-ignore format: one list
      expect([path, [403, 404].includes((await phone.ask(path, { method: 'POST' })).status)]).toEqual([
        path,
        true,
      ])
    for (const route of routes.filter(
      ({ method, route }) => method === 'GET' && !isMachineOnly(method, route),
    ))
      expect([route.path, (await askAs(phone, route)).status]).not.toEqual([route.path, 403])
    expect(await (await phone.ask('/settings')).text()).not.toContain('endpoint_url')
    expect(await (await phone.ask('/')).text()).not.toContain('/api/backup')
    expect((await playTurn(phone as never, story.id, { type: 'do', text: 'wait' })).at(-1)?.type).toBe('done')
  })

  test('86 is cut off in the middle of a stream when it is removed; the story keeps the prose so far', async () => {
    const { phone } = await withPhone()
    const held = gate()
    endpoint.next(sayAround('The fog comes in. ', held, 'The fog goes.', { pieces: 1 }))
    const turn = await startTurn(phone, turns, { type: 'continue' })
    await turn.until((event) => event.type === 'chunk')
    await server.post('/api/devices/revoke', { address: phone.address })
    const rest = await turn.rest()
    expect(JSON.stringify(rest)).not.toContain('The fog goes.')
    expect((await phone.ask('/')).status).toBe(403)
    held.open()
    const { body } = await server.get(`/api/adventures/${story.id}`)
    expect(JSON.stringify(body)).toContain('The fog comes in.')
    expect((await playTurn(server, story.id, { type: 'do', text: 'wait' })).at(-1)?.type).toBe('done')
  })

  test('86 is cut off in the middle of a download', async () => {
    const { phone } = await withPhone()
    const long = {
      format: 'ai-dnd-adventure-v1',
      title: 'Lamp Road',
      actions: Array.from({ length: 200 }, (_, index) => ({
        index,
        type: index === 0 ? 'start' : 'ai',
        text: 'The lamp burns. '.repeat(3_000),
      })),
    }
    const [id] = (await server.post('/api/import?apply=1', long)).body.adventure_ids
    const download = await phone.ask(`/api/adventures/${id}/export`)
    await server.post('/api/devices/revoke', { address: phone.address })
    const outcome = await download.text().then(
      (text) => text.length,
      () => 0,
    )
    expect(download.status).toBe(200)
    expect(outcome).toBeLessThan(JSON.stringify(long).length)
  })

  test('86 is removed while it sends something: nothing of it is written', async () => {
    // Of what the test before has imported.
    await server.deps.indexing.ended()
    const before = contentOf(server.path)
    const writes: [path: string, type: string, body: string][] = [
      ['/api/adventures', 'application/json', '{"title":"Late"}'],
      ['/adventures', 'application/x-www-form-urlencoded', 'title=Late'],
      [`/adventures/${story.id}/refresh`, 'application/x-www-form-urlencoded', 'title=Late'],
      ['/api/import?apply=1', 'application/json', '[{"keys":"lamp","value":"It burns."}]'],
      ['/import', 'multipart/form-data; boundary=x', '--x\r\n\r\n--x--\r\n'],
    ]
    for (const [path, type, body] of writes) {
      const { listening, phone } = await withPhone()
      const { host } = new URL(listening)
      const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`
      const received = sendInParts(phone.proxy.server, head + body.slice(0, 9), async () => {
        await server.post('/api/devices/revoke', { address: phone.address })
        return body.slice(9)
      })
      expect([path, statusesIn(await received)]).toEqual([path, [403]])
    }
    expect(contentOf(server.path)).toBe(before)
  })

  test('85 adds no library to the backups of the machine', async () => {
    const { phone } = await withPhone()
    const library = new Uint8Array(await (await server.ask('/api/backup')).arrayBuffer())
    const backups = () => readdirSync(dirname(server.path), { recursive: true })
    const before = backups()
    const upload = () => {
      const body = new FormData()
      body.set('file', new File([library], 'library.db'))
      return { method: 'POST', body, headers: { Accept: 'application/json' } }
    }
    const refused = await phone.ask('/import', upload())
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('on the machine')])
    for (const path of ['/api/import', '/api/import?apply=1'])
      expect((await phone.ask(path, upload())).status).toBe(422)
    expect(backups()).toEqual(before)
  })

  test('89 is out when it is switched off, and a listener that is switched on again knows nobody', async () => {
    const { phone } = await withPhone()
    expect((await phone.ask('/')).status).toBe(200)
    expect((await server.send('DELETE', '/api/devices')).status).toBe(204)
    expect(await phone.ask('/').catch(() => 'no answer')).toBe('no answer')
    const again = await startPhone(await listenForPhones(server))
    expect((await again.ask('/')).status).toBe(403)
  })
})

describe('the listener for other devices', () => {
  test('90 is off at the start, and takes no address but one of this machine in its own network', async () => {
    const fresh = await startServer()
    expect((await fresh.get('/api/devices')).body).toMatchObject({
      listening: null,
      waiting: [],
      allowed: [],
    })
    for (const address of ['0.0.0.0', '::', '8.8.8.8', '2606:4700::1111', '224.0.0.1', '255.255.255.255', '10.255.255.254', 'localhost', 'evil.example', '', '127.1', '0x7f000001']) // biome-ignore format: one list
      expect([address, await fresh.send('PUT', '/api/devices', { address, port: 0 })]).toEqual([
        address,
        { status: 422, body: expect.objectContaining({ code: 'invalid' }) },
      ])
    const listeners = await Promise.all(
      Array.from({ length: 12 }, () => fresh.send('PUT', '/api/devices', { address: '127.0.0.1', port: 0 })),
    )
    expect((await fresh.send('DELETE', '/api/devices')).status).toBe(204)
    for (const { body } of listeners)
      expect(await fetch(body.listening).catch(() => 'no answer')).toBe('no answer')
    const taken = Number(new URL(fresh.address).port)
    const { body } = await fresh.send('PUT', '/api/devices', { address: '127.0.0.1', port: taken })
    expect(body.detail).toBe(`Port ${taken} is in use. Choose another number.`)
    expect((await fresh.get('/api/devices')).body.listening).toBeNull()
  })
})
