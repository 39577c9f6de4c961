import { crc32, deflateSync } from 'node:zlib'

/** A picture of two by two pixels, in base64. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAE0lEQVR4nGPgEtE4sSqKAYiBLAAdqgQlQNJ/iAAAAABJRU5ErkJggg=='

const SIGNATURE = 8

export interface PngChunk {
  type: string
  data: Uint8Array
  /** Its checksum is wrong. */
  isWrong?: boolean
}

/** The small picture with more chunks: before its pixels, behind them, and in place of its header. */
export function pngWith(
  before: PngChunk[],
  after: PngChunk[] = [],
  header?: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const picture = new Uint8Array(Buffer.from(PICTURE, 'base64'))
  const [first, ...pixels] = chunksIn(picture).slice(0, -1)
  const head = { type: 'IHDR', data: header ?? first?.data ?? new Uint8Array() }
  return pngOf([head, ...before, ...pixels, ...after])
}

/** A picture of noise, which no packing makes small, with more chunks before its pixels. */
export function noisyPng(width: number, height: number, ...more: PngChunk[]): Uint8Array<ArrayBuffer> {
  let noise = 1
  // https://en.wikipedia.org/wiki/Linear_congruential_generator
  const next = () => {
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) >>> 0
    return noise >>> 24
  }
  const rows = Array.from({ length: height }, () =>
    Buffer.from([0, ...Array.from({ length: width * 3 }, next)]),
  )
  const pixels = { type: 'IDAT', data: deflateSync(Buffer.concat(rows)) }
  return pngOf([{ type: 'IHDR', data: headerOf(width, height) }, ...more, pixels])
}

function pngOf(chunks: PngChunk[]): Uint8Array<ArrayBuffer> {
  const signature = Buffer.from(PICTURE, 'base64').subarray(0, SIGNATURE)
  const all = [...chunks, { type: 'IEND', data: new Uint8Array() }]
  return new Uint8Array(Buffer.concat([signature, ...all.map(written)]))
}

/** A card as the text chunk of a picture: base64 of JSON. */
export function cardChunk(
  keyword: string,
  card: unknown,
  kind: 'tEXt' | 'zTXt' | 'iTXt' | 'iTXt packed',
): PngChunk {
  const text = Buffer.from(Buffer.from(JSON.stringify(card)).toString('base64'))
  const name = Buffer.from(`${keyword}\0`)
  if (kind === 'tEXt') return { type: 'tEXt', data: Buffer.concat([name, text]) }
  if (kind === 'zTXt')
    return { type: 'zTXt', data: Buffer.concat([name, Buffer.from([0]), deflateSync(text)]) }
  const isPacked = kind === 'iTXt packed'
  const about = Buffer.from([isPacked ? 1 : 0, 0, ...Buffer.from('en\0\0')])
  return { type: 'iTXt', data: Buffer.concat([name, about, isPacked ? deflateSync(text) : text]) }
}

/** A 13-byte header that says these sizes. */
export function headerOf(width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return header
}

function chunksIn(png: Uint8Array): PngChunk[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  const chunks: PngChunk[] = []
  for (let at = SIGNATURE; at < png.length; ) {
    const length = view.getUint32(at)
    const type = Buffer.from(png.subarray(at + 4, at + 8)).toString('latin1')
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

function written({ type, data, isWrong = false }: PngChunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(isWrong ? 0 : crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}
