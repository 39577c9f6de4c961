import { lettersAt, viewOf } from './byte-view.ts'
import { gifFacts, isGif } from './gif.ts'
import { isJpeg, jpegFacts } from './jpeg.ts'
import type { PictureError, PictureFacts } from './picture.ts'
import { isPng, pngFacts } from './png.ts'
import { isWebp, webpFacts } from './webp.ts'

/** Reads the structure of a still PNG, JPEG, WebP or GIF from end to end. File names and media types do not count. */
export function pictureFacts(bytes: Uint8Array): PictureFacts | PictureError {
  try {
    const view = viewOf(bytes)
    return pngFacts(view) ?? jpegFacts(view) ?? webpFacts(view) ?? gifFacts(view) ?? 'unknown'
  } catch (error) {
    // An offset beyond the end of the file.
    if (error instanceof RangeError) return 'broken'
    throw error
  }
}

/** The type of a picture by its first bytes; null for any other file. Older libraries may hold AVIF. */
export function pictureType(bytes: Uint8Array): PictureFacts['type'] | 'avif' | null {
  const view = viewOf(bytes)
  if (isPng(view)) return 'png'
  if (isJpeg(view)) return 'jpeg'
  if (isWebp(view)) return 'webp'
  if (isGif(view)) return 'gif'
  return view.byteLength >= 12 && /^ftypavi[fs]$/.test(lettersAt(view, 4, 8)) ? 'avif' : null
}
