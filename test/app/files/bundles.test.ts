import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_IMPORT_BYTES } from '../../../src/domain/limits.ts'
import type { PortableAction } from '../../../src/domain/portable/portable.ts'
import type { Receipt } from '../../../src/domain/portable/receipt.ts'
import { parseFile } from '../../../src/formats/detect.ts'
import { parseBundle } from '../../../src/formats/inglenook/parse-bundle.ts'
import { makeAdventure } from '../../support/files/make.ts'
import { AT, lampStory } from '../../support/files/portable.ts'
import { diskOf } from '../../support/library/full-disk.ts'
import { openLibrary } from '../../support/library/open.ts'
import { begin, leave } from '../../support/service/raw-request.ts'
import { startServer } from '../../support/service/server.ts'
import { Service } from '../../support/service/service.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const server = await startServer()
const { reader } = server.deps.library
const stories = () => reader.get<{ n: number }>('SELECT count(*) AS n FROM adventures')?.n
const leftovers = () => (existsSync(`${server.path}.uploads`) ? readdirSync(`${server.path}.uploads`) : [])

/** An adventure file of more than an import may have that is held in memory. */
const LARGE = makeAdventure(
  lampStory({
    memories: [],
    actions: Array.from({ length: 3_000 }, (_, index) => ({
      ...(lampStory().actions[index % 3] as PortableAction),
      text: `${index}. ${'The road goes on. '.repeat(500)}`,
      variants: [],
      world_delta: null,
    })),
  }),
  AT,
)

const send = (body: string | Uint8Array<ArrayBuffer>, query = '?apply=1', init: RequestInit = {}) =>
  server.ask(`/api/import${query}`, { method: 'POST', body, ...init })

describe('an adventure of our own', () => {
  test('is read alike as a whole and line by line', () => {
    const file = makeAdventure(lampStory(), AT)
    const plan = parseBundle(() => file.split('\n'))
    const whole = parseFile(new TextEncoder().encode(file), '')
    const { actions, ...fields } = plan.adventures[0] ?? lampStory()
    expect({ ...fields, actions: [...actions] }).toEqual(whole.adventures[0] ?? lampStory())
    const sorted = (entries: Receipt['left']) =>
      entries.map(({ keys, ...entry }) => JSON.stringify({ ...entry, keys: keys.toSorted() })).sort()
    for (const section of ['came', 'changed', 'left'] as const)
      expect(sorted(plan.receipt[section])).toEqual(sorted(whole.receipt[section]))
  })

  test('larger than other imports is imported, and what is exported again is equal', async () => {
    expect(LARGE.length).toBeGreaterThan(MAX_IMPORT_BYTES)
    const preview = await send(LARGE, '')
    expect(await preview.json()).toMatchObject({ adventures: [{ title: 'Lamp', actions: 3_000 }] })
    const imported = await send(LARGE)
    expect(imported.status).toBe(201)
    const [id] = (await imported.json()).adventure_ids
    const again = await (await server.ask(`/api/adventures/${id}/export`)).json()
    expect(again.actions).toEqual(JSON.parse(LARGE).actions)
    expect(leftovers()).toEqual([])
  })

  test('tells how far its import is', async () => {
    const answer = await send(LARGE, '?apply=1', { headers: { Accept: 'text/event-stream' } })
    const events = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '))
    expect(JSON.parse(events.at(-1)?.slice(6) ?? '')).toMatchObject({
      type: 'done',
      kind: 'inglenook-adventure',
    })
    expect(leftovers()).toEqual([])
  })

  const broken: [
    what: string,
    body: () => string | Uint8Array<ArrayBuffer>,
    status: number,
    sentence: RegExp,
  ][] = [
    ['that is cut off', () => LARGE.slice(0, -2), 422, /cut off/],
    ['with a line that is none', () => LARGE.replace('\n{', '\n['), 422, /not written as/],
    ['with a lone byte', () => garbled(LARGE), 422, /not UTF-8/],
    ['of a newer version', () => LARGE.replace('"version":2', '"version":3'), 422, /newer Inglenook/],
    ['in one line', () => LARGE.replaceAll('\n', ' '), 422, /not written as|too long/],
    ['that begins otherwise', () => ` ${LARGE}`, 413, /limit is 20 MB/],
    [
      'packed garbage',
      () => new Uint8Array(25 * 1024 * 1024).fill(0x1f, 0, 1).fill(0x8b, 1, 2),
      422,
      /compressed file is broken/,
    ],
  ]
  for (const [what, body, status, sentence] of broken)
    test(`${what} is refused, and nothing is left`, async () => {
      const before = stories()
      const answer = await send(body())
      expect([answer.status, (await answer.json()).detail]).toEqual([status, expect.stringMatching(sentence)])
      expect([stories(), leftovers()]).toEqual([before, []])
    })
})

