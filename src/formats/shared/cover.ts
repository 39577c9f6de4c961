import { LIMITS } from '../../domain/limits.ts'
import { bytesFromBase64 } from '../../lib/bytes.ts'
import { MAX_COVER_PIXELS } from '../import-limits.ts'
import { pictureFacts } from '../picture/picture-facts.ts'
import { withoutMetadata } from '../picture/strip-metadata.ts'
import type { Fields } from './fields.ts'

const ACCEPTED = `Covers are still PNG, JPEG or WebP pictures, of at most ${LIMITS.image} characters as a data URI`

/** The cover of a scenario as a data URI; '' without one, or for one that may not be stored. */
export function parseCover(fields: Fields, keys: readonly string[]): string {
  const cover = fields.value(keys, 'Picture', (value, key) => {
    if (typeof value !== 'string') return undefined
    const picture = value === '' ? '' : cleanPicture(value)
    if (picture === null) fields.left(reasonFor(value), key)
    else if (picture !== value) fields.changed('Picture, without its metadata', key)
    return picture ?? ''
  })
  return cover ?? ''
}

function reasonFor(value: string): string {
  return /^https?:/i.test(value)
    ? 'A link to a picture. Pictures are never downloaded'
    : `This picture cannot be imported. ${ACCEPTED}`
}

/** A data URI of a still picture, without metadata; null for any other text. */
export function cleanPicture(uri: string): string | null {
  if (uri.length > LIMITS.image) return null
  const payload = /^data:image\/[a-z+]+;base64,([a-z0-9+/=\s_-]+)$/i.exec(uri)?.[1]
  const bytes = payload === undefined ? null : bytesFromBase64(payload)
  return bytes && pictureUri(bytes)
}

/** `cleanPicture` for the bytes of a file. */
export function pictureUri(bytes: Uint8Array): string | null {
  const facts = pictureFacts(bytes)
  if (typeof facts === 'string' || facts.type === 'gif' || facts.end < bytes.length) return null
  const { type, width, height } = facts
  if (width === 0 || height === 0 || width * height > MAX_COVER_PIXELS) return null
  const uri = `data:image/${type};base64,${withoutMetadata(bytes, facts).toBase64()}`
  return uri.length > LIMITS.image ? null : uri
}
