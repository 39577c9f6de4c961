import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { sample, sampleText } from '../../formats/samples.ts'
import { isFullLane } from '../../support/depth.ts'
import { addressOf, spawnService } from '../../support/service/process.ts'
import { peakMemory, reportsMemory } from '../../support/service/process-memory.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()

const bring = (body: string | Uint8Array, query = '') => asked(server.address, `/api/import${query}`, body)

interface Answered {
  scenario?: { id: number }
  scenario_ids?: number[]
  adventure_ids?: number[]
  detail?: string
}

async function asked(address: string, path: string, body: string | Uint8Array, type = 'application/json') {
  const response = await fetch(new URL(path, address), {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: body as Uint8Array<ArrayBuffer>,
  })
  return { status: response.status, body: (await response.json()) as Answered }
}

/** Everything in the library, as text. */
const TABLES = ['scenarios', 'adventures', 'actions', 'story_cards', 'memories', 'settings', 'summaries']
const library = () =>
  JSON.stringify(TABLES.map((table) => server.deps.library.reader.all(`SELECT * FROM ${table} ORDER BY id`)))

describe('44 the tags of a bundle', () => {
  const bundle = { format: 'ai-dnd-scenario-v1', title: 'Lamp', prompt: 'Dusk.' }
  const long = 'word, '.repeat(1_700_000)
  const cases: [what: string, tags: unknown, stored: string | RegExp][] = [
    ['are missing', undefined, ''],
    ['are null', null, ''],
    ['are a number', 7, /^7?$/],
    ['are a list', ['quiet', 'night'], 'quiet, night'],
    ['are a list of anything', ['quiet', null, { a: 1 }, [2], 'night'], /^quiet.*night$/],
    ['are an object', { a: 1 }, ''],
    ['are 10 MB', long, /^(word, ){82}word$/],
    ['are 10 MB in one word', 'w'.repeat(10_000_000), 'w'.repeat(500)],
    ['are as they should be', 'quiet, night', 'quiet, night'],
  ]
  for (const [what, tags, stored] of cases)
    test(`44 that ${what}: the bundle is imported`, async () => {
      const file = JSON.stringify({ ...bundle, tags })
      const own = JSON.stringify({ ...bundle, format: 'inglenook-scenario', version: 1, tags })
      const answers = [
        await asked(server.address, '/api/scenarios/import', file),
        await bring(file, '?apply=1'),
        await bring(own, '?apply=1'),
      ]
      for (const { status, body } of answers) {
        expect(status).toBe(201)
        const [id] = body.scenario_ids ?? [body.scenario?.id]
        const saved = (await server.get(`/api/scenarios/${id}`)).body.tags
        expect(saved).toMatch(typeof stored === 'string' ? new RegExp(`^${RegExp.escape(stored)}$`) : stored)
      }
    })
})

describe('45 names that are special to file systems', () => {
  const names = [
    '.',
    '..',
    '../../x',
    '..\\..\\x',
    '/etc/passwd',
    'CON',
    'nul.txt',
    'a\0b',
    'x'.repeat(10_000),
    '~',
  ]
  for (const name of names)
    test(`45 ${JSON.stringify(name).slice(0, 20)} is text and never a path`, async () => {
      const before = readdirSync(dirname(server.path), { recursive: true }).sort()
      const file = sample('own-adventure-counted.json')
      const cards = [{ name, keys: name, entry: 'x', type: name, notes: name }]
      const named = { ...file, title: name, scenario: { ...file.scenario, title: name, story_cards: cards } }
      const { status, body } = await bring(
        JSON.stringify(named),
        `?apply=1&name=${encodeURIComponent(name.slice(0, 2_000))}`,
      )
      expect(status).toBe(201)
      const [story] = body.adventure_ids ?? []
      const adventure = (await server.get(`/api/adventures/${story}`)).body
      expect(adventure.title).toBe([...name].slice(0, 200).join(''))
      const routes = [
        `/api/adventures/${story}/export?format=markdown`,
        `/api/scenarios/${adventure.scenario_id}/export`,
      ]
      for (const route of routes) {
        const disposition = (await server.ask(route)).headers.get('content-disposition') ?? ''
        const [plain = ''] = /(?<=filename=")[^"]*/.exec(disposition) ?? []
        expect(plain).toMatch(/^[^/\\:*?<>|\0]{1,80}\.\w+$/)
        expect(plain).not.toMatch(/^(\.|con\.|nul\.)/i)
      }
      expect(readdirSync(dirname(server.path), { recursive: true }).sort()).toEqual(before)
    })
})

