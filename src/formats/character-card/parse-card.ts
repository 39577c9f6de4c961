import type { ImportPlan } from '../../domain/portable/portable.ts'
import { bytesFromBase64 } from '../../lib/bytes.ts'
import { isObject, setOwn } from '../../lib/objects.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { isCutOff, type PngText, parseTexts } from '../picture/png-text.ts'
import { pictureUri } from '../shared/cover.ts'
import { Fields } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { parseJsonFile } from '../shared/json-file.ts'
import { ReceiptBuilder } from '../shared/receipt.ts'
import { notePicture } from './icon.ts'
import { isCharacter, parseCharacter } from './parse-character.ts'

/** A character card as JSON, of version 1 (and similar formats), 2 or 3. */
export const characterCard: Format = {
  kind: 'character-card',
  matches: isCharacter,
  parse: (source, title) => {
    const file = rootFields(source)
    const { scenario } = parseCharacter(file, { title, picture: '' })
    return planOf('character-card', file, { scenarios: [scenario] })
  },
}

/** The keywords of the text chunks that hold a character, the better one first. */
const KEYWORDS = ['ccv3', 'chara']

/**
 * A character card in a PNG. The receipt lists each text chunk as a key of the file, and the picture as one more. Throws
 * import_refused.
 */
export function parseCardPng(bytes: Uint8Array, title: string): ImportPlan {
  const texts = parseTexts(bytes)
  const found = findCard(texts)
  if (found === null) throw importRefused(reasonFor(texts, bytes))
  const file = new Fields(new ReceiptBuilder(), keysOf(texts, found))
  const picture = pictureUri(bytes)
  const card = new Fields(file.receipt, found.card)
  const { scenario, isOurs } = parseCharacter(card, { title, picture: picture ?? '' })
  if (!isOurs) notePicture(file, PICTURE, picture)
  const plan = planOf('character-card', file, { scenarios: [scenario] })
  return picture === null && !isOurs ? { ...plan, oversized: bytes } : plan
}

function reasonFor(texts: readonly PngText[], bytes: Uint8Array): string {
  const card = texts.find(isCardText)
  if (card)
    return `The character in this picture cannot be read: its text “${card.keyword}” is broken, too long or no character.`
  return isCutOff(bytes)
    ? 'This picture is cut off, and with it the character card that it may have had. Download it again.'
    : 'This picture does not contain a character card. Many websites take it out: download the original file.'
}

/** The key that stands for the picture in the receipt. */
const PICTURE = 'picture'

interface FoundCard {
  keyword: string
  card: Record<string, unknown>
}

/** A picture as its receipt lists it: a key for each of its texts, one of which was read. */
export function keysOf(texts: readonly PngText[], { keyword, card }: FoundCard): Record<string, unknown> {
  const keys: Record<string, unknown> = {}
  for (const text of texts) setOwn(keys, text.keyword, true)
  setOwn(keys, keyword, card)
  setOwn(keys, PICTURE, true)
  return keys
}

export function isCardText({ keyword }: PngText): boolean {
  return KEYWORDS.includes(keyword.toLowerCase())
}

/** Chunks of one keyword that are tried. */
const MAX_TRIED = 3

function findCard(texts: readonly PngText[]): FoundCard | null {
  for (const wanted of KEYWORDS)
    for (const { keyword, read } of texts
      .filter((text) => text.keyword.toLowerCase() === wanted)
      .slice(0, MAX_TRIED)) {
      const card = cardFrom(read())
      if (card !== null) return { keyword, card }
    }
  return null
}

function cardFrom(text: string | null): Record<string, unknown> | null {
  const value = text === null ? null : jsonInText(text)
  return isObject(value) && isCharacter(value) ? value : null
}

/** The value of a text of a picture: JSON in base64. Some writers leave the JSON as it is. */
export function jsonInText(text: string): unknown {
  if (text.trimStart().startsWith('{')) return parseJsonFile(utf8Within(text))
  const bytes = bytesFromBase64(text)
  return parseJsonFile(bytes ? new TextDecoder().decode(bytes) : text)
}

/** The text whose UTF-8 was read as Latin-1, which the texts of a PNG have; any other text as it is. */
function utf8Within(text: string): string {
  if (/[\u0100-\uffff]/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
