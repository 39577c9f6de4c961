import { describe, expect, test } from 'bun:test'
import { coverFromBytes } from '../../../src/app/scenario/covers.ts'
import { StoryError } from '../../../src/domain/errors.ts'
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
  svg,
  webp,
} from '../../support/files/pictures.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const photo = await jpeg({ exif: true })
const plainJpeg = await jpeg()
const plainWebp = await webp()
const wideWebp = await extendedWebp()
const film = await movingWebp()

async function scenario(fields: object = {}): Promise<number> {
  return (await server.post('/api/scenarios', { title: 'The Lamp Road', ...fields })).body.id
}
const cover = (id: number, init?: RequestInit) => server.ask(`/api/scenarios/${id}/image`, init)
const listed = async (path: string, id: number) =>
  (await server.get(path)).body.find((one: { id: number }) => one.id === id)

describe('a picture is re-encoded', () => {
  const good: [what: string, bytes: Uint8Array, width: number, height: number][] = [
    ['a large PNG', png({ width: 3000, height: 2000 }), 400, 267],
    ['a small PNG', png({ width: 200, height: 100 }), 200, 100],
    ['a photo with a rotation tag', photo, 5, 8],
    ['a WebP', plainWebp, 8, 5],
    ['a WebP with a text', wideWebp, 8, 5],
    ['a GIF', gif(), 1, 1],
    ['a photo with another one appended', join(plainJpeg, plainJpeg), 8, 5],
  ]
  for (const [what, bytes, width, height] of good)
    test(what, async () => {
      // The declared type is wrong, and corrected.
      const answer = await cover(await scenario({ image: dataUri(bytes, 'avif') }))
      expect(answer.headers.get('content-type')).toBe('image/webp')
      const stored = await answer.bytes()
      expect(await new Bun.Image(stored).metadata()).toEqual({ width, height, format: 'webp' })
      expect(Buffer.from(stored).toString('latin1')).not.toContain('GPS')
    })

  const bad: [what: string, image: string, words: string][] = [
    ['a page', dataUri(Buffer.from('<html></html>')), 'must be a PNG'],
    ['an SVG', dataUri(svg(), 'svg+xml'), 'must be a PNG'],
    ['an SVG declared as PNG', dataUri(svg()), 'must be a PNG'],
    ['a program', 'javascript:alert(1)', 'must be a PNG'],
    ['an https URL', 'https://tracker.example/a.png', 'not downloaded'],
    ['an http URL', 'http://192.168.0.9/a.png', 'not downloaded'],
    ['a bomb', dataUri(png({ claims: [50_000, 50_000] })), '50000 × 50000'],
    ['a picture of no size', dataUri(png({ claims: [0, 5] })), 'damaged'],
    ['half a picture', dataUri(png().subarray(0, 60)), 'damaged'],
    ['invalid pixels', dataUri(Buffer.from(png()).fill(7, 45, 55)), 'damaged'],
    ['a program in a GIF', dataUri(gifScript(), 'gif'), 'more than a picture'],
    ['a file appended to a picture', dataUri(join(png(), 'PK\x03\x04')), 'more than a picture'],
    ['an animated PNG', dataUri(movingPng()), 'animated'],
    ['an animated WebP', dataUri(film, 'webp'), 'animated'],
    ['an animated GIF', dataUri(gif({ frames: 3 }), 'gif'), 'animated'],
  ]
  for (const [what, image, words] of bad)
    test(`${what} is refused`, async () =>
      expect(await server.post('/api/scenarios', { image })).toMatchObject({
        status: 422,
        body: { code: 'image_refused', detail: expect.stringContaining(words) },
      }))

  test('2,000 damaged files give a picture or an error message', async () => {
    const whole = [png(), photo, plainWebp, wideWebp, gif()]
    let seed = 7
    const next = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return (seed >>> 8) % below
    }
    let kept = 0
    for (let i = 0; i < 2000; i++) {
      const bytes = Buffer.from(whole[i % whole.length] ?? [])
      for (let n = 1 + next(4); n > 0; n--) bytes[next(bytes.length)] = next(256)
      const made = await coverFromBytes(next(5) ? bytes : bytes.subarray(0, next(bytes.length))).catch(
        (error: unknown) => error,
      )
      if (typeof made === 'string') kept++
      else expect(made).toBeInstanceOf(StoryError)
    }
    expect(kept).toBeGreaterThan(50)
    expect(kept).toBeLessThan(1950)
  })
})

describe('a picture is served', () => {
  test('under a URL that changes only with the picture', async () => {
    const id = await scenario({ image: dataUri(png()) })
    const { image_url } = await listed('/api/scenarios', id)
    await server.send('PATCH', `/api/scenarios/${id}`, { title: 'Another' })
    expect((await listed('/api/scenarios', id)).image_url).toBe(image_url)
    await server.send('PATCH', `/api/scenarios/${id}`, { image: dataUri(png({ width: 9 })) })
    expect((await listed('/api/scenarios', id)).image_url).not.toBe(image_url)
  })

  test('once, and without a body for HEAD', async () => {
    const id = await scenario({ image: dataUri(png()) })
    const etag = (await cover(id)).headers.get('etag') ?? ''
    for (const given of [etag, `"x", ${etag}`, `W/${etag}`, '*'])
      expect([given, (await cover(id, { headers: { 'If-None-Match': given } })).status]).toEqual([given, 304])
    expect((await cover(id, { headers: { 'If-None-Match': '"x"' } })).status).toBe(200)
    const head = await cover(id, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
    expect(head.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('with the stories of its scenario, until that is deleted', async () => {
    const id = await scenario({ image: dataUri(png()), icon: '🏮' })
    const story = (await server.post('/api/adventures', { scenario_id: id })).body.id
    expect((await listed('/api/adventures', story)).image_url).toBe(
      (await listed('/api/scenarios', id)).image_url,
    )
    // Picture before emoji before art from the title.
    const art = async () => (await (await server.ask(`/scenarios/${id}`)).text()).split('<h1')[0]
    expect(await art()).toContain('<img class="cover"')
    await server.send('PATCH', `/api/scenarios/${id}`, { image: '' })
    expect(await art()).toMatch(/<span class="cover-icon">🏮/)
    await server.send('PATCH', `/api/scenarios/${id}`, { icon: '' })
    expect(await art()).toMatch(/data-title="The Lamp Road"/)
    expect(await art()).not.toContain('cover-icon')
    await server.send('DELETE', `/api/scenarios/${id}`)
    expect(await listed('/api/adventures', story)).toMatchObject({ image_url: '', icon: '' })
  })
})