describe('46 unusual JSON', () => {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const scenario = (more: string) => `{"format":"ai-dnd-scenario-v1","title":"Lamp","prompt":"Dusk."${more}}`
  const keys = (many: number) => Array.from({ length: many }, (_, i) => `"${i.toString(36)}":1`).join(',')
  const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
  const refused: [what: string, file: string | Uint8Array, status: number][] = [
    ['two hundred levels', scenario(`,"x":${deep(200)}`), 422],
    ['a million brackets', '['.repeat(1_000_000), 422],
    ['two million keys', scenario(`,${keys(2_000_000)}`), 422],
    ['five million keys, packed', new Uint8Array(gzipSync(scenario(`,${keys(5_000_000)}`))), 422],
    ['more than is read', scenario(`,"x":"${'x'.repeat(21_000_000)}"`), 413],
    ['NaN', scenario(',"x":NaN'), 422],
    ['Infinity', scenario(',"x":-Infinity'), 422],
    ['UTF-16', utf16(scenario('')), 422],
    ['half of it', scenario('').slice(0, -1), 422],
    ['two files', scenario('') + scenario(''), 422],
  ]
  for (const [what, file, status] of refused)
    test(`46 ${what}: ${status}, and nothing is written`, async () => {
      const before = library()
      expect((await bring(file, '?apply=1')).status).toBe(status)
      expect((await asked(server.address, '/api/scenarios/import', file)).status).toBe(status)
      expect(library()).toBe(before)
    })

  const accepted: [what: string, file: string, title: string][] = [
    ['ninety levels', scenario(`,"x":${deep(90)}`), 'Lamp'],
    ['the same key twice: the last one counts', scenario(',"title":"Other"'), 'Other'],
    ['a number that is too large', scenario(',"x":1e999,"tags":1e999'), 'Lamp'],
    ['minus nothing', scenario(',"x":-0,"icon":-0'), 'Lamp'],
    ['a number of 400 digits', scenario(`,"x":${'9'.repeat(400)},"tags":${'9'.repeat(400)}`), 'Lamp'],
    ['a mark of its byte order', `\ufeff${scenario('')}`, 'Lamp'],
    ['a plain file', scenario(''), 'Lamp'],
  ]
  for (const [what, file, title] of accepted)
    test(`46 ${what}: accepted`, async () => {
      const { status, body } = await bring(file, '?apply=1')
      expect(status).toBe(201)
      const [id] = body.scenario_ids ?? []
      expect((await server.get(`/api/scenarios/${id}`)).body).toMatchObject({ title, prompt: 'Dusk.' })
    })

  const bodies: [what: string, body: string, status: number][] = [
    ['two hundred levels', `{"title":"x","more":${deep(200)}}`, 400],
    ['a million brackets', '['.repeat(1_000_000), 400],
    ['NaN', '{"title":"x","stat_schema":{"player":{"hp":{"max":NaN}}}}', 400],
    ['a number that is too large', '{"title":"x","stat_schema":{"player":{"hp":{"max":1e999}}}}', 422],
    [
      'a number of 400 digits',
      `{"title":"x","stat_schema":{"player":{"hp":{"max":${'9'.repeat(400)}}}}}`,
      422,
    ],
    ['a list', '[{"title":"x"}]', 422],
    ['a text', '"x"', 422],
    ['nothing but a mark', '\ufeff', 201],
    ['the same key twice', '{"title":"x","title":"y"}', 201],
    ['minus nothing', '{"title":"x","stat_schema":{"player":{"hp":{"initial":-0}}}}', 201],
    ['ninety levels', `{"title":"x","user_id":${deep(90)}}`, 201],
  ]
  for (const [what, body, status] of bodies)
    test(`46 a body of ${what}: ${status}`, async () => {
      const before = library()
      expect((await asked(server.address, '/api/scenarios', body)).status).toBe(status)
      expect(library() === before).toBe(status !== 201)
    })

  test.skipIf(!reportsMemory || !isFullLane)('46 the memory stays bounded', async () => {
    const child = spawnService({ APP_DB_PATH: `${server.path}.deep` })
    const address = await addressOf(child)
    for (const [, file] of accepted) await asked(address, '/api/import', file)
    await asked(address, '/api/import', scenario(`,"x":"${'x'.repeat(19_000_000)}"`))
    const before = peakMemory(child.pid)
    for (let i = 0; i < 2; i++)
      for (const [, file, status] of refused)
        expect((await asked(address, '/api/import', file)).status).toBe(status)
    // A compressed file of 64 MB is in memory as bytes and as text.
    expect(peakMemory(child.pid) - before).toBeLessThan(250)
  })
})

