import { readGif } from '../../formats/picture/gif.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

/** What the structure of a picture tells before a pixel is unpacked. */
export interface PictureFacts {
  type: 'png' | 'jpeg' | 'webp' | 'gif'
  /** Pixels, of the larger of canvas and frame. */
  width: number
  height: number
  /** Bytes after which nothing belongs to the picture. */
  end: number
}

/** Why a file is no picture to keep: of an unknown kind, broken, moving, or with something else behind its end. */
export type PictureFault = 'unknown' | 'broken' | 'animated' | 'more'

/** Reads the structure of a still PNG, JPEG, WebP or GIF from end to end, whatever the file calls itself. */
export function pictureFacts(bytes: Uint8Array): PictureFacts | PictureFault {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return readPng(view) ?? readJpeg(view) ?? readWebp(view) ?? readGif(view) ?? 'unknown'
  } catch (error) {
    // A length that points behind the end of the file.
    if (error instanceof RangeError) return 'broken'
    throw error
  }
}

/** The kind of a picture by its first bytes; null for what is none. AVIF is known here for what was stored before us. */
export function pictureType(bytes: Uint8Array): PictureFacts['type'] | 'avif' | null {
  const start = String.fromCharCode(...bytes.subarray(0, 12))
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return 'webp'
  if (/^GIF8[79]a/.test(start)) return 'gif'
  return /^[\s\S]{4}ftypavi[fs]/.test(start) ? 'avif' : null
}
