import { concatBytes, zlib } from '../../lib/bytes.ts'
import { viewOf } from './byte-view.ts'
import { chunksOf, dataOf, makeChunk } from './png.ts'

/** Chunks that are looked at. */
const MAX_CHUNKS = 50_000
/** Bytes of an unpacked text. A character card of a megabyte is a very long one. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024
/** Bytes of the IEND chunk that ends every PNG. */
const IEND_LENGTH = 12

export interface PngText {
  keyword: string
  /** Null for a text that cannot be unpacked, or is too long. */
  read: () => string | null
}

/** The texts of a PNG (tEXt, zTXt and iTXt), also of one that is cut off. */
export function parseTexts(png: Uint8Array): PngText[] {
  return [...chunksOf(viewOf(png)).take(MAX_CHUNKS)].flatMap(
    (chunk) => textIn(chunk.type, dataOf(png, chunk)) ?? [],
  )
}

export function isCutOff(png: Uint8Array): boolean {
  return ![...chunksOf(viewOf(png)).take(MAX_CHUNKS)].some(({ type }) => type === 'IEND')
}

/** A PNG with more texts after its pixels. Texts must be Latin-1. */
export function makePngWithTexts(png: Uint8Array, texts: Record<string, string>): Uint8Array<ArrayBuffer> {
  const end = png.length - IEND_LENGTH
  const chunks = Object.entries(texts).map(([keyword, text]) =>
    makeChunk('tEXt', new TextEncoder().encode(`${keyword}\0${text}`)),
  )
  return concatBytes([png.subarray(0, end), ...chunks, png.subarray(end)])
}

function textIn(type: string, data: Uint8Array): PngText | null {
  if (type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt') return null
  const end = data.indexOf(0)
  if (end < 1 || end > 79) return null
  const keyword = latin1(data.subarray(0, end))
  const rest = data.subarray(end + 1)
  if (type === 'tEXt') return { keyword, read: () => latin1(rest) }
  if (type === 'zTXt') return { keyword, read: () => inflated(rest.subarray(1)) }
  return { keyword, read: () => international(rest) }
}

// Compression flag and method, then a language and a translated keyword, each ended by a zero.
function international(data: Uint8Array): string | null {
  const language = data.indexOf(0, 2)
  const translated = language === -1 ? -1 : data.indexOf(0, language + 1)
  if (translated === -1) return null
  const text = data.subarray(translated + 1)
  return data[0] === 1 ? inflated(text) : new TextDecoder().decode(text)
}

function inflated(data: Uint8Array): string | null {
  try {
    return new TextDecoder().decode(zlib().inflateSync(data, { maxOutputLength: MAX_TEXT_BYTES }))
  } catch {
    return null
  }
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}
