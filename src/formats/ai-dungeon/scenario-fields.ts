import { LIMITS, MAX_CARDS } from '../../domain/limits.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { isObject } from '../../lib/objects.ts'
import type { Fields } from '../shared/fields.ts'
import type { JsonContainer, ReceiptBuilder } from '../shared/receipt.ts'
import { cardsFrom } from '../shared/story-cards.ts'

const CARD_LISTS = ['storyCards', 'worldInfo', 'worldInfos', 'worldInformation']

const PROGRAM_KEYS = [
  ...['id', 'shortId', 'publicId', 'correlationId', 'parentScenarioId', 'scenarioId', 'type', 'thirdPerson'],
  ...['contentRating', 'nsfw', 'createdAt', 'updatedAt', 'editedAt', 'actionCount', 'gameState', 'user'],
]
const SCRIPT_KEYS = ['gameCodeSharedLibrary', 'gameCodeOnInput', 'gameCodeOnOutput', 'gameCodeOnModelContext']

/** What scenarios and adventures of AI Dungeon share. */
interface PlotOfAiDungeon {
  title: string
  memory: string
  authors_note: string
  ai_instructions: string
  story_summary: string
  story_cards: CardFields[]
}

/** Reads it, from an export of today or from one of the old lists that players have collected. */
export function parsePlot(file: Fields): PlotOfAiDungeon {
  for (const key of PROGRAM_KEYS) file.note('dropped', key, 'Only used by AI Dungeon.')
  for (const key of SCRIPT_KEYS) file.note('dropped', key, 'Scripts are never run.')
  const details = file.child('details')
  const cards = CARD_LISTS.flatMap((key) => file.list([key], 'Story cards', MAX_CARDS) ?? [])
  return {
    title: file.text(['title'], 'Title', { limit: LIMITS.name, loose: true }),
    memory: file.text(['memory'], 'Plot essentials'),
    authors_note: file.text(['authorsNote'], 'Author’s note'),
    ai_instructions: (details ?? file).text(['instructions', 'aiInstructions'], 'AI instructions'),
    story_summary: details?.text(['storySummary'], 'Summary') ?? '',
    story_cards: cardsFrom(cards),
  }
}

/** Has the receipt list the keys of a file, and those under its `data`. */
export function expandFile(receipt: ReceiptBuilder, file: JsonContainer): void {
  receipt.expand(file)
  if (isObject(file) && isObject(file.data)) receipt.expand(file.data)
}

/** The objects in a file of one or of many: under `data`, in a list, or the file itself. */
export function objectsIn(file: unknown, key: 'scenario' | 'adventure'): Record<string, unknown>[] {
  if (Array.isArray(file)) return file.filter(isObject)
  const data = isObject(file) && isObject(file.data) ? file.data : file
  if (!isObject(data)) return []
  const inner = data[key]
  return isObject(inner) ? [inner] : data === file ? [data] : []
}
