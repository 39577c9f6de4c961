import { concatBytes } from '../../lib/bytes.ts'
import { beginsWith } from './byte-view.ts'
import type { PictureError, PictureFacts } from './picture.ts'

// JPEG: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.1

const [START, END, SCAN, FILL] = [0xd8, 0xd9, 0xda, 0xff]
const [FIRST_APP, LAST_APP, ADOBE, COMMENT] = [0xe0, 0xef, 0xee, 0xfe]

/** A segment with its marker, and the offsets between which it lies. A scan includes its pixels. */
interface Segment {
  marker: number
  start: number
  end: number
}

export function isJpeg(view: DataView): boolean {
  return beginsWith(view, '\xff\xd8\xff')
}

/** The segments up to and including the end marker. Throws RangeError where the file is cut off or has no marker. */
function* segmentsOf(view: DataView): Generator<Segment> {
  for (let start = 2; ; ) {
    if (view.getUint8(start) !== 0xff) throw new RangeError('no marker')
    const marker = view.getUint8(start + 1)
    if (marker === FILL) start++
    else if (isStandalone(marker)) start += 2
    else if (marker === END) return yield { marker, start, end: start + 2 }
    else {
      const data = start + 2 + view.getUint16(start + 2)
      const end = marker === SCAN ? endOfPixels(view, data) : data
      yield { marker, start, end }
      start = end
    }
  }
}

/** The structure of a JPEG; null for another type. Throws RangeError as `segmentsOf`. */
export function jpegFacts(view: DataView): PictureFacts | PictureError | null {
  if (!isJpeg(view)) return null
  let size: { width: number; height: number } | null = null
  for (const { marker, start, end } of segmentsOf(view)) {
    if (marker === END) return size ? withoutTrailer(view, { type: 'jpeg', ...size, end }) : 'broken'
    if (!isFrame(marker)) continue
    if (size) return 'broken'
    size = { height: view.getUint16(start + 5), width: view.getUint16(start + 7) }
  }
  return 'broken'
}

/** A sound JPEG without comments and application data. Adobe's segment stays: it says how colors are coded. */
export function plainJpeg(bytes: Uint8Array, view: DataView): Uint8Array {
  const needed = [...segmentsOf(view)].filter(({ marker }) => !isMetadata(marker))
  return concatBytes([bytes.subarray(0, 2), ...needed.map(({ start, end }) => bytes.subarray(start, end))])
}

// Phones append more pictures, which may be cut off. Anything else after the end is not part of a picture.
function withoutTrailer(view: DataView, facts: PictureFacts): PictureFacts | PictureError {
  const { end } = facts
  const isNext = end + 2 <= view.byteLength && view.getUint16(end) === 0xff00 + START
  return end === view.byteLength || isNext ? facts : 'more'
}

/** A marker without a length: a restart, or one that is not in use. */
function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function isMetadata(marker: number): boolean {
  return marker === COMMENT || (marker > FIRST_APP && marker <= LAST_APP && marker !== ADOBE)
}

/** Among pixels, 0xff is followed by 0 or by a restart. Any other marker ends them. */
function endOfPixels(view: DataView, start: number): number {
  for (let at = start; ; at++) {
    if (view.getUint8(at) !== 0xff) continue
    const next = view.getUint8(at + 1)
    if (next !== 0 && next !== FILL && !isStandalone(next)) return at
  }
}
