import { afterAll, describe, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { sample } from '../../formats/samples.ts'
import { cardChunk, headerOf, pngWith } from '../../support/files/card-png.ts'
import { json, type RecordedRequest, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { mostMemory, tellsMemory } from '../../support/service/process-memory.ts'
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
import { addressOf, spawnService } from '../../support/service/process.ts'
import { startServer, type TestServer } from '../../support/service/server.ts'

const server = await startServer()
const photo = await jpeg({ exif: true })
const still = await webp()
const film = await movingWebp()
const written = await extendedWebp()
const CANARY = '<script>alert("canary")</script>'

/** Everything of the library that a picture could be in. */
const stored = ({ deps }: TestServer = server) =>
  JSON.stringify(deps.library.reader.all('SELECT id, image FROM scenarios ORDER BY id'))
const scenario = async (fields: object = {}) =>
  (await server.post('/api/scenarios', { title: 'The Lamp Road', ...fields })).body.id
const served = (id: number, init?: RequestInit) => server.ask(`/api/scenarios/${id}/image`, init)
const bundle = (image: unknown) => ({ format: 'ai-dnd-scenario-v1', title: 'Lamp', prompt: 'Dusk.', image })
const bring = (file: object) => server.post('/api/scenarios/import', file)

describe('38 what is no picture', () => {
  const files: [what: string, bytes: Uint8Array][] = [
    ['a drawing', svg()],
    ['a page', Buffer.from(`<!doctype html>${CANARY}`)],
    ['a program', Buffer.from('fetch("https://tracker.example/")')],
    ['a program in a GIF', gifScript()],
  ]
  for (const [what, bytes] of files)
    for (const type of ['svg+xml', 'png', 'html'])
      test(`38 ${what} that calls itself ${type} is refused and not stored`, async () => {
        const id = await scenario()
        const before = stored()
        const image = dataUri(bytes, type)
        for (const address of [image, image.replace('image/', 'text/')])
          for (const answer of [
            await server.post('/api/scenarios', { image: address }),
            await server.send('PATCH', `/api/scenarios/${id}`, { image: address }),
          ])
            expect(answer).toMatchObject({ status: 422, body: { code: 'image_refused' } })
        expect(await sentByForm(id, bytes, `image/${type}`)).toBe(422)
        expect(stored()).toBe(before)
        const { body } = await bring(bundle(image))
        expect((await served(body.scenario.id)).status).toBe(404)
      })

  test('38 a picture is stored from every way in, whatever it calls itself', async () => {
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

test('39 a picture is served as nothing but one, and what has none says so in JSON', async () => {
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
    const answer = await server.ask(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'application/json;charset=utf-8',
    ])
  }
})

describe.skipIf(!tellsMemory)('40 a picture that would fill the memory', () => {
  const pixels = deflateSync(Buffer.alloc(60_000_000))
  const bombs: [what: string, bytes: Uint8Array, said: string][] = [
    ['of a hundred thousand pixels a side', png({ claims: [100_000, 100_000] }), '100000 × 100000'],
    ['of the most pixels that a header can say', png({ claims: [0x7fffffff, 0x7fffffff] }), 'far more'],
    ['of more pixels than it says', png({ extra: [pngChunk('IDAT', pixels)] }), ''],
    ['with 50 MB of packed text', png({ extra: [pngChunk('zTXt', join('a\0\0', pixels))] }), ''],
  ]
  test('40 is refused by its header, or made anew, in less than 20 MB', async () => {
    const child = spawnService({ APP_DB_PATH: `${server.path}.bombs` })
    const address = await addressOf(child)
    const send = (path: string, body: object) =>
      fetch(new URL(path, address), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    // The first picture brings the code for pictures into the memory.
    for (let i = 0; i < 5; i++) {
      expect(
        (await send('/api/scenarios', { image: dataUri(png({ width: 2_000, height: 2_000 })) })).status,
      ).toBe(201)
      expect((await send('/api/scenarios/import', bundle(dataUri(png())))).status).toBe(201)
    }
    const before = mostMemory(child.pid)
    for (const [what, bytes, said] of bombs) {
      const image = dataUri(bytes)
      const answer = await send('/api/scenarios', { image })
      expect([what, answer.status, await answer.text()]).toEqual([
        what,
        said === '' ? 201 : 422,
        expect.stringContaining(said),
      ])
      const brought = await send('/api/scenarios/import', bundle(image))
      const { scenario } = (await brought.json()) as { scenario: { image: string } }
      expect([what, brought.status, scenario.image === '']).toEqual([what, 201, said !== ''])
    }
    const card = cardChunk('chara', { spec: 'chara_card_v2', data: { name: 'Odo' } }, 'tEXt')
    const large = pngWith([card], [], headerOf(100_000, 100_000))
    expect((await fetch(new URL('/api/import', address), { method: 'POST', body: large })).status).toBe(200)
    expect(mostMemory(child.pid) - before).toBeLessThan(20)
  }, 30_000)
})

describe('41 a file that is more than a picture, or less', () => {
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
  for (const [what, bytes, kept] of spoiled)
    test(`41 ${what} is ${kept ? 'made anew' : 'refused'}`, async () => {
      const answer = await server.post('/api/scenarios', { image: dataUri(bytes) })
      expect(answer.status).toBe(kept ? 201 : 422)
      // A file that is brought keeps its picture as it is, without what stands beside it.
      const brought = await bring(bundle(dataUri(bytes)))
      expect(brought.status).toBe(201)
      for (const id of [answer.body.id, brought.body.scenario.id].filter(Boolean)) {
        const picture = await served(id)
        expect(picture.status).toBe(kept ? 200 : 404)
        if (!kept) continue
        const shown = Buffer.from(await picture.bytes())
        expect(shown.equals(bytes)).toBe(false)
        for (const word of ['script', 'canary', 'GPS']) expect(shown.includes(word)).toBe(false)
        expect(await new Bun.Image(shown).metadata()).toMatchObject({ width: expect.any(Number) })
      }
    })
})

describe('42 the text of a picture', () => {
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
    ['of a single letter', `${head},A`, 422],
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

describe('43 an address in place of a picture', async () => {
  const asked: RecordedRequest[] = []
  const tracker = await startEndpoint()
  afterAll(() => tracker.close())
  const address = tracker.url.replace('/v1', '/a.png')
  tracker.routes.set('/a.png', (exchange) => {
    asked.push(exchange.request)
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
      'data.assets[0].uri',
      { ...card, data: { ...card.data, assets: [{ type: 'icon', uri: address, name: 'main', ext: 'png' }] } },
    ],
  ]
  for (const [what, path, file] of files)
    test(`43 is dropped from ${what}, and named`, async () => {
      const plan = (await server.post('/api/import', file)).body
      expect(plan.receipt.dropped.map((line: { path: string }) => line.path)).toContain(path)
      expect((await server.post('/api/import?apply=1', file)).status).toBe(201)
      expect(stored()).not.toContain(address)
    })
  test('43 is refused where a cover is set, and nobody was asked', async () => {
    for (const image of [address, 'https://tracker.example/a.png', '//tracker.example/a.png'])
      expect((await server.post('/api/scenarios', { image })).status).toBe(422)
    expect(asked).toEqual([])
  })
})
