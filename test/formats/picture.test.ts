import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { coverArt } from '../../src/domain/default-cover.ts'
import { pictureFacts, pictureType } from '../../src/formats/picture/picture-facts.ts'
import { runs } from '../support/depth.ts'
import {
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
} from '../support/files/pictures.ts'

const photo = await jpeg({ exif: true })
const plainJpeg = await jpeg()
const plainWebp = await webp()
const wideWebp = await extendedWebp()
const film = await movingWebp()

describe('the structure of a picture', () => {
  const cases: [what: string, bytes: Uint8Array, said: object | string][] = [
    ['a PNG', png(), { type: 'png', width: 8, height: 5 }],
    ['a PNG with texts', png({ extra: [pngChunk('tEXt', 'a\0b')] }), { type: 'png' }],
    ['a JPEG', plainJpeg, { type: 'jpeg', width: 8, height: 5 }],
    ['a JPEG of a camera', photo, { type: 'jpeg', width: 8, height: 5 }],
    ['a photo with another one behind it', join(photo, photo), { type: 'jpeg', end: photo.length }],
    ['a WebP', plainWebp, { type: 'webp', width: 8, height: 5 }],
    ['a WebP with a canvas', wideWebp, { type: 'webp', width: 8, height: 5 }],
    ['a GIF', gif({ width: 7 }), { type: 'gif', width: 7, height: 1 }],
    ['a PNG that claims to be huge', png({ claims: [50_000, 50_000] }), { width: 50_000, height: 50_000 }],
    ['nothing', new Uint8Array(), 'unknown'],
    ['a drawing', svg(), 'unknown'],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'unknown'],
    ['a program in a GIF', gifScript(), 'more'],
    ['a GIF with a program behind it', join(gif(), '=1;alert(1)'), 'more'],
    ['a PNG with a file behind it', join(png(), 'PK\x03\x04'), 'more'],
    ['a JPEG with a page behind it', join(photo, '<script>'), 'more'],
    ['a WebP with a page behind it', join(plainWebp, '<script>'), 'more'],
    ['a moving PNG', movingPng(), 'animated'],
    ['a moving WebP', film, 'animated'],
    ['a moving GIF', gif({ frames: 2 }), 'animated'],
    ['a GIF without a picture', gif({ frames: 0 }), 'broken'],
    ['a PNG without pixels', join(png().subarray(0, 33), pngChunk('IEND', '')), 'broken'],
    [
      'a PNG that begins with another chunk',
      join(png().subarray(0, 8), pngChunk('tEXt', ''), png().subarray(8)),
      'broken',
    ],
    ['half a PNG', png().subarray(0, 50), 'broken'],
    ['half a JPEG', photo.subarray(0, -20), 'broken'],
    ['half a WebP', plainWebp.subarray(0, -2), 'broken'],
    ['half a GIF', gif().subarray(0, -1), 'broken'],
  ]
  for (const [what, bytes, said] of cases)
    test(what, () => {
      const facts = pictureFacts(bytes)
      if (typeof said === 'string') expect(facts).toBe(said as never)
      else expect(facts).toMatchObject(said)
    })

  test('is read of any bytes without a throw or an end', () => {
    const starts = [png(), photo, gif(), Buffer.from('RIFF\x10\0\0\0WEBPVP8L', 'latin1'), Buffer.alloc(0)]
    fc.assert(
      fc.property(
        fc.constantFrom(...starts),
        fc.nat(60),
        fc.uint8Array({ maxLength: 300 }),
        (start, cut, rest) => {
          pictureFacts(join(start.subarray(0, cut), rest))
        },
      ),
      { numRuns: runs(3000) },
    )
  })

  test('tells its kind by its first bytes', async () => {
    const files = [png(), photo, plainWebp, gif(), Buffer.from('\0\0\0 ftypavif', 'latin1'), svg()]
    expect(files.map(pictureType)).toEqual(['png', 'jpeg', 'webp', 'gif', 'avif', null])
  })
})

test('initials can be read on every gradient', () => {
  const light = (hex: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const seen = new Set<string>()
  for (let i = 0; i < 400; i++) {
    const { from, to } = coverArt(`Title ${i}`)
    seen.add(from)
    for (const color of [from, to]) expect(1.05 / (light(color) + 0.05)).toBeGreaterThan(4.5)
  }
  expect(seen.size).toBe(12)
})
