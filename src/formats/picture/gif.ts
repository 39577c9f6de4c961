import type { PictureFacts, PictureFault } from '../../domain/picture/facts.ts'
import { beginsWith } from './byte-view.ts'

const [EXTENSION, FRAME, TRAILER] = [0x21, 0x2c, 0x3b]

/** A GIF (https://www.w3.org/Graphics/GIF/spec-gif89a.txt), block by block; null for another kind. Throws RangeError when it is cut off. */
export function readGif(view: DataView): PictureFacts | PictureFault | null {
  if (!beginsWith(view, 'GIF87a') && !beginsWith(view, 'GIF89a')) return null
  let [width, height] = [view.getUint16(6, true), view.getUint16(8, true)]
  let frames = 0
  for (let at = 13 + coloursIn(view.getUint8(10)); ; ) {
    switch (view.getUint8(at)) {
      case EXTENSION:
        at = afterBlocks(view, at + 2)
        break
      case FRAME:
        if (++frames > 1) return 'animated'
        width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true))
        height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true))
        at = afterBlocks(view, at + 11 + coloursIn(view.getUint8(at + 9)))
        break
      case TRAILER:
        if (frames === 0) return 'broken'
        return at + 1 === view.byteLength ? { type: 'gif', width, height, end: at + 1 } : 'more'
      default:
        return 'broken'
    }
  }
}

/** Bytes of the table of colours that a packed field announces. */
function coloursIn(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0
}

function afterBlocks(view: DataView, from: number): number {
  let at = from
  for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length
  return at + 1
}