describe('49 an archive', () => {
  const many = (count: number) => zip(Array.from({ length: count }, (_, i) => [`${i}`, Buffer.alloc(0)]))
  const bomb = zip([['card.json', Buffer.alloc(100_000_000, 'a')]])
  const card = sampleText('card-v2.json')
  const files: [what: string, file: Uint8Array][] = [
    ['with a link', zip([['link', Buffer.from('/etc/passwd')]], 0xa1ff0000)],
    ['in an archive in an archive', zip([['a.zip', zip([['b.zip', bomb]])]])],
    ['that unpacks to 100 MB', bomb],
    ['with a hundred thousand entries', many(100_000)],
    ['that says that it has a million', patched(many(10), 1_000_000)],
    [
      'behind a picture of bytes',
      new Uint8Array([...Buffer.from('charx\0'), ...zip([['card.json', Buffer.from(card)]])]),
    ],
  ]
  for (const [what, file] of files)
    for (const name of ['odo.charx', 'odo.zip'])
      test(`49 ${what}, named ${name}, is refused unread`, async () => {
        const before = library()
        for (const bytes of [file, new Uint8Array(gzipSync(file))])
          expect(await bring(bytes, `?apply=1&name=${name}`)).toMatchObject({
            status: 422,
            body: { code: 'import_refused' },
          })
        expect(library()).toBe(before)
      })
  test('49 a card in an archive is read, and the names beside it are no paths', async () => {
    const outside = join(dirname(server.path), 'outside')
    const beside = ['../outside', outside].map((name): [string, Uint8Array] => [name, Buffer.from('x')])
    const answer = await bring(zip([['card.json', Buffer.from(card)], ...beside]), '?apply=1')
    expect(answer).toMatchObject({ status: 201, body: { kind: 'character-card' } })
    expect(JSON.stringify(answer.body)).toContain('../outside')
    expect((await bring(zip([['../outside', Buffer.from(card)]]), '?apply=1')).status).toBe(201)
    expect([outside, join(dirname(dirname(server.path)), 'outside')].filter(existsSync)).toEqual([])
  })
  test('49 a compressed file is decompressed once, up to 64 MB', async () => {
    const packed = (bytes: string | Uint8Array) => new Uint8Array(gzipSync(bytes))
    expect((await bring(packed(card))).status).toBe(200)
    expect((await bring(packed(packed(card)))).status).toBe(422)
    expect(await bring(packed(new Uint8Array(70_000_000)))).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('64 MB') },
    })
  })
})

/** A zip archive (APPNOTE 6.3) with the minimum that readers need. */
function zip(entries: [name: string, bytes: Uint8Array][], mode = 0): Uint8Array {
  const [parts, index]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [name, bytes] of entries) {
    const packed = deflateRawSync(bytes)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(bytes), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(bytes.length, 18)
    head.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(mode, 6)
    tail.writeUInt32LE(offset, 10)
    index.push(Buffer.from('PK\x01\x02\x14\0'), head.subarray(0, 26), tail, Buffer.from(name))
    parts.push(local)
    offset += local.length
  }
  const entered = Buffer.concat(index)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8)
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10)
  end.writeUInt32LE(entered.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...parts, entered, end]))
}

function patched(archive: Uint8Array, entries: number): Uint8Array {
  const bytes = Buffer.from(archive)
  bytes.writeUInt16LE(Math.min(entries, 0xffff), bytes.length - 12)
  return new Uint8Array(bytes)
}
