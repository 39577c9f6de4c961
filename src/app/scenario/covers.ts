import { StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { PictureError, PictureFacts } from '../../formats/picture/picture.ts'
import { pictureFacts, pictureType } from '../../formats/picture/picture-facts.ts'
import { withoutMetadata } from '../../formats/picture/strip-metadata.ts'

/** Pixels of the longer edge of a stored cover. */
const EDGE = 400
/** A larger picture is refused by its header, before it is decoded. */
const MAX_PIXELS = 40_000_000

const REFUSALS: Record<PictureError, string> = {
  unknown: 'A cover must be a PNG, JPEG, WebP or GIF picture. Convert it and choose it again.',
  broken: 'This picture is damaged or incomplete. Save it again and choose the new file.',
  animated: 'A cover cannot be animated. Choose a still picture.',
  more: 'This file contains more than a picture. Save the picture again and choose the new file.',
}

/** A cover from a data URI; '' removes it. URLs are never fetched. Throws image_refused. */
export async function coverFrom(image: string): Promise<string> {
  if (image === '') return ''
  const payload = /^data:image\/[a-z0-9.+-]+;base64,([a-z0-9+/=\s]+)$/i.exec(image)?.[1]
  if (payload) return coverFromBytes(Buffer.from(payload, 'base64'))
  throw refused(
    /^https?:/i.test(image)
      ? 'Pictures are not downloaded from the web. Save the picture and choose the file.'
      : REFUSALS.unknown,
  )
}

/**
 * A cover as it is stored: a WebP data URI of at most 400 px. The upload is re-encoded, whatever its declared type, so
 * that nothing but a picture is ever served. Throws image_refused.
 */
export async function coverFromBytes(bytes: Uint8Array): Promise<string> {
  const facts = decodable(bytes)
  const { type, end } = facts
  // Compressed metadata would be decompressed along with the pixels. JPEG has none, and its metadata holds the rotation.
  const webp = await resized(type === 'jpeg' ? bytes.subarray(0, end) : withoutMetadata(bytes, facts))
  const stored = `data:image/webp;base64,${Buffer.from(webp).toString('base64')}`
  if (stored.length <= LIMITS.image) return stored
  throw refused('This picture is too detailed for a cover. Choose a simpler one.')
}

/** Judges an upload without decoding it. */
export function mayBeCover(bytes: Uint8Array): boolean {
  try {
    decodable(bytes)
    return true
  } catch {
    return false
  }
}

/** Checks a picture by its header. Throws image_refused. */
function decodable(bytes: Uint8Array): PictureFacts {
  const facts = pictureFacts(bytes)
  if (typeof facts === 'string') throw refused(REFUSALS[facts])
  const { width, height } = facts
  if (width === 0 || height === 0) throw refused(REFUSALS.broken)
  if (width * height > MAX_PIXELS)
    throw refused(
      `This picture has ${width} × ${height} pixels, far more than a cover needs. Shrink it and try again.`,
    )
  return facts
}

async function resized(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await new Bun.Image(bytes, { maxPixels: MAX_PIXELS })
      .resize(EDGE, EDGE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .bytes()
  } catch {
    throw refused(REFUSALS.broken)
  }
}

/** The bytes of a stored picture and the type found in them; null if it is no picture of a type that we serve. */
export function storedPicture(image: string): { type: string; bytes: Uint8Array<ArrayBuffer> } | null {
  const payload = /^data:image\/[a-z]+;base64,([\s\S]+)$/i.exec(image)?.[1]
  if (!payload) return null
  const bytes = new Uint8Array(Buffer.from(payload, 'base64'))
  const type = pictureType(bytes)
  return type && { type: `image/${type}`, bytes }
}

function refused(sentence: string): StoryError {
  return new StoryError('image_refused', sentence)
}

/** A stored picture as a PNG without metadata; null if there is none that can be read. */
export async function asPng(image: string): Promise<Uint8Array | null> {
  const stored = storedPicture(image)
  if (stored === null) return null
  try {
    return await new Bun.Image(stored.bytes, { maxPixels: MAX_PIXELS }).png().bytes()
  } catch {
    return null
  }
}
