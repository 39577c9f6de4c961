import { LIMITS, MAX_CARDS } from '../../domain/limits.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { hasOneOf, isObject } from '../../lib/objects.ts'
import { isBlank } from '../../lib/text.ts'
import type { Fields } from '../shared/fields.ts'
import type { JsonContainer, ReceiptBuilder } from '../shared/receipt.ts'
import { CARD_LISTS, cardsFrom } from '../shared/story-cards.ts'

const SCRIPT_KEYS = [
  ...['gameCodeSharedLibrary', 'gameCodeOnInput', 'gameCodeOnOutput', 'gameCodeOnModelContext', 'scripts'],
]

const INSTRUCTIONS = ['instructions', 'aiInstructions']

/** The common parts of scenarios and adventures of AI Dungeon. */
interface PlotOfAiDungeon {
  title: string
  memory: string
  authors_note: string
  ai_instructions: string
  story_cards: CardFields[]
}

/** Reads an export of today, or one of the old lists that players have collected. */
export function parsePlot(file: Fields): PlotOfAiDungeon {
  const details = file.child('details') ?? file.child('state')
  for (const holder of [file, details]) holder?.left('Scripts are never run', ...SCRIPT_KEYS)
  const cards = [...CARD_LISTS, 'worldInfos'].flatMap(
    (key) => file.list([key], 'Story cards', MAX_CARDS) ?? [],
  )
  return {
    title: file.text(['title'], 'Title', { limit: LIMITS.name, loose: true }),
    memory: file.text(['memory'], 'Plot essentials'),
    authors_note: file.text(['authorsNote'], 'Author’s note'),
    ai_instructions: parseInstructions(
      [details, file].find((one) => one && hasOneOf(one.source, INSTRUCTIONS)) ?? file,
    ),
    story_cards: cardsFrom(cards),
  }
}

/** The instructions, alone or in an object: those of the player count before those of the scenario. */
function parseInstructions(holder: Fields): string {
  const label = 'AI instructions'
  const object = holder.child('instructions')
  if (!object) return holder.text(INSTRUCTIONS, label)
  const { custom } = object.source
  const isOwn = typeof custom === 'string' && !isBlank(custom)
  return object.text(isOwn ? ['custom', 'scenario'] : ['scenario', 'custom'], label)
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
