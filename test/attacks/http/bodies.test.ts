import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { MAX_IMPORT_BYTES } from '../../../src/domain/limits.ts'
import { MAX_BODY } from '../../../src/http/guard.ts'
import { sampleText } from '../../formats/samples.ts'
import { contentOf } from '../../support/library/library-content.ts'
import { begin, bodyOf, cutOff, leave, sendRaw, statusesIn } from '../../support/service/raw-request.ts'
import { startServer } from '../../support/service/server.ts'

// Request bodies: wrong types and lengths, chunked, endless, and invalid text.
const server = await startServer()
const { host } = new URL(server.address)
const { body: story } = await server.post('/api/adventures', { scenario_id: 1 })

type Head = Record<string, string>
const post = (path: string, headers: Head, body: BodyInit) =>
  server.ask(path, { method: 'POST', headers, body })
const JSON_TYPE = { 'Content-Type': 'application/json' }
const head = (path: string, lines: string, method = 'POST') =>
  `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${lines}`

async function expectUnchanged(operation: () => Promise<void>): Promise<void> {
  const before = contentOf(server.path)
  await operation()
  expect(contentOf(server.path)).toBe(before)
}

describe('a body under /api must be declared as JSON', () => {
  const types: [title: string, type: string, status: number][] = [
    ['15 a form', 'application/x-www-form-urlencoded', 415],
    ['16 plain text', 'text/plain', 415],
    ['16 plain text that mentions JSON', 'text/plain; application/json', 415],
    ['16 several types', 'text/plain, application/json', 415],
    ['16 a type that starts with it', 'application/jsonp', 415],
    ['16 a type with a JSON suffix', 'application/merge-patch+json', 415],
    ['17 a multipart form', 'multipart/form-data; boundary=x', 415],
    ['18 no type', '', 415],
    ['16 JSON is accepted', 'application/json', 201],
    ['16 JSON in capitals is accepted', 'APPLICATION/JSON', 201],
    ['16 JSON with a charset is accepted', 'application/json; charset=utf-8', 201],
  ]
  for (const [title, type, status] of types)
    test(title, async () => {
      const before = contentOf(server.path)
      const response = await post('/api/adventures', { 'Content-Type': type }, '{"title":"Stranger"}')
      expect([response.status, await response.json()]).toMatchObject([
        status,
        status === 201 ? { title: 'Stranger' } : { code: 'json_required' },
      ])
      expect(contentOf(server.path) === before).toBe(status !== 201)
    })
})

describe('48 a compressed body', () => {
  const bomb = gzipSync(new Uint8Array(10 * 1024 * 1024))
  for (const path of ['/api/adventures', '/api/import', '/api/scenarios/import', '/import', '/settings'])
    test(`is not decompressed at ${path}`, () =>
      expectUnchanged(async () => {
        for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'GZIP', 'identity, gzip'])
          expect((await post(path, { ...JSON_TYPE, 'Content-Encoding': encoding }, bomb)).status).toBe(415)
      }))
  test('and one declared as uncompressed is accepted', async () =>
    expect(
      (await post('/api/adventures', { ...JSON_TYPE, 'Content-Encoding': 'identity' }, '{}')).status,
    ).toBe(201))
})

