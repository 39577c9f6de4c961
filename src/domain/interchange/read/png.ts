import { inflateSync } from 'node:zlib'

// Portable Network Graphics, third edition: https://www.w3.org/TR/png-3/

/** A part of a PNG: its type in four letters, and its data. */
export interface Chunk {
  type: string
  data: Uint8Array
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const MOST_CHUNKS = 50_000
/** A character unpacked. A card of a megabyte is a very long one. */
const MOST_INFLATED = 8 * 1024 * 1024

/** Whether bytes begin as every PNG does. */
export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[i] === byte)
}

/** The chunks of a PNG up to its end. `isWhole`: it has one, and nothing comes after it. Checksums are not looked at. */
export function chunksOf(bytes: Uint8Array): { chunks: Chunk[]; isWhole: boolean } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at + 12 <= bytes.length && chunks.length < MOST_CHUNKS; ) {
    const length = view.getUint32(at)
    if (at + 12 + length > bytes.length) break
    const type = latin(bytes.subarray(at + 4, at + 8))
    chunks.push({ type, data: bytes.subarray(at + 8, at + 8 + length) })
    at += 12 + length
    if (type === 'IEND') return { chunks, isWhole: at === bytes.length }
  }
  return { chunks, isWhole: false }
}

/** A text that a PNG carries beside its picture. */
export interface PngText {
  keyword: string
  /** Null for what cannot be unpacked, or unpacks to more than any card. */
  read: () => string | null
}

/** The text of a chunk (tEXt, zTXt or iTXt); null for every other chunk. */
export function textOf({ type, data }: Chunk): PngText | null {
  if (type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt') return null
  const end = data.indexOf(0)
  if (end < 1 || end > 79) return null
  const keyword = latin(data.subarray(0, end))
  const rest = data.subarray(end + 1)
  if (type === 'tEXt') return { keyword, read: () => latin(rest) }
  if (type === 'zTXt') return { keyword, read: () => inflated(rest.subarray(1)) }
  return { keyword, read: () => international(rest) }
}

// Compression flag and method, then a language and a translated keyword, each closed by a zero.
function international(data: Uint8Array): string | null {
  const language = data.indexOf(0, 2)
  const translated = language === -1 ? -1 : data.indexOf(0, language + 1)
  if (translated === -1) return null
  const text = data.subarray(translated + 1)
  return data[0] === 1 ? inflated(text) : new TextDecoder().decode(text)
}

function inflated(data: Uint8Array): string | null {
  try {
    return new TextDecoder().decode(inflateSync(data, { maxOutputLength: MOST_INFLATED }))
  } catch {
    return null
  }
}

function latin(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}
