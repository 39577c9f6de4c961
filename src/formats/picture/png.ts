import { concatBytes, zlib } from '../../lib/bytes.ts'
import { beginsWith, lettersAt } from './byte-view.ts'
import type { PictureError, PictureFacts } from './picture.ts'

// Portable Network Graphics, third edition: https://www.w3.org/TR/png-3/

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** Bytes of a chunk before its data (length and type) and after it (checksum). */
const [BEFORE_DATA, AFTER_DATA] = [8, 4]

/** A chunk of a PNG: its type in four letters, and the offsets between which it lies. */
interface PngChunk {
  type: string
  start: number
  end: number
}

export function isPng(view: DataView): boolean {
  return beginsWith(view, '\x89PNG\r\n\x1a\n')
}

/** The chunks up to IEND, or up to where the file is cut off. Checksums are not verified. */
export function* chunksOf(view: DataView): Generator<PngChunk> {
  let type = ''
  for (
    let start = SIGNATURE.length;
    type !== 'IEND' && start + BEFORE_DATA + AFTER_DATA <= view.byteLength;
  ) {
    const end = start + BEFORE_DATA + view.getUint32(start) + AFTER_DATA
    if (end > view.byteLength) return
    type = lettersAt(view, start + 4, 4)
    yield { type, start, end }
    start = end
  }
}

export function dataOf(png: Uint8Array, { start, end }: PngChunk): Uint8Array {
  return png.subarray(start + BEFORE_DATA, end - AFTER_DATA)
}

/** The structure of a PNG; null for another type. */
export function pngFacts(view: DataView): PictureFacts | PictureError | null {
  if (!isPng(view)) return null
  const [header] = chunksOf(view)
  if (header?.type !== 'IHDR' || header.end !== HEADER_END) return 'broken'
  let hasPixels = false
  for (const { type, end } of chunksOf(view)) {
    if (type === 'acTL' || type === 'fcTL') return 'animated'
    if (type === 'IDAT') hasPixels = true
    if (type !== 'IEND') continue
    if (!hasPixels) return 'broken'
    if (end < view.byteLength) return 'more'
    return { type: 'png', width: view.getUint32(16), height: view.getUint32(20), end }
  }
  return 'broken'
}

const HEADER_END = SIGNATURE.length + BEFORE_DATA + 13 + AFTER_DATA

/** Chunks that a PNG needs to look right. Texts, profiles and all others are metadata. */
const NEEDED = ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'bKGD', 'pHYs']

/** A sound PNG without its metadata. */
export function plainPng(bytes: Uint8Array, view: DataView): Uint8Array {
  const needed = [...chunksOf(view)].filter(({ type }) => NEEDED.includes(type))
  return concatBytes([SIGNATURE, ...needed.map(({ start, end }) => bytes.subarray(start, end))])
}

export function makePng(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concatBytes([SIGNATURE, ...chunks])
}

/** `type` is four ASCII letters. */
export function makeChunk(type: string, data: Uint8Array): Uint8Array {
  const body = concatBytes([new TextEncoder().encode(type), data])
  return concatBytes([bigEndian(data.length), body, bigEndian(zlib().crc32(body))])
}

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}
