import { StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { barePicture } from '../../domain/picture/bare.ts'
import { type PictureFault, pictureFacts, pictureType } from '../../domain/picture/facts.ts'

/** Pixels of the longer edge of a stored cover (specification 8, "Cover image size"). */
const EDGE = 400
/** A picture with more pixels is refused by its header, before it is unpacked. */
const MOST_PIXELS = 40_000_000

const REFUSALS: Record<PictureFault, string> = {
  unknown: 'A cover must be a PNG, JPEG, WebP or GIF picture. Save it as one of these and choose it again.',
  broken: 'This picture is broken or cut off. Save it anew and choose it again.',
  animated: 'A cover stands still, and this picture moves. Choose a single frame of it.',
  more: 'This file holds more than a picture. Save the picture anew and choose that file.',
}

/** A cover from a data URI; '' removes it. Addresses are never fetched. Throws image_refused. */
export async function coverFrom(image: string): Promise<string> {
  if (image === '') return ''
  const payload = /^data:image\/[a-z0-9.+-]+;base64,([a-z0-9+/=\s]+)$/i.exec(image)?.[1]
  if (payload) return coverFromBytes(Buffer.from(payload, 'base64'))
  throw refused(
    /^https?:/i.test(image)
      ? 'Pictures are not fetched from other places. Save it to your disk and choose the file.'
      : REFUSALS.unknown,
  )
}

/**
 * A cover as it is stored: a data URI in WebP of at most 400 px, made anew from what was sent, so that nothing but a
 * picture is ever served. What it calls itself counts for nothing. Throws image_refused.
 */
export async function coverFromBytes(bytes: Uint8Array): Promise<string> {
  const facts = pictureFacts(bytes)
  if (typeof facts === 'string') throw refused(REFUSALS[facts])
  const { type, width, height, end } = facts
  if (width === 0 || height === 0) throw refused(REFUSALS.broken)
  if (width * height > MOST_PIXELS)
    throw refused(
      `This picture has ${width} × ${height} pixels, far more than a cover needs. Make it smaller first.`,
    )
  // A packed text beside the pixels would be unpacked with them. A JPEG packs none, and tells how it must be turned.
  const webp = await resized(type === 'jpeg' ? bytes.subarray(0, end) : barePicture(bytes, facts))
  const stored = `data:image/webp;base64,${Buffer.from(webp).toString('base64')}`
  if (stored.length <= LIMITS.image) return stored
  throw refused('This picture is too detailed for a cover. Choose a simpler one.')
}

async function resized(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await new Bun.Image(bytes, { maxPixels: MOST_PIXELS })
      .resize(EDGE, EDGE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .bytes()
  } catch {
    throw refused(REFUSALS.broken)
  }
}

/** A stored picture as bytes, with the type that they tell; null for what is not a picture of a kind that we serve. */
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

/** A stored picture as a PNG that holds nothing but the picture; null without one that can be read. */
export async function asPng(image: string): Promise<Uint8Array | null> {
  const stored = storedPicture(image)
  if (stored === null) return null
  try {
    return await new Bun.Image(stored.bytes, { maxPixels: MOST_PIXELS }).png().bytes()
  } catch {
    return null
  }
}
