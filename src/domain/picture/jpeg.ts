import type { PictureFacts, PictureFault } from './facts.ts'

const [START, END, SCAN] = [0xd8, 0xd9, 0xda]

/** A JPEG (https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.1); null for another kind. Throws RangeError when it is cut off. */
export function readJpeg(view: DataView): PictureFacts | PictureFault | null {
  if (view.byteLength < 3 || view.getUint8(0) !== 0xff || view.getUint16(1) !== START * 256 + 0xff)
    return null
  let size: { width: number; height: number } | null = null
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return 'broken'
    const marker = view.getUint8(at + 1)
    at += 2
    if (marker === END) return size ? ended(view, { type: 'jpeg', ...size, end: at }) : 'broken'
    if (marker === 0xff) at--
    if (marker === 0xff || isBare(marker)) continue
    if (isFrame(marker)) {
      if (size) return 'broken'
      size = { height: view.getUint16(at + 3), width: view.getUint16(at + 5) }
    }
    at += view.getUint16(at)
    if (marker === SCAN) at = afterPixels(view, at)
  }
}

// Phones put further pictures behind the first; they are left out. Anything else there is no picture.
function ended(view: DataView, facts: PictureFacts): PictureFacts | PictureFault {
  const { end } = facts
  const isNext = end + 2 <= view.byteLength && view.getUint16(end) === 0xff00 + START
  return end === view.byteLength || isNext ? facts : 'more'
}

/** A marker without a length: a restart, or one that nobody uses. */
export function isBare(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Where the pixels end: among them 0xff is followed by 0 or by a restart, and any other marker ends them. */
export function afterPixels(view: DataView, from: number): number {
  for (let at = from; ; at++) {
    if (view.getUint8(at) !== 0xff) continue
    const next = view.getUint8(at + 1)
    if (next !== 0 && next !== 0xff && !isBare(next)) return at
  }
}