describe('50 a body without a length, with a false one, or with two', () => {
  const CLOSE = 'Connection: close\r\n\r\n'
  const shapes: [what: string, request: string, status: number][] = [
    ['chunked', head('/api/adventures', `Transfer-Encoding: chunked\r\n${CLOSE}2\r\n{}\r\n0\r\n\r\n`), 411],
    [
      'chunked, with extensions',
      head('/api/adventures', `Transfer-Encoding: chunked\r\n${CLOSE}2;a=b\r\n{}\r\n0\r\n\r\n`),
      411,
    ],
    [
      'chunked, for a page',
      head('/adventures', `Transfer-Encoding: chunked\r\n${CLOSE}2\r\n{}\r\n0\r\n\r\n`),
      411,
    ],
    [
      'chunked and compressed',
      head('/api/adventures', `Transfer-Encoding: gzip, chunked\r\n${CLOSE}2\r\n{}\r\n0\r\n\r\n`),
      400,
    ],
    [
      'with a length, and chunked',
      head(
        '/api/adventures',
        `Content-Length: 2\r\nTransfer-Encoding: chunked\r\n${CLOSE}2\r\n{}\r\n0\r\n\r\n`,
      ),
      400,
    ],
    [
      'chunked, and with a length',
      head('/api/adventures', `Transfer-Encoding: chunked\r\nContent-Length: 2\r\n${CLOSE}{}`),
      400,
    ],
    [
      'chunked in an odd spelling',
      head('/api/adventures', `Transfer-Encoding: \x0bchunked\r\nContent-Length: 2\r\n${CLOSE}{}`),
      400,
    ],
    [
      'with another transfer encoding',
      head('/api/adventures', `Transfer-Encoding: xchunked\r\nContent-Length: 2\r\n${CLOSE}{}`),
      400,
    ],
    [
      'chunked, folded',
      head('/api/adventures', `Content-Length: 2\r\nTransfer-Encoding:\r\n chunked\r\n${CLOSE}{}`),
      400,
    ],
    [
      'with two lengths',
      head('/api/adventures', `Content-Length: 2\r\nContent-Length: 40\r\n${CLOSE}{}`),
      400,
    ],
    [
      'with two lengths, the longer first',
      head('/api/adventures', `Content-Length: 40\r\nContent-Length: 2\r\n${CLOSE}{}`),
      400,
    ],
    [
      'with one length twice',
      head('/api/adventures', `Content-Length: 2\r\nContent-Length: 2\r\n${CLOSE}{}`),
      400,
    ],
    ['with two lengths in one', head('/api/adventures', `Content-Length: 2, 2\r\n${CLOSE}{}`), 400],
    ...['many', '+2', '-2', '0x2', '2.0', '', '99999999999999999999999', '18446744073709551618'].map(
      (length): [string, string, number] => [
        `of length "${length}"`,
        head('/api/adventures', `Content-Length: ${length}\r\n${CLOSE}{}`),
        400,
      ],
    ),
  ]
  for (const [what, request, status] of shapes)
    test(what, () =>
      expectUnchanged(async () =>
        expect(statusesIn(await sendRaw(server.address, request))).toEqual([status]),
      ),
    )

  test('a request hidden in the body of a refused one is not run', () =>
    expectUnchanged(async () => {
      const hidden = `DELETE /api/adventures/${story.id} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
      const last = `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
      const length = `Content-Length: ${hidden.length}\r\n`
      const chunked = `Transfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`
      const requests: [request: string, status: number][] = [
        [head('/api/adventures', `Origin: http://evil.example\r\n${length}\r\n${hidden}`), 403],
        [head('/api/nowhere', `${length}\r\n${hidden}`), 404],
        [head('/api/adventures', `${length}\r\n${hidden}`), 400],
        [head('/api/adventures', chunked), 411],
        [head('/api/health', `${length}\r\n${hidden}`, 'GET'), 200],
        [head('/api/health', chunked, 'GET'), 200],
      ]
      for (const [request, status] of requests)
        expect(statusesIn(await sendRaw(server.address, request + last))).toEqual([status, 200])
    }))

  test('data after a body is a request of its own, and checked', () =>
    expectUnchanged(async () => {
      const [mine, other] = [host, 'evil.example'].map(
        (name) =>
          `DELETE /api/adventures/${story.id + 999} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`,
      )
      const first = head(`/api/adventures/${story.id}/stop`, 'Content-Length: 2\r\n\r\n{}')
      expect(statusesIn(await sendRaw(server.address, first + other))).toEqual([200, 403])
      expect(statusesIn(await sendRaw(server.address, first + mine))).toEqual([200, 404])
    }))

  test('a body shorter than its length is refused, even if it is complete JSON', () =>
    expectUnchanged(async () => {
      await cutOff(server.address, head('/api/adventures', 'Content-Length: 40\r\n\r\n{}'))
      expect((await server.get('/api/health')).status).toBe(200)
    }))

  test('and endless bodies do not delay others', () =>
    expectUnchanged(async () => {
      const slow = await Promise.all(
        Array.from({ length: 200 }, (_, i) =>
          begin(
            server.address,
            i % 2 ? head('/api/import', `Content-Length: ${MAX_IMPORT_BYTES}\r\n\r\n{`) : 'POST /api/adv',
          ),
        ),
      )
      for (const socket of slow.slice(0, 50)) socket.write(' ')
      expect((await server.get('/api/adventures')).status).toBe(200)
      expect((await server.ask('/')).status).toBe(200)
      await Promise.all(slow.map(leave))
    }))
})

