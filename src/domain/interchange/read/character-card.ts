import { isObject, setOwn } from '../../../lib/objects.ts'
import type { ImportPlan } from '../../portable/portable.ts'
import { bytesFrom } from './base64.ts'
import { isCharacter, scenariosFrom } from './character.ts'
import { jsonFrom } from './json.ts'
import { pictureUri } from './picture.ts'
import { type Format, planOf } from './plan.ts'
import { chunksOf, type PngText, textOf } from './png.ts'
import { Reading } from '../../../formats/shared/receipt.ts'
import { refused } from '../../../formats/shared/import-refused.ts'

/** A character as JSON: version 1 (and its kin), 2 or 3. */
export const characterCard: Format = {
  kind: 'character-card',
  fits: isCharacter,
  read: (file, title) => {
    const reading = new Reading()
    if (!isObject(file)) throw refused('This is no character.')
    const { scenarios } = scenariosFrom(reading, file, title, '')
    return planOf('character-card', reading, file, { scenarios })
  },
}

/** The chunks that hold a character, the better one first. */
const KEYWORDS = ['ccv3', 'chara']

/**
 * A character inside a picture. Each text chunk of the picture is a key of the file, and so is the picture itself. Throws
 * import_refused.
 */
export function readCardPicture(bytes: Uint8Array, title: string): ImportPlan {
  const { chunks } = chunksOf(bytes)
  const texts = chunks.flatMap((chunk) => textOf(chunk) ?? [])
  const found = foundIn(texts)
  if (found === null)
    throw refused(
      texts.some(isCardText)
        ? 'The character in this picture cannot be read. The file may be cut off.'
        : 'This is a picture without a character in it.',
    )
  const reading = new Reading()
  const file: Record<string, unknown> = {}
  for (const { keyword } of texts) setOwn(file, keyword, '')
  setOwn(file, found.keyword, found.card)
  setOwn(file, PICTURE, '')
  for (const { keyword } of texts)
    if (keyword !== found.keyword && KEYWORDS.includes(keyword.toLowerCase()))
      reading.judge('dropped', file, keyword, `Another copy. ${found.keyword} counts.`)
  const picture = pictureUri(bytes)
  const { scenarios, isOurs } = scenariosFrom(reading, found.card, title, picture ?? '')
  if (isOurs) reading.judge('dropped', file, PICTURE, 'Our own copy in the file says what the cover is.')
  else if (picture === null) reading.judge('dropped', file, PICTURE, UNFIT_PICTURE)
  else reading.judge('taken', file, PICTURE, 'Picture.')
  return planOf('character-card', reading, file, { scenarios })
}

/** The key by which the receipt names the picture of a file. */
export const PICTURE = 'picture'

/** What the receipt says of a picture that cannot be kept as it is. */
export const UNFIT_PICTURE = 'The picture is too large, animated or broken to be kept.'

function isCardText({ keyword }: PngText): boolean {
  return KEYWORDS.includes(keyword.toLowerCase())
}

function foundIn(texts: readonly PngText[]): { keyword: string; card: Record<string, unknown> } | null {
  for (const wanted of KEYWORDS)
    for (const { keyword, read } of texts
      .filter((text) => text.keyword.toLowerCase() === wanted)
      .slice(0, 3)) {
      const card = cardFrom(read())
      if (card !== null) return { keyword, card }
    }
  return null
}

// The text is base64 of JSON; some writers leave the JSON as it is.
function cardFrom(text: string | null): Record<string, unknown> | null {
  if (text === null) return null
  const bytes = text.trimStart().startsWith('{') ? null : bytesFrom(text)
  const json = bytes ? new TextDecoder().decode(bytes) : text
  const value = jsonFrom(json)
  return isObject(value) && isCharacter(value) ? value : null
}
