import type { ImportPlan } from '../../domain/portable/portable.ts'
import { isObject } from '../../lib/objects.ts'
import { isCardText, jsonInText, keysOf, PICTURE } from '../character-card/parse-card.ts'
import { parseTexts } from '../picture/png-text.ts'
import { Fields } from '../shared/fields.ts'
import { ReceiptBuilder } from '../shared/receipt.ts'
import { lorebookPlan, novelaiLorebook } from './parse-novelai.ts'

const KEYWORD = 'naidata'

/** The lorebook that NovelAI keeps in a picture; null for any other picture, and for a character. Throws import_refused. */
export function parseLorebookPicture(bytes: Uint8Array): ImportPlan | null {
  const texts = parseTexts(bytes)
  if (texts.some(isCardText)) return null
  const found = texts.find(({ keyword }) => keyword.toLowerCase() === KEYWORD)
  const text = found?.read() ?? null
  const card = text === null ? null : jsonInText(text)
  if (!found || !isObject(card) || !novelaiLorebook.matches(card)) return null
  const file = new Fields(new ReceiptBuilder(), keysOf(texts, { keyword: found.keyword, card }))
  file.note('dropped', PICTURE, 'Story cards have no pictures.')
  return lorebookPlan(file, new Fields(file.receipt, card))
}
