import { afterAll, describe, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { sample } from '../../formats/samples.ts'
import { json, type RecordedRequest, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { cardChunk, headerOf, pngWith } from '../../support/files/card-png.ts'
import {
  dataUri,
  extendedWebp,
  gif,
  gifScript,
  join,
  jpeg,
  movingPng,
  movingWebp,
  png,
  pngChunk,
  svg,
  webp,
} from '../../support/files/pictures.ts'
import { keysIn } from '../../support/files/receipt-faults.ts'
import { addressOf, spawnService } from '../../support/service/process.ts'
import { peakMemory, reportsMemory } from '../../support/service/process-memory.ts'
import { startServer, type TestServer } from '../../support/service/server.ts'

const server = await startServer()
const photo = await jpeg({ exif: true })
const still = await webp()
const film = await movingWebp()
const written = await extendedWebp()
const CANARY = '<script>alert("canary")</script>'

/** Everything in the library that could contain a picture. */
const stored = ({ deps }: TestServer = server) =>
  JSON.stringify(deps.library.reader.all('SELECT id, image FROM scenarios ORDER BY id'))
const scenario = async (fields: object = {}) =>
  (await server.post('/api/scenarios', { title: 'The Lamp Road', ...fields })).body.id
const served = (id: number, init?: RequestInit) => server.ask(`/api/scenarios/${id}/image`, init)
const bundle = (image: unknown) => ({ format: 'ai-dnd-scenario-v1', title: 'Lamp', prompt: 'Dusk.', image })
const bring = (file: object) => server.post('/api/scenarios/import', file)

describe('38 a file that is not a picture', () => {
  const files: [what: string, bytes: Uint8Array][] = [
    ['a drawing', svg()],
    ['a page', Buffer.from(`<!doctype html>${CANARY}`)],
    ['a program', Buffer.from('fetch("https://tracker.example/")')],
    ['a program in a GIF', gifScript()],
  ]
  for (const [what, bytes] of files)
    for (const type of ['svg+xml', 'png', 'html'])
      test(`38 ${what} declared as ${type} is refused and not stored`, async () => {
        const id = await scenario()
        const before = stored()
        const image = dataUri(bytes, type)
        for (const address of [image, image.replace('image/', 'text/')])
          for (const response of [
            await server.post('/api/scenarios', { image: address }),
            await server.send('PATCH', `/api/scenarios/${id}`, { image: address }),
          ])
            expect(response).toMatchObject({ status: 422, body: { code: 'image_refused' } })
        expect(await sentByForm(id, bytes, `image/${type}`)).toBe(422)
        expect(stored()).toBe(before)
        const { body } = await bring(bundle(image))
        expect((await served(body.scenario.id)).status).toBe(404)
      })

  test('38 a picture is stored from every source, whatever its declared type', async () => {
    for (const bytes of [png(), photo, still, gif()]) {
      const id = await scenario({ image: dataUri(bytes, 'svg+xml') })
      expect((await served(id)).headers.get('content-type')).toBe('image/webp')
      expect(await sentByForm(id, bytes, 'text/html')).toBe(303)
    }
  })

  async function sentByForm(id: number, bytes: Uint8Array, type: string): Promise<number> {
    const form = new FormData()
    form.set('picture', new File([bytes as Uint8Array<ArrayBuffer>], 'cover.png', { type }))
    return (await server.ask(`/scenarios/${id}/cover`, { method: 'POST', body: form })).status
  }
})

test('39 a picture is only served as a picture, and a missing one is an error in JSON', async () => {
  const id = await scenario({ image: dataUri(png()) })
  const [{ image_url }] = (await server.get('/api/scenarios')).body.filter(
    (one: { id: number }) => one.id === id,
  )
  for (const [path, cache] of [
    [image_url, 'private, max-age=31536000, immutable'],
    [`/api/scenarios/${id}/image`, 'private, no-cache'],
  ]) {
    const { headers } = await server.ask(path)
    expect(headers.get('content-type')).toBe('image/webp')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
    expect(headers.get('cache-control')).toBe(cache)
    expect(headers.get('etag')).toMatch(/^"\w+"$/)
  }
  for (const path of [`/api/scenarios/${await scenario()}/image`, '/api/scenarios/99999/image']) {
    const response = await server.ask(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/json;charset=utf-8',
    ])
  }
})

describe.skipIf(!reportsMemory)('40 a decompression bomb', () => {
  const pixels = deflateSync(Buffer.alloc(60_000_000))
  const bombs: [what: string, bytes: Uint8Array, said: string][] = [
    ['of a hundred thousand pixels a side', png({ claims: [100_000, 100_000] }), '100000 × 100000'],
    ['of the most pixels that a header can say', png({ claims: [0x7fffffff, 0x7fffffff] }), 'far more'],
    ['of more pixels than it says', png({ extra: [pngChunk('IDAT', pixels)] }), ''],
    ['with 50 MB of packed text', png({ extra: [pngChunk('zTXt', join('a\0\0', pixels))] }), ''],
  ]
  test('40 is refused by its header, or re-encoded, in less than 20 MB', async () => {
    const child = spawnService({ APP_DB_PATH: `${server.path}.bombs` })
    const address = await addressOf(child)
    const send = (path: string, body: object) =>
      fetch(new URL(path, address), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    // The first picture loads the code for pictures.
    for (let i = 0; i < 5; i++) {
      expect(
        (await send('/api/scenarios', { image: dataUri(png({ width: 2_000, height: 2_000 })) })).status,
      ).toBe(201)
      expect((await send('/api/scenarios/import', bundle(dataUri(png())))).status).toBe(201)
    }
    const before = peakMemory(child.pid)
    for (const [what, bytes, said] of bombs) {
      const image = dataUri(bytes)
      const response = await send('/api/scenarios', { image })
      expect([what, response.status, await response.text()]).toEqual([
        what,
        said === '' ? 201 : 422,
        expect.stringContaining(said),
      ])
      const imported = await send('/api/scenarios/import', bundle(image))
      const { scenario } = (await imported.json()) as { scenario: { image: string } }
      expect([what, imported.status, scenario.image === '']).toEqual([what, 201, said !== ''])
    }
    const card = cardChunk('chara', { spec: 'chara_card_v2', data: { name: 'Odo' } }, 'tEXt')
    const large = pngWith([card], [], headerOf(100_000, 100_000))
    expect((await fetch(new URL('/api/import', address), { method: 'POST', body: large })).status).toBe(200)
    expect(peakMemory(child.pid) - before).toBeLessThan(20)
  })
})

describe('41 a file that is more or less than a picture', () => {
  const text = deflateSync(join(CANARY, Buffer.alloc(50_000_000)))
  const frames = Array.from({ length: 10_000 }, () => pngChunk('fcTL', new Uint8Array(26)))
  const comment = join('\xff\xfe', '\0\x22', CANARY)
  const spoiled: [what: string, bytes: Uint8Array, kept: boolean][] = [
    ['a PNG with 50 MB of packed text', png({ extra: [pngChunk('zTXt', join('a\0\0', text))] }), true],
    ['a PNG with a page in its text', png({ extra: [pngChunk('tEXt', `a\0${CANARY}`)] }), true],
    ['a JPEG with a page in its comment', join(photo.subarray(0, 2), comment, photo.subarray(2)), true],
    ['a WebP with a text', written, true],
    ['a PNG of ten thousand frames', png({ extra: [pngChunk('acTL', new Uint8Array(8)), ...frames] }), false],
    ['a moving PNG', movingPng(), false],
    ['a moving WebP', film, false],
    ['a moving GIF', gif({ frames: 3 }), false],
    ['a PNG with a page behind it', join(png(), CANARY), false],
    ['a JPEG with a page behind it', join(photo, CANARY), false],
    ['a WebP with a page behind it', join(still, CANARY), false],
    ['a JPEG that is a page between its ends', join('\xff\xd8\xff\xe0\0\x02', CANARY, '\xff\xd9'), false],
    ['half a PNG', png().subarray(0, 60), false],
    ['half a JPEG', photo.subarray(0, -20), false],
    ['half a WebP', still.subarray(0, -2), false],
  ]
  for (const [what, bytes, isStored] of spoiled)
    test(`41 ${what} is ${isStored ? 're-encoded' : 'refused'}`, async () => {
      const response = await server.post('/api/scenarios', { image: dataUri(bytes) })
      expect(response.status).toBe(isStored ? 201 : 422)
      // An imported file keeps its picture unchanged, without anything else.
      const imported = await bring(bundle(dataUri(bytes)))
      expect(imported.status).toBe(201)
      for (const id of [response.body.id, imported.body.scenario.id].filter(Boolean)) {
        const picture = await served(id)
        expect(picture.status).toBe(isStored ? 200 : 404)
        if (!isStored) continue
        const storedBytes = Buffer.from(await picture.bytes())
        expect(storedBytes.equals(bytes)).toBe(false)
        for (const word of ['script', 'canary', 'GPS']) expect(storedBytes.includes(word)).toBe(false)
        expect(await new Bun.Image(storedBytes).metadata()).toMatchObject({ width: expect.any(Number) })
      }
    })
})

describe('42 the Base64 of a picture', () => {
  const { length } = dataUri(png())
  const uri = dataUri(png({ width: 90, height: 70 }))
  const [head = '', data = ''] = uri.split(',')
  const cases: [what: string, image: string, status: number][] = [
    ['with line ends', `${head},${data.replace(/.{60}/g, '$&\r\n')}`, 201],
    ['with spaces', `${head}, ${data} `, 201],
    ['without padding', uri.replace(/=+$/, ''), 201],
    ['with padding in the middle', `${head},${data.slice(0, 40)}==${data.slice(40)}`, 422],
    ['that is padding', `${head},${'='.repeat(4_000)}`, 422],
    ['that is spaces', `${head},${' '.repeat(300_000)}`, 422],
    ['of a single character', `${head},A`, 422],
    ['without any', `${head},`, 422],
    ['of another alphabet', `${head},${'ä'.repeat(length)}`, 422],
    ['in percent signs', `data:image/png,${encodeURIComponent('<svg>')}`, 422],
    ['with more than a type in front', uri.replace(';', ';charset=utf-8;'), 422],
    ['that is too long for a cover', `${head},${'A'.repeat(500_000)}`, 422],
    ['of 40 MB', `${head},${'A'.repeat(40_000_000)}`, 413],
  ]
  for (const [what, image, status] of cases)
    test(`42 ${what}: ${status}`, async () => {
      const before = stored()
      expect((await server.post('/api/scenarios', { image })).status).toBe(status)
      expect(stored() === before).toBe(status !== 201)
    })
})

describe('43 a URL in place of a picture', async () => {
  const requests: RecordedRequest[] = []
  const tracker = await startEndpoint()
  afterAll(() => tracker.close())
  const address = tracker.url.replace('/v1', '/a.png')
  tracker.routes.set('/a.png', (exchange) => {
    requests.push(exchange.request)
    return json(200, {})(exchange)
  })
  const own = { format: 'inglenook-scenario', version: 1, title: 'Lamp', prompt: 'Dusk.', image: address }
  const card = { spec: 'chara_card_v3', data: { name: 'Odo', description: 'A broker.' } }
  const files: [what: string, path: string, file: object][] = [
    ['the earlier release’s scenario', 'image', bundle(address)],
    ['our own scenario', 'image', own],
    [
      'an adventure with its scenario',
      'scenario.image',
      { ...sample('own-adventure-counted.json'), scenario: { ...own, description: '' } },
    ],
    [
      'an adventure of the earlier release',
      'scenario',
      { format: 'ai-dnd-adventure-v1', scenario: bundle(address), actions: [{ type: 'start', text: 'x' }] },
    ],
    ['a card', 'data.avatar', { ...card, data: { ...card.data, avatar: address } }],
    [
      'a card’s assets',
      'data.assets[].uri',
      { ...card, data: { ...card.data, assets: [{ type: 'icon', uri: address, name: 'main', ext: 'png' }] } },
    ],
  ]
  for (const [what, path, file] of files)
    test(`43 is dropped from ${what}, and reported`, async () => {
      const plan = (await server.post('/api/import', file)).body
      expect(keysIn(plan.receipt.left)).toContain(path)
      expect((await server.post('/api/import?apply=1', file)).status).toBe(201)
      expect(stored()).not.toContain(address)
    })
  test('43 is refused as a cover, and nothing is requested', async () => {
    for (const image of [address, 'https://tracker.example/a.png', '//tracker.example/a.png'])
      expect((await server.post('/api/scenarios', { image })).status).toBe(422)
    expect(requests).toEqual([])
  })
})