describe('51 the largest body', () => {
  const adventure = { title: 'Large' }
  const scenario = { format: 'ai-dnd-scenario-v1', title: 'Large', prompt: 'Dusk.' }
  const filled = (fields: object, size: number) =>
    JSON.stringify(fields).replace(/}$/, `${' '.repeat(size - JSON.stringify(fields).length)}}`)

  test('is accepted, and one byte more is not', async () => {
    for (const [path, fields, limit, expected] of [
      ['/api/adventures', adventure, MAX_BODY, 201],
      ['/api/import', scenario, MAX_IMPORT_BYTES, 200],
    ] as [string, object, number, number][]) {
      expect([path, (await post(path, JSON_TYPE, filled(fields, limit))).status]).toEqual([path, expected])
      const response = await post(path, JSON_TYPE, filled(fields, limit + 1))
      expect([response.status, await response.json()]).toMatchObject([413, { code: 'too_large' }])
    }
  })

  test('of gigabytes is refused with the same message, unread', () =>
    expectUnchanged(async () => {
      for (const length of [2 ** 33, Number.MAX_SAFE_INTEGER])
        for (const path of ['/api/scenarios', '/api/import', '/api/adventures/import']) {
          const response = await sendRaw(
            server.address,
            head(path, `Content-Length: ${length}\r\nConnection: close\r\n\r\n`),
          )
          expect([statusesIn(response), JSON.parse(bodyOf(response))]).toMatchObject([
            [413],
            { code: 'too_large' },
          ])
        }
    }))

  test('that is sent anyway is skipped, not buffered', async () => {
    const megabytes = 300
    const before = process.memoryUsage.rss()
    const last = `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    const socket = await begin(
      server.address,
      head('/api/import', `Content-Length: ${megabytes * 1024 * 1024}\r\n\r\n`),
    )
    let response = ''
    const closed = new Promise<void>((done) => socket.once('close', () => done()))
    socket.on('data', (chunk) => {
      response += chunk
    })
    const chunk = Buffer.alloc(1024 * 1024)
    for (let sent = 0; sent < megabytes; sent++)
      if (!socket.write(chunk)) await new Promise<void>((drained) => socket.once('drain', () => drained()))
    socket.write(last)
    await closed
    expect(statusesIn(response)).toEqual([413, 200])
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024)
  })

  test('of a file chosen on a page leads to a page with the message', async () => {
    const form = new FormData()
    form.set('file', new File([new Uint8Array(MAX_IMPORT_BYTES + 1)], 'film.mp4'))
    const response = await server.ask('/import', { method: 'POST', body: form })
    expect([response.status, response.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8'])
    expect(await response.text()).toContain('The request is too large: the limit is 20 MB.')
    const fragment = await server.ask(`/adventures/${story.id}`, {
      method: 'POST',
      headers: { 'HX-Request': 'true' },
      body: new URLSearchParams({ memory: 'x'.repeat(MAX_BODY) }),
    })
    expect([fragment.status, fragment.headers.get('hx-retarget')]).toEqual([413, '#notice'])
    expect(await fragment.text()).toBe('<p>The request is too large: the limit is 2 MB.</p>')
  })
})

test('52 an import cut off at any of 1,000 positions imports nothing', () =>
  expectUnchanged(async () => {
    const file = Buffer.from(sampleText('own-adventure-counted.json'))
    const form = Buffer.concat([
      Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n'),
      file,
      Buffer.from('\r\n--x--\r\n'),
    ])
    const doors: [path: string, type: string, body: Buffer][] = [
      ['/api/import?apply=1', 'application/json', file],
      ['/api/adventures/import', 'application/json', file],
      ['/import', 'multipart/form-data; boundary=x', form],
    ]
    let seed = 11
    for (let i = 0; i < 1000; i++) {
      const [path, type, body] = doors[i % doors.length] ?? doors[0] ?? []
      if (!body) continue
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      const start = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`
      await cutOff(
        server.address,
        Buffer.concat([Buffer.from(start), body.subarray(0, (seed >>> 4) % body.length)]),
      )
    }
    // A later request is answered after all of them.
    expect((await server.get('/api/health')).status).toBe(200)
  }))

