import { MAX_CARDS } from '../../domain/limits.ts'
import type { ImportPlan } from '../../domain/portable/portable.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { hasOneOf, isObject } from '../../lib/objects.ts'
import { type FileFields, type Format, planOf, rootFields } from '../format.ts'
import { itemsIn } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { ReceiptBuilder } from '../shared/receipt.ts'
import { CARD_LISTS, cardsFrom, parseCards } from '../shared/story-cards.ts'

const TEXT_KEYS = ['value', 'entry']

/** AI Dungeon's story cards: a list with triggers and texts, or an object that holds the list and no plot. */
export const aiDungeonCards: Format = {
  kind: 'ai-dungeon-cards',
  matches: (file) =>
    Array.isArray(file)
      ? hasCards(file)
      : CARD_LISTS.some((key) => hasCards(file[key])) && !Object.hasOwn(file, 'format'),
  parse: (source) => (Array.isArray(source) ? parseList(source) : parseObject(source)),
}

function hasCards(list: unknown): boolean {
  return (
    Array.isArray(list) &&
    list.some((item) => isObject(item) && Object.hasOwn(item, 'keys') && hasOneOf(item, TEXT_KEYS))
  )
}

function parseList(source: unknown[]): ImportPlan {
  const receipt = new ReceiptBuilder()
  return planFor({ receipt, source }, cardsFrom(itemsIn(receipt, source, MAX_CARDS)))
}

function parseObject(source: Record<string, unknown>): ImportPlan {
  const file = rootFields(source)
  return planFor(file, parseCards(file, CARD_LISTS) ?? [])
}

function planFor(file: FileFields, story_cards: CardFields[]): ImportPlan {
  if (story_cards.length === 0) throw importRefused('This file has no story card with text.')
  return planOf('ai-dungeon-cards', file, { story_cards })
}
