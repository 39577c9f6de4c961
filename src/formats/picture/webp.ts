import { concatBytes } from '../../lib/bytes.ts'
import { beginsWith, lettersAt } from './byte-view.ts'
import type { PictureError, PictureFacts } from './picture.ts'

// WebP: https://developers.google.com/speed/webp/docs/riff_container

/** Bytes before the first chunk: RIFF, the length of the rest, WEBP. */
const HEADER_LENGTH = 12

/** A chunk: its type in four letters, and the offsets between which it lies. */
interface WebpChunk {
  type: string
  start: number
  data: number
  /** May lie after the end of a file that is cut off. */
  end: number
}

export function isWebp(view: DataView): boolean {
  return view.byteLength >= HEADER_LENGTH && beginsWith(view, 'RIFF') && lettersAt(view, 8, 4) === 'WEBP'
}

/** The end of the file by its own account. */
function declaredEnd(view: DataView): number {
  return view.getUint32(4, true) + 8
}

/** The chunks up to the declared end. Throws RangeError where the file is cut off inside the head of one. */
function* chunksOf(view: DataView): Generator<WebpChunk> {
  for (let start = HEADER_LENGTH; start < declaredEnd(view); ) {
    const type = lettersAt(view, start, 4)
    const length = view.getUint32(start + 4, true)
    // A chunk of odd length is padded to an even one.
    const end = start + 8 + length + (length % 2)
    yield { type, start, data: start + 8, end }
    start = end
  }
}

/** The structure of a WebP; null for another type. Throws RangeError as `chunksOf`. */
export function webpFacts(view: DataView): PictureFacts | PictureError | null {
  if (!isWebp(view) || view.byteLength < 16) return null
  const end = declaredEnd(view)
  if (end < view.byteLength) return 'more'
  let [width, height, hasPixels] = [0, 0, false]
  for (const chunk of chunksOf(view)) {
    const { type, data } = chunk
    const size = sizeIn(view, chunk)
    if (type === 'ANIM' || type === 'ANMF' || (type === 'VP8X' && view.getUint8(data) & IS_ANIMATED))
      return 'animated'
    if (type === 'VP8 ' || type === 'VP8L') {
      if (hasPixels) return 'broken'
      hasPixels = true
    }
    if (size) [width, height] = [Math.max(width, size[0]), Math.max(height, size[1])]
    if (chunk.end > end) return 'broken'
  }
  return hasPixels && end === view.byteLength ? { type: 'webp', width, height, end } : 'broken'
}

function sizeIn(view: DataView, { type, data }: WebpChunk): [number, number] | null {
  if (type === 'VP8X')
    return [1 + (view.getUint32(data + 4, true) & 0xffffff), 1 + (view.getUint32(data + 6, true) >>> 8)]
  if (type === 'VP8 ')
    return [view.getUint16(data + 6, true) & 0x3fff, view.getUint16(data + 8, true) & 0x3fff]
  if (type !== 'VP8L') return null
  const bits = view.getUint32(data + 1, true)
  return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)]
}

/** Flags of a VP8X chunk. */
const [IS_ANIMATED, HAS_ALPHA] = [0x02, 0x10]
const NEEDED = ['VP8X', 'VP8 ', 'VP8L', 'ALPH']

/** A sound WebP without its metadata, and without the flags that announce it. */
export function plainWebp(bytes: Uint8Array, view: DataView): Uint8Array {
  const chunks = [...chunksOf(view)]
    .filter(({ type }) => NEEDED.includes(type))
    .map(({ type, start, end }) => {
      const chunk = bytes.slice(start, end)
      if (type === 'VP8X') chunk[8] = (chunk[8] ?? 0) & HAS_ALPHA
      return chunk
    })
  const body = concatBytes([new TextEncoder().encode('WEBP'), ...chunks])
  const header = new Uint8Array(8)
  header.set(new TextEncoder().encode('RIFF'))
  new DataView(header.buffer).setUint32(4, body.length, true)
  return concatBytes([header, body])
}
