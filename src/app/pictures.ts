import { StoryError } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'

/** Pixels of the longer edge of a stored cover (specification 8, "Cover image size"). */
const EDGE = 400
/** A picture with more pixels is refused by its header, before it is unpacked. */
const MOST_PIXELS = 40_000_000

/**
 * A cover as it is stored: a data URI in WebP of at most 400 px, made anew from what was sent, so that nothing but a
 * picture is ever served. '' removes it. Throws image_refused.
 */
export async function coverFrom(image: string): Promise<string> {
  if (image === '') return ''
  const sent = /^data:image\/(png|jpe?g|webp|gif|avif);base64,([a-z0-9+/=\s]+)$/i.exec(image)
  if (!sent?.[2])
    throw new StoryError(
      'image_refused',
      'A cover must be a PNG, JPEG, WebP, GIF or AVIF picture, sent as a data URI.',
    )
  const webp = await resized(Buffer.from(sent[2], 'base64'))
  const stored = `data:image/webp;base64,${Buffer.from(webp).toString('base64')}`
  if (stored.length <= LIMITS.image) return stored
  throw new StoryError('image_refused', 'This picture is too detailed for a cover. Choose a simpler one.')
}

async function resized(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await new Bun.Image(bytes, { maxPixels: MOST_PIXELS })
      .resize(EDGE, EDGE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .bytes()
  } catch {
    throw new StoryError(
      'image_refused',
      'This file is not a picture that can be read, or it is far too large.',
    )
  }
}

/** A stored picture as bytes with its type; null for what is not a picture of a kind that we serve. */
export function storedPicture(image: string): { type: string; bytes: Uint8Array<ArrayBuffer> } | null {
  const stored = /^data:(image\/(?:png|jpeg|webp|gif|avif));base64,([\s\S]+)$/i.exec(image)
  if (!stored?.[1] || !stored[2]) return null
  return { type: stored[1].toLowerCase(), bytes: new Uint8Array(Buffer.from(stored[2], 'base64')) }
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
