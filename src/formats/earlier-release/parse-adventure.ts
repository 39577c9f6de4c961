import type { PortableAction } from '../../domain/portable/portable.ts'
import type { Variant } from '../../domain/variant.ts'
import { isObject } from '../../lib/objects.ts'
import { isBlank } from '../../lib/text.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { MAX_ACTIONS, MAX_TYPE_LENGTH } from '../import-limits.ts'
import { makeAction, makeNarration, withFinalState, withOpening } from '../shared/actions.ts'
import type { Fields } from '../shared/fields.ts'
import { parseMemories } from '../shared/memories.ts'
import { parseHead } from './parse-adventure-head.ts'

const FORMAT = 'ai-dnd-adventure-v1'

/** An adventure of the earlier release: one line of actions, with their variants where there was a retry. */
export const earlierAdventure: Format = {
  kind: FORMAT,
  matches: (file) => isObject(file) && file.format === FORMAT,
  parse: (source) => {
    const file = rootFields(source)
    const head = parseHead(file)
    const read = parseActions(file)
    const actions = withFinalState(withOpening(read.map(({ action }) => action)), head.world_state)
    const added = actions.length - read.length
    const indexes = new Map(read.map(({ index }, at) => [index, at + added]))
    // Counts the actions with a text; the others were dropped.
    const summarized = file.count(['summaryCursor'], 'What the summary covers') ?? 0
    const covers = Math.min(summarized, read.length) - 1 + added
    const adventure = {
      ...head,
      ...(summarized === 0 ? {} : { summary: { covers, made_by: 'player' as const } }),
      world_state: head.world_state ?? {},
      actions,
      memories: parseMemories(file, actions.length, (index) => indexes.get(index)),
    }
    return planOf(FORMAT, file, { adventures: [adventure] })
  },
}

interface IndexedAction {
  /** In the file, where indexes may have gaps and repeat. */
  index: number
  action: PortableAction
}

function parseActions(file: Fields): IndexedAction[] {
  const items = file.list(['actions'], 'Passages', MAX_ACTIONS) ?? []
  const read = items.flatMap(({ fields, position, drop }) => {
    const index = fields.count(['index'], 'Position in the story') ?? position
    const action = parseAction(fields)
    if (action !== null) return [{ index, action, fields }]
    drop('Empty passage')
    return []
  })
  read.sort((a, b) => a.index - b.index)
  return withMergedVariants(read)
}

// A build between two formats wrote the variants of a turn as separate actions with one index.
function withMergedVariants(read: readonly (IndexedAction & { fields: Fields })[]): IndexedAction[] {
  const merged: IndexedAction[] = []
  const narrations = new Map<number, IndexedAction>()
  for (const { index, action, fields } of read) {
    if (merged.at(-1)?.index === index)
      fields.changed('Two passages have this position: they become versions of one', 'index')
    const twin = action.type === 'ai' ? narrations.get(index) : undefined
    if (twin) twin.action.variants.push(...action.variants)
    else {
      const first = { index, action }
      merged.push(first)
      if (action.type === 'ai') narrations.set(index, first)
    }
  }
  return merged
}

function parseAction(item: Fields): PortableAction | null {
  const type = item.text(['type'], 'Type', { limit: MAX_TYPE_LENGTH }) || 'story'
  const text = item.text(['text'], 'Text', { limit: Infinity })
  const reasoning = parseReasoning(item)
  const created_at = item.time(['createdAt'], 'Time')
  const { variants, positions, total } = parseVariants(item)
  const livePosition = Math.min(parseLivePosition(item), total - 1)
  if (type !== 'ai' || variants.length === 0)
    return isBlank(text) ? null : makeAction(type, text, { reasoning, created_at })
  const live = positions.indexOf(livePosition)
  const variant = variants[Math.max(0, live)]
  // One build edited the action and not the variant.
  if (variant && live !== -1 && !isBlank(text)) variant.text = text
  const times = { created_at: created_at ?? variant?.created_at ?? null }
  return makeNarration(variants, Math.max(0, live), times)
}

/** The variants with a text, and their positions in the list of `total`. */
interface ParsedVariants {
  variants: Variant[]
  positions: number[]
  total: number
}

function parseVariants(item: Fields): ParsedVariants {
  const items = item.list(['variants'], 'Versions', MAX_ACTIONS) ?? []
  const listed = item.source.variants
  const read: ParsedVariants = {
    variants: [],
    positions: [],
    total: Array.isArray(listed) ? listed.length : 0,
  }
  for (const { fields, position, drop } of items) {
    const text = fields.text(['text'], 'Text', { limit: Infinity })
    const reasoning = parseReasoning(fields)
    const created_at = fields.time(['createdAt', 'created_at'], 'Time')
    if (isBlank(text)) drop('Empty version')
    else {
      read.variants.push({ text, reasoning, created_at })
      read.positions.push(position)
    }
  }
  return read
}

// Without a number, and below the first, it is the first.
function parseLivePosition(item: Fields): number {
  const live = item.value(['variantIndex'], 'Current version', (value) =>
    Number.isSafeInteger(value) ? Math.max(0, value as number) : undefined,
  )
  return live ?? 0
}

function parseReasoning(item: Fields): string | null {
  return item.text(['reasoning'], 'Reasoning', { limit: Infinity }) || null
}
