import type { PictureFacts, PictureFault } from './facts.ts'
import { beginsWith, lettersAt } from '../../formats/picture/byte-view.ts'

const SIGNATURE = '\x89PNG\r\n\x1a\n'
/** Length, name and checksum of a chunk, in bytes. */
const AROUND = 12

/** A PNG (https://www.w3.org/TR/png-3/), chunk by chunk; null for another kind. Throws RangeError when it is cut off. */
export function readPng(view: DataView): PictureFacts | PictureFault | null {
  if (!beginsWith(view, SIGNATURE)) return null
  if (lettersAt(view, 12, 4) !== 'IHDR' || view.getUint32(8) !== 13) return 'broken'
  let hasPixels = false
  for (let at = SIGNATURE.length; ; ) {
    const name = lettersAt(view, at + 4, 4)
    at += AROUND + view.getUint32(at)
    if (at > view.byteLength) return 'broken'
    if (name === 'acTL' || name === 'fcTL') return 'animated'
    if (name === 'IDAT') hasPixels = true
    if (name !== 'IEND') continue
    if (!hasPixels) return 'broken'
    if (at < view.byteLength) return 'more'
    return { type: 'png', width: view.getUint32(16), height: view.getUint32(20), end: at }
  }
}
