import type { PictureFacts } from './facts.ts'
import { afterPixels, isBare } from './jpeg.ts'
import { lettersAt } from '../../formats/picture/byte-view.ts'

/** Chunks that a PNG needs to look as it should. Texts, profiles and all others are left out. */
const PNG_NEEDS = ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'bKGD', 'pHYs']
const WEBP_NEEDS = ['VP8X', 'VP8 ', 'VP8L', 'ALPH']
/** The one flag of a WebP that its pixels need. */
const HAS_ALPHA = 0x10
const [FIRST_APP, LAST_APP, ADOBE, COMMENT, SCAN, END] = [0xe0, 0xef, 0xee, 0xfe, 0xda, 0xd9]

/** The picture in a file and nothing beside it: no text, no place where it was taken. The file must be sound. */
export function barePicture(bytes: Uint8Array, { type, end }: PictureFacts): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, end)
  switch (type) {
    case 'png':
      return joined([bytes.subarray(0, 8), ...pngParts(bytes, view)])
    case 'webp':
      return webpOf(joined(webpParts(bytes, view)))
    case 'jpeg':
      return joined([bytes.subarray(0, 2), ...jpegParts(bytes, view)])
    case 'gif':
      return bytes.subarray(0, end)
  }
}

function pngParts(bytes: Uint8Array, view: DataView): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let at = 8; at < view.byteLength; ) {
    const next = at + 12 + view.getUint32(at)
    if (PNG_NEEDS.includes(lettersAt(view, at + 4, 4))) parts.push(bytes.subarray(at, next))
    at = next
  }
  return parts
}

function webpParts(bytes: Uint8Array, view: DataView): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let at = 12; at < view.byteLength; ) {
    const name = lettersAt(view, at, 4)
    const length = view.getUint32(at + 4, true)
    const next = at + 8 + length + (length % 2)
    const part = bytes.slice(at, next)
    if (name === 'VP8X') part[8] = (part[8] ?? 0) & HAS_ALPHA
    if (WEBP_NEEDS.includes(name)) parts.push(part)
    at = next
  }
  return parts
}

function webpOf(chunks: Uint8Array): Uint8Array {
  const head = new Uint8Array(12)
  head.set(new TextEncoder().encode('RIFF....WEBP'))
  new DataView(head.buffer).setUint32(4, chunks.length + 4, true)
  return joined([head, chunks])
}

function jpegParts(bytes: Uint8Array, view: DataView): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let at = 2; ; ) {
    const marker = view.getUint8(at + 1)
    if (marker === END) return [...parts, bytes.subarray(at, at + 2)]
    if (marker === 0xff || isBare(marker)) at += marker === 0xff ? 1 : 2
    else {
      const data = at + 2 + view.getUint16(at + 2)
      const next = marker === SCAN ? afterPixels(view, data) : data
      const isBeside = marker === COMMENT || (marker > FIRST_APP && marker <= LAST_APP && marker !== ADOBE)
      if (!isBeside) parts.push(bytes.subarray(at, next))
      at = next
    }
  }
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