describe('a body that is not valid text changes nothing', () => {
  const path = `/api/adventures/${story.id}`
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  const broken: [what: string, bytes: number[]][] = [
    ['a byte that is never valid in UTF-8', [0xff]],
    ['half a character', [0xc3]],
    ['an overlong encoding', [0xc0, 0xae]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['Latin-1', [0x4c, 0xe4, 0x6d, 0x70]],
    ['UTF-16', [0xfe, 0xff, 0x00, 0x61]],
  ]
  const multipart = (text: number[], name = 'memory') =>
    bytes(`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`, text, '\r\n--x--\r\n')
  const URL_ENCODED = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const IN_PARTS = { 'Content-Type': 'multipart/form-data; boundary=x' }
  for (const [what, wrong] of broken)
    test(what, () =>
      expectUnchanged(async () => {
        const response = await server.ask(path, {
          method: 'PATCH',
          headers: JSON_TYPE,
          body: bytes('{"memory":"', wrong, '"}'),
        })
        expect([response.status, await response.json()]).toMatchObject([400, { code: 'malformed_body' }])
        const card = bytes('{"scenario_id":1,"cards":[{"title":"', wrong, '","keys":"a","value":"b"}]}')
        expect((await post('/api/story-cards/import', JSON_TYPE, card)).status).toBe(400)
        const encoded = Buffer.from(wrong).toString('hex').replace(/../g, '%$&')
        for (const [type, body] of [
          [URL_ENCODED, bytes('memory=', wrong)],
          [URL_ENCODED, bytes(`memory=${encoded}`)],
          [URL_ENCODED, bytes(`memory=a&${encoded}=b`)],
          [IN_PARTS, multipart(wrong)],
        ] as [Head, Buffer<ArrayBuffer>][]) {
          const page = await post(`/adventures/${story.id}`, type, body)
          expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('not valid UTF-8')])
        }
      }),
    )

  test('an escaped lone surrogate', () =>
    expectUnchanged(async () => {
      for (const text of [
        '"\\ud800"',
        '"a\\uDC00b"',
        '"\\\\\\ud83d"',
        '"\\ud83d\\ud83d\\ude00"',
        '{"\\ud800":1}',
      ])
        expect(
          await server
            .ask(path, { method: 'PATCH', headers: JSON_TYPE, body: `{"memory":${text}}` })
            .then((response) => response.json()),
        ).toMatchObject({ code: 'malformed_body' })
    }))

  test('a body that is not a form', () =>
    expectUnchanged(async () => {
      for (const [type, body] of [
        ['multipart/form-data', 'x'],
        ['multipart/form-data; boundary=x', '--y\r\n'],
        ['application/json', '{"memory":"x"}'],
        ['text/plain', 'memory=x'],
      ])
        expect([
          type,
          (await post(`/adventures/${story.id}`, { 'Content-Type': type ?? '' }, body ?? '')).status,
        ]).toEqual([type, 400])
    }))

  // Every character comes back as it was sent, including invisible ones.
  const texts = [
    'a\0b',
    '\ufffd',
    '\u2028\u2029',
    '\u202e\u200b',
    '🏮 \u{10ffff}\uffff',
    '\\ud800',
    '%ff',
    '<b>&amp;',
    '[1, {"a": 2}]',
    '{"a": 1}',
    'a.b[0]=c&d',
  ]
  for (const text of texts)
    test(`${JSON.stringify(text)} is stored unchanged`, async () => {
      const stored = async () => (await server.get(path)).body.memory
      const clear = () => server.send('PATCH', path, { memory: '' })
      await server.send('PATCH', path, { memory: text })
      expect(await stored()).toBe(text)
      const escaped = text.replace(/[^ -~]|"|\\/g, (sign) =>
        [...sign]
          .map((one) =>
            [...Array(one.length).keys()]
              .map((i) => `\\u${one.charCodeAt(i).toString(16).padStart(4, '0')}`)
              .join(''),
          )
          .join(''),
      )
      await clear()
      await server.ask(path, { method: 'PATCH', headers: JSON_TYPE, body: `{"memory":"${escaped}"}` })
      expect(await stored()).toBe(text)
      const { body: copy } = await server.post(`${path}/copy`, {})
      expect(copy.memory).toBe(text)
      const file = await (await server.ask(`${path}/export`)).bytes()
      const imported = await (await post('/api/adventures/import', JSON_TYPE, file)).json()
      expect(imported.memory).toBe(text)
      for (const form of [new URLSearchParams(), new FormData()]) {
        await clear()
        form.set('memory', text)
        expect((await post(`/adventures/${story.id}`, {}, form)).status).toBe(303)
        expect(await stored()).toBe(text)
      }
    })
})

