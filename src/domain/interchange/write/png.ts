import { crc32, deflateSync } from 'node:zlib'
import { joined } from '../../../formats/epub/make-zip.ts'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** The end of every PNG: an IEND chunk. */
const END_LENGTH = 12

/** A picture of one colour above that runs into another one below (PNG, third edition). Colours are `#rrggbb`. */
export function gradientPng(
  from: string,
  to: string,
  width: number,
  height: number,
): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  // Eight bits a colour, red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  const [above, below] = [colours(from), colours(to)]
  const row = 1 + 3 * width
  const pixels = new Uint8Array(row * height)
  for (let y = 0; y < height; y++) {
    const share = y / Math.max(1, height - 1)
    const colour = above.map((value, i) => Math.round(value + ((below[i] ?? 0) - value) * share))
    for (let at = 1; at < row; at++) pixels[y * row + at] = colour[(at - 1) % 3] ?? 0
  }
  return joined([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', new Uint8Array()),
  ])
}

/** A PNG with texts in it, behind its picture. Texts must be Latin-1. */
export function withTexts(png: Uint8Array, texts: Record<string, string>): Uint8Array<ArrayBuffer> {
  const end = png.length - END_LENGTH
  const chunks = Object.entries(texts).map(([keyword, text]) => chunk('tEXt', ascii(`${keyword}\0${text}`)))
  return joined([png.subarray(0, end), ...chunks, png.subarray(end)])
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const named = joined([ascii(type), data])
  return joined([bigEndian(data.length), named, bigEndian(crc32(named))])
}

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function colours(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
}
