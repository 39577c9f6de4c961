import { LIMITS } from '../../limits.ts'
import { barePicture } from '../../picture/bare.ts'
import { pictureFacts } from '../../picture/facts.ts'
import { bytesFrom } from './base64.ts'
import { pick } from './pick.ts'
import type { Reading } from '../../../formats/shared/receipt.ts'

/** Pixels of a cover that is kept as it is. More would fill the memory of every page that shows it. */
const MOST_PIXELS = 16_000_000

const FITTING = `Only a still PNG, JPEG or WebP picture of at most ${LIMITS.image} characters is taken over.`

/** The picture of a scenario as it may be stored, a data URI; '' without one, or for one that is not clean. */
export function pickPicture(
  reading: Reading,
  holder: Record<string, unknown>,
  keys: readonly string[],
): string {
  return (
    pick(reading, holder, keys, 'Picture', (value, key) => {
      if (typeof value !== 'string') return undefined
      const picture = value === '' ? '' : cleanPicture(value)
      if (picture === null) reading.judge('dropped', holder, key, reasonFor(value))
      else if (picture === value) reading.judge('taken', holder, key, 'Picture.')
      else reading.judge('changed', holder, key, 'Picture, without what else the file held.')
      return picture ?? ''
    }) ?? ''
  )
}

function reasonFor(value: string): string {
  return /^https?:/i.test(value)
    ? 'A picture on the internet. It is not fetched.'
    : `Not a picture that can be kept. ${FITTING}`
}

/** A data URI with a still picture and nothing else in it; null for every other text. */
export function cleanPicture(uri: string): string | null {
  if (uri.length > LIMITS.image) return null
  const payload = /^data:image\/[a-z+]+;base64,([a-z0-9+/=\s_-]+)$/i.exec(uri)?.[1]
  const bytes = payload === undefined ? null : bytesFrom(payload)
  return bytes && pictureUri(bytes)
}

/** The same from bytes. */
export function pictureUri(bytes: Uint8Array): string | null {
  const facts = pictureFacts(bytes)
  if (typeof facts === 'string' || facts.type === 'gif' || facts.end < bytes.length) return null
  const { type, width, height } = facts
  if (width === 0 || height === 0 || width * height > MOST_PIXELS) return null
  const uri = `data:image/${type};base64,${barePicture(bytes, facts).toBase64()}`
  return uri.length > LIMITS.image ? null : uri
}
