import { beginsWith } from './byte-view.ts'
import type { PictureError, PictureFacts } from './picture.ts'

// GIF: https://www.w3.org/Graphics/GIF/spec-gif89a.txt

const [EXTENSION, FRAME, TRAILER] = [0x21, 0x2c, 0x3b]

export function isGif(view: DataView): boolean {
  return beginsWith(view, 'GIF87a') || beginsWith(view, 'GIF89a')
}

/** The structure of a GIF, block by block; null for another type. Throws RangeError when it is cut off. */
export function gifFacts(view: DataView): PictureFacts | PictureError | null {
  if (!isGif(view)) return null
  let [width, height] = [view.getUint16(6, true), view.getUint16(8, true)]
  let frames = 0
  for (let at = 13 + colorTableLength(view.getUint8(10)); ; ) {
    switch (view.getUint8(at)) {
      case EXTENSION:
        at = afterBlocks(view, at + 2)
        break
      case FRAME:
        if (++frames > 1) return 'animated'
        width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true))
        height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true))
        at = afterBlocks(view, at + 11 + colorTableLength(view.getUint8(at + 9)))
        break
      case TRAILER:
        if (frames === 0) return 'broken'
        return at + 1 === view.byteLength ? { type: 'gif', width, height, end: at + 1 } : 'more'
      default:
        return 'broken'
    }
  }
}

/** Bytes of the color table that a packed field announces. */
function colorTableLength(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0
}

function afterBlocks(view: DataView, from: number): number {
  let at = from
  for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length
  return at + 1
}
