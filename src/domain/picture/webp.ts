import type { PictureFacts, PictureFault } from './facts.ts'
import { beginsWith, lettersAt } from '../../formats/picture/byte-view.ts'

/**
 * A WebP (https://developers.google.com/speed/webp/docs/riff_container), chunk by chunk; null for another kind. Throws
 * RangeError when it is cut off.
 */
export function readWebp(view: DataView): PictureFacts | PictureFault | null {
  if (!beginsWith(view, 'RIFF') || view.byteLength < 16 || lettersAt(view, 8, 4) !== 'WEBP') return null
  const end = view.getUint32(4, true) + 8
  if (end < view.byteLength) return 'more'
  let [width, height, hasPixels] = [0, 0, false]
  for (let at = 12; at < end; ) {
    const name = lettersAt(view, at, 4)
    const size = sizeIn(view, name, at + 8)
    if (name === 'ANIM' || name === 'ANMF' || (name === 'VP8X' && view.getUint8(at + 8) & 2))
      return 'animated'
    if (name === 'VP8 ' || name === 'VP8L') {
      if (hasPixels) return 'broken'
      hasPixels = true
    }
    if (size) [width, height] = [Math.max(width, size[0]), Math.max(height, size[1])]
    const length = view.getUint32(at + 4, true)
    // A chunk of odd length is padded to an even one.
    at += 8 + length + (length % 2)
    if (at > end) return 'broken'
  }
  return hasPixels && end === view.byteLength ? { type: 'webp', width, height, end } : 'broken'
}

function sizeIn(view: DataView, name: string, at: number): [number, number] | null {
  if (name === 'VP8X')
    return [1 + (view.getUint32(at + 4, true) & 0xffffff), 1 + (view.getUint32(at + 6, true) >>> 8)]
  if (name === 'VP8 ') return [view.getUint16(at + 6, true) & 0x3fff, view.getUint16(at + 8, true) & 0x3fff]
  if (name !== 'VP8L') return null
  const bits = view.getUint32(at + 1, true)
  return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)]
}
