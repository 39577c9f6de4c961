import { plainJpeg } from './jpeg.ts'
import type { PictureFacts } from './picture.ts'
import { plainPng } from './png.ts'
import { plainWebp } from './webp.ts'

/** The picture in a sound file and nothing else: no text, no location, nothing after its end. */
export function withoutMetadata(bytes: Uint8Array, { type, end }: PictureFacts): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, end)
  switch (type) {
    case 'png':
      return plainPng(bytes, view)
    case 'webp':
      return plainWebp(bytes, view)
    case 'jpeg':
      return plainJpeg(bytes, view)
    case 'gif':
      return bytes.subarray(0, end)
  }
}
