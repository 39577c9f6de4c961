import { UNTITLED_ADVENTURE } from '../../domain/adventure.ts'
import type { PortableAction, PortableAdventure } from '../../domain/portable/portable.ts'
import { isObject } from '../../lib/objects.ts'
import { isBlank } from '../../lib/text.ts'
import { type Format, planOf } from '../format.ts'
import { MAX_ACTIONS } from '../import-limits.ts'
import { makeAction, withOpening } from '../shared/actions.ts'
import { emptyAdventure } from '../shared/empty-adventure.ts'
import { Fields, type ListItem } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { parseMemories } from '../shared/memories.ts'
import { parseTime } from '../shared/parse-time.ts'
import { ReceiptBuilder } from '../shared/receipt.ts'
import { expandFile, objectsIn, parsePlot } from './scenario-fields.ts'

/** The first has the newest action first. */
const LISTS = ['actionWindow', 'actions'] as const
const MAX_ADVENTURES = 200

/** Adventures of AI Dungeon as browser extensions keep them: one under `data.adventure`, one alone, or a list. */
export const aiDungeonAdventures: Format = {
  kind: 'ai-dungeon-adventures',
  matches: (file) =>
    !(isObject(file) && Object.hasOwn(file, 'format')) && objectsIn(file, 'adventure').some(hasActions),
  parse: (source, title) => {
    const receipt = new ReceiptBuilder()
    expandFile(receipt, source)
    const found = objectsIn(source, 'adventure')
    if (found.length > MAX_ADVENTURES)
      throw importRefused(`This file has more than ${MAX_ADVENTURES} stories.`)
    const adventures = found.flatMap((one) => parseAdventure(new Fields(receipt, one), title))
    if (adventures.length === 0) throw importRefused('This file has no story with text.')
    return planOf('ai-dungeon-adventures', { receipt, source }, { adventures })
  },
}

function hasActions(one: Record<string, unknown>): boolean {
  return LISTS.some((key) => {
    const list = one[key]
    return Array.isArray(list) && list.some((item) => isObject(item) && typeof item.text === 'string')
  })
}

function parseAdventure(file: Fields, title: string): PortableAdventure[] {
  const { title: own, story_cards, ...plot } = parsePlot(file)
  const holders = [file, file.child('details'), file.child('state')]
  const summary = holders.find((holder) => holder?.has('storySummary'))
  const actions = LISTS.flatMap((key) => {
    const items = file.list([key], 'Passages', MAX_ACTIONS) ?? []
    return (isNewestFirst(items, key) ? items.toReversed() : items).flatMap(parseAction)
  })
  if (actions.length === 0) return []
  const opened = actions.with(0, { ...(actions[0] as PortableAction), type: 'start', variants: [] })
  return [
    {
      ...emptyAdventure(isBlank(own) ? title || UNTITLED_ADVENTURE : own),
      ...plot,
      story_summary: summary?.text(['storySummary'], 'Summary') ?? '',
      story_cards: story_cards.map((card) => ({ ...card, source_ref: null })),
      actions: withOpening(opened),
      memories: parseMemories(file, opened.length),
    },
  ]
}

/** By their times, where they have some. */
function isNewestFirst(items: readonly ListItem[], key: (typeof LISTS)[number]): boolean {
  const times = items
    .map(({ fields }) => Date.parse(parseTime(fields.source.createdAt) ?? ''))
    .filter(Number.isFinite)
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  return first === last ? key === 'actionWindow' : first > last
}

const PLAYER_TYPES = ['do', 'say', 'story'] as const

function parseAction({ fields, drop }: ListItem): PortableAction[] {
  const { undoneAt, deletedAt, type } = fields.source
  const text = fields.text(['text'], 'Text', { limit: Infinity })
  const created_at = fields.time(['createdAt'], 'Time')
  fields.came('Who speaks', 'type')
  if (undoneAt || deletedAt || isBlank(text)) {
    drop(isBlank(text) ? 'Empty passage' : 'A passage that was undone there')
    return []
  }
  const own = PLAYER_TYPES.find((one) => one === type)
  return [makeAction(own ?? 'ai', text.trim(), { created_at })]
}