describe('the import form', () => {
  const sendForm = (file: string, fields: Record<string, string> = {}) => {
    const body = new FormData()
    for (const [name, text] of Object.entries(fields)) body.set(name, text)
    body.set('file', new File([file], 'Lamp.json'))
    body.set('text', '')
    return server.ask('/import', { method: 'POST', body })
  }
  const confirm = (page: string) =>
    server.ask('/import/apply', {
      method: 'POST',
      body: new URLSearchParams({
        held: /name="held" value="([^"]+)"/.exec(page)?.[1] ?? '',
        'adventures.0': '1',
      }),
      redirect: 'manual',
    })

  test('takes an adventure that is larger than other imports, and keeps it until it is imported', async () => {
    const before = stories()
    const preview = await sendForm(LARGE, { owner: '' })
    expect(preview.status).toBe(200)
    const page = await preview.text()
    expect(page).toContain('Import “Lamp.json”')
    expect(page).toContain('3,000 passages')
    // The file, which is read again, and its plan.
    expect([stories(), leftovers().length]).toEqual([before, 2])
    let address = (await confirm(page)).headers.get('location') ?? ''
    while (address.startsWith('/import/'))
      address = (await server.ask(address, { redirect: 'manual' })).headers.get('location') ?? address
    expect(address).toStartWith('/adventures/')
    expect([stories(), leftovers()]).toEqual([(before ?? 0) + 1, []])
    expect(await (await confirm(page)).headers.get('location')).toBe(address)
  })

  test.each([
    ['a film', ` ${LARGE}`, 413, 'The request is too large: the limit is 20 MB.'],
    ['an adventure that is cut off', LARGE.slice(0, -2), 422, 'cut off'],
  ])('refuses %s on a page, and nothing is left', async (_, file, status, sentence) => {
    const answer = await sendForm(file)
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(sentence)])
    expect(leftovers()).toEqual([])
  })

  test('refuses a pasted text and a body that it cannot read', async () => {
    const pasted = await server.ask('/import', {
      method: 'POST',
      body: new URLSearchParams({ text: 'x'.repeat(MAX_IMPORT_BYTES + 1) }),
    })
    expect([pasted.status, await pasted.text()]).toEqual([413, expect.stringContaining('“text” is too long')])
    const cut = await server.ask('/import', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: `--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${LARGE}`,
    })
    expect([cut.status, await cut.text()]).toEqual([400, expect.stringContaining('could not be read')])
    expect(leftovers()).toEqual([])
  })

  const file = (bytes: number, name = 'a.txt') => new File(['x'.repeat(bytes)], name)
  const many = Array.from({ length: 2_100 }, (_, i) => file(1, `${i}.txt`))
  const tooMany: [what: string, parts: (string | File)[], sentence: RegExp][] = [
    ['more than 2,000 files', [...many, file(MAX_IMPORT_BYTES)], /more than 2000 files/],
    ['more than 2,000 files after large ones', [file(MAX_IMPORT_BYTES), ...many], /more than 2000 files/],
    ['more than 2,000 small files', many, /more than 2000 files/],
    ['a long text beside a file', ['x'.repeat(2 ** 20 + 1), file(MAX_IMPORT_BYTES)], /is too long/],
    ['a long text after a file', [file(MAX_IMPORT_BYTES), 'x'.repeat(2 ** 20 + 1)], /is too long/],
    ['a long text between files', [file(9), 'x'.repeat(MAX_IMPORT_BYTES), file(9)], /is too long/],
    ['one file too large, and many', [file(MAX_IMPORT_BYTES + 1), ...many], /limit is 20 MB|2000 files/],
  ]
  for (const path of ['/import', '/api/import'])
    test.each(tooMany)(`${path} refuses %s, and nothing is left`, async (_, parts, sentence) => {
      const body = new FormData()
      for (const part of parts) body.append(typeof part === 'string' ? 'text' : 'file', part)
      const answer = await server.ask(path, { method: 'POST', body })
      expect([answer.status, await answer.text()]).toEqual([413, expect.stringMatching(sentence)])
      expect(leftovers()).toEqual([])
    })

  test('deletes the file of a client that hangs up', async () => {
    const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`
    const host = new URL(server.address).host
    const socket = await begin(
      server.address,
      `POST /import HTTP/1.1\r\nHost: ${host}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${LARGE.length}\r\n\r\n${head}${LARGE.slice(0, 2 ** 20)}`,
    )
    while (leftovers().length === 0) await Bun.sleep(1)
    await leave(socket)
    while (leftovers().length > 0) await Bun.sleep(1)
  })
})

test('an imported passage without a second version stores its text once', async () => {
  const text = 'Only once. '.repeat(50)
  const answer = await send(
    JSON.stringify({ format: 'ai-dnd-adventure-v1', title: 'x', actions: [{ index: 0, type: 'ai', text }] }),
  )
  const [id] = (await answer.json()).adventure_ids
  const rows = reader.all<object>('SELECT * FROM actions WHERE adventure_id = ?', id)
  expect(JSON.stringify(rows).split('Only once. '.repeat(50).trim())).toHaveLength(2)
  const { actions } = (await server.get(`/api/adventures/${id}/actions`)).body
  expect(actions.at(-1)).toMatchObject({ type: 'ai', variant_count: 1 })
})

describe('an upload', () => {
  test('whose client hangs up is deleted', async () => {
    const socket = await begin(
      server.address,
      `POST /api/import HTTP/1.1\r\nHost: ${new URL(server.address).host}\r\nContent-Length: ${LARGE.length}\r\n\r\n${LARGE.slice(0, 2 ** 20)}`,
    )
    while (leftovers().length === 0) await Bun.sleep(1)
    await leave(socket)
    while (leftovers().length > 0) await Bun.sleep(1)
  })

  test('with an unknown choice is refused, and nothing is left', async () => {
    expect((await send(LARGE, '?duplicates=all')).status).toBe(422)
    expect((await send(LARGE, '?apply=1&scenarios=all')).status).toBe(422)
    expect(leftovers()).toEqual([])
  })

  test('for which the disk has no room is refused and deleted, and is accepted when there is', async () => {
    const path = join(temporaryFolder(), 'library.db')
    const service = await Service.start({ APP_DB_PATH: path })
    const post = () => fetch(new URL('/api/import', service.address), { method: 'POST', body: LARGE })
    const disk = diskOf(service.child.pid)
    disk.fill()
    const answer = await post()
    expect([answer.status, await answer.json()]).toMatchObject([507, { code: 'storage_full' }])
    expect(existsSync(`${path}.uploads`) ? readdirSync(`${path}.uploads`) : []).toEqual([])
    disk.makeRoom()
    expect((await post()).status).toBe(200)
  })

  test('that a killed service left is deleted by the next start', async () => {
    const path = join(temporaryFolder(), 'library.db')
    openLibrary(path).close()
    mkdirSync(`${path}.uploads/x`, { recursive: true })
    openLibrary(path).close()
    expect(existsSync(`${path}.uploads`)).toBe(false)
  })
})

function garbled(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text)
  bytes[bytes.length >> 1] = 0xff
  return bytes
}
