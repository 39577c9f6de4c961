import { LIMITS } from '../../limits.ts'
import { bytesFrom } from './base64.ts'
import { pick } from './pick.ts'
import { chunksOf, isPng } from './png.ts'
import type { Reading } from './reading.ts'

/** Pixels of a cover that is kept as it is. More would fill the memory of every page that shows it. */
const MOST_PIXELS = 16_000_000

const FITTING = `Only a still PNG, JPEG or WebP picture of at most ${LIMITS.image} characters is taken over.`

/** The picture of a scenario as it may be stored, a data URI; '' without one, or for one that is not clean. */
export function pickPicture(
  reading: Reading,
  holder: Record<string, unknown>,
  keys: readonly string[],
): string {
  return (
    pick(reading, holder, keys, 'Picture', (value, key) => {
      if (typeof value !== 'string') return undefined
      const picture = value === '' ? '' : cleanPicture(value)
      if (picture === null) reading.judge('dropped', holder, key, reasonFor(value))
      else if (picture === value) reading.judge('taken', holder, key, 'Picture.')
      else reading.judge('changed', holder, key, 'Picture, without what else the file held.')
      return picture ?? ''
    }) ?? ''
  )
}

function reasonFor(value: string): string {
  return /^https?:/i.test(value)
    ? 'A picture on the internet. It is not fetched.'
    : `Not a picture that can be kept. ${FITTING}`
}

/** A data URI with a still picture and nothing else in it; null for every other text. */
export function cleanPicture(uri: string): string | null {
  if (uri.length > LIMITS.image) return null
  const payload = /^data:image\/[a-z+]+;base64,([a-z0-9+/=\s_-]+)$/i.exec(uri)?.[1]
  const bytes = payload === undefined ? null : bytesFrom(payload)
  return bytes && pictureUri(bytes)
}

/** The same from bytes. */
export function pictureUri(bytes: Uint8Array): string | null {
  const found = stillPng(bytes) ?? stillWebp(bytes) ?? stillJpeg(bytes)
  if (found === null) return null
  const uri = `data:image/${found.type};base64,${found.bytes.toBase64()}`
  return uri.length > LIMITS.image ? null : uri
}

interface Still {
  type: 'png' | 'webp' | 'jpeg'
  bytes: Uint8Array
}

/** Chunks that a picture needs to look as it should. All others, texts and profiles, are left out. */
const NEEDED = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'sBIT',
  'bKGD',
  'pHYs',
])

function stillPng(bytes: Uint8Array): Still | null {
  if (!isPng(bytes)) return null
  const { chunks, isWhole } = chunksOf(bytes)
  const [header] = chunks
  const isStill = !chunks.some(({ type }) => type === 'acTL')
  if (!isWhole || !isStill || header?.type !== 'IHDR' || header.data.length !== 13) return null
  if (!chunks.some(({ type }) => type === 'IDAT') || !isSane(header.data, 0, 4)) return null
  const kept = chunks.filter(({ type }) => NEEDED.has(type))
  if (kept.length === chunks.length) return { type: 'png', bytes }
  // A chunk is its data with length and type before it and a checksum behind it.
  const parts = kept.map(({ data }) =>
    bytes.subarray(
      data.byteOffset - bytes.byteOffset - 8,
      data.byteOffset - bytes.byteOffset + data.length + 4,
    ),
  )
  return { type: 'png', bytes: joined([bytes.subarray(0, 8), ...parts]) }
}

function isSane(header: Uint8Array, widthAt: number, heightAt: number): boolean {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  return isSaneSize(view.getUint32(widthAt), view.getUint32(heightAt))
}

function isSaneSize(width: number, height: number): boolean {
  return width > 0 && height > 0 && width * height <= MOST_PIXELS
}

// RIFF container: https://developers.google.com/speed/webp/docs/riff_container
function stillWebp(bytes: Uint8Array): Still | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 30 || letters(bytes, 0) !== 'RIFF' || letters(bytes, 8) !== 'WEBP') return null
  if (view.getUint32(4, true) + 8 !== bytes.length) return null
  const kind = letters(bytes, 12)
  const u24 = (at: number) => view.getUint16(at, true) + ((bytes[at + 2] ?? 0) << 16)
  const bits = view.getUint32(21, true)
  const [width, height] =
    kind === 'VP8X'
      ? [u24(24) + 1, u24(27) + 1]
      : kind === 'VP8L'
        ? [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
        : kind === 'VP8 '
          ? [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]
          : [0, 0]
  const isAnimated = kind === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0
  return !isAnimated && isSaneSize(width, height) ? { type: 'webp', bytes } : null
}

// A frame header that says the size: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.2.2
function stillJpeg(bytes: Uint8Array): Still | null {
  const isOne = bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff
  if (!isOne || bytes.at(-2) !== 0xff || bytes.at(-1) !== 0xd9) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame)
      return isSaneSize(view.getUint16(at + 7), view.getUint16(at + 5)) ? { type: 'jpeg', bytes } : null
    at += 2 + view.getUint16(at + 2)
  }
  return null
}

function letters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