describe('JSON that does not match', () => {
  const invalid: [what: string, body: string, status: number][] = [
    ['is truncated', '{', 400],
    ['is a list', '[]', 422],
    ['is null', 'null', 422],
    ['is nested 100,000 deep', `{"placeholders":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`, 400],
  ]
  for (const [what, body, status] of invalid)
    test(what, () =>
      expectUnchanged(async () =>
        expect((await post('/api/adventures', JSON_TYPE, body)).status).toBe(status),
      ),
    )

  test('has names that every object has', async () => {
    const names = '{"placeholders":{"__proto__":"x","constructor":"y"}}'
    expect((await post('/api/adventures', JSON_TYPE, names)).status).toBe(201)
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
})

describe('an error says what is expected', () => {
  const cases: [method: string, path: string, body: unknown, message: string][] = [
    [
      'POST',
      `/api/adventures/${story.id}/actions`,
      { type: 'jump' },
      'type (expected one of do, say, story, try, continue)',
    ],
    ['PUT', '/api/settings', { api_mode: 'x' }, 'api_mode (expected one of chat, completion)'],
    [
      'PUT',
      '/api/settings',
      { reasoning_effort: 'x' },
      'reasoning_effort (expected one of low, medium, high, null)',
    ],
    ['POST', '/api/story-cards/1/move', { where: 'up' }, 'where (expected one of earlier, later)'],
    [
      'GET',
      `/api/adventures/${story.id}/export?format=exe`,
      undefined,
      'format (expected one of json, family, markdown',
    ],
    [
      'GET',
      `/api/adventures/${story.id}/export?stats=maybe`,
      undefined,
      'stats (expected one of true, false)',
    ],
    ['GET', '/api/search?q=a&kind=exe', undefined, 'kind (expected one of '],
    [
      'POST',
      '/api/import?apply=1&scenario_id=abc',
      [{ title: 'a', keys: 'b', value: 'c' }],
      'scenario_id must be a number, not "abc".',
    ],
    [
      'POST',
      '/api/import?apply=1&adventure_id=1e3',
      [{ title: 'a', keys: 'b', value: 'c' }],
      'adventure_id must be a number',
    ],
    [
      'POST',
      '/api/import?apply=1&scenarios=0,x',
      [{ title: 'a', keys: 'b', value: 'c' }],
      'scenarios must be positions such as 0,2',
    ],
  ]
  for (const [method, path, body, message] of cases)
    test(`${method} ${path.replace(/\d+/, 'N')}: ${message}`, () =>
      expectUnchanged(async () =>
        expect(await server.send(method, path, body)).toMatchObject({
          status: 422,
          body: { code: 'invalid', detail: expect.stringContaining(message) },
        }),
      ))

  test('on a page as well', async () => {
    const page = await server.ask('/settings', {
      method: 'POST',
      body: new URLSearchParams({ api_mode: 'x' }),
    })
    expect(await page.text()).toContain('api mode (expected one of chat, completion)')
  })

  test('and quotes nothing from the request', async () => {
    const { body } = await server.post('/api/practice/v1/chat/completions', { messages: ['A secret'] })
    expect(body).toMatchObject({ code: 'invalid' })
    expect(JSON.stringify(body)).not.toContain('A secret')
  })
})
