import { isBlank } from '../../../lib/text.ts'
import type { Variant } from '../../variant.ts'
import { isObject } from '../../../lib/objects.ts'
import type { CarriedAction } from '../../portable/portable.ts'
import { pickHead } from './bundle-keys.ts'
import { pickMemories } from './memories.ts'
import { MOST_PASSAGES, narration, passage, withOpening, withStateReached } from './passages.ts'
import { pick, pickCount, pickList, pickText, pickTime } from './pick.ts'
import { type Format, planOf } from './plan.ts'
import { Reading } from '../../../formats/shared/receipt.ts'
import { refused } from '../../../formats/shared/import-refused.ts'

const FORMAT = 'ai-dnd-adventure-v1'
const LONGEST_TYPE = 20

/** The earlier release's file of an adventure: one line of passages, those that were told anew with their attempts. */
export const adventureBundle: Format = {
  kind: FORMAT,
  fits: (file) => isObject(file) && file.format === FORMAT,
  read: (file) => {
    const reading = new Reading()
    if (!isObject(file)) throw refused('This is no adventure.')
    const head = pickHead(reading, file)
    const told = pickPassages(reading, file)
    const actions = withStateReached(withOpening(told.map(({ action }) => action)), head.world_state)
    const shift = actions.length - told.length
    const places = new Map(told.map(({ index }, at) => [index, at + shift]))
    const digested = pickCount(reading, file, ['summaryCursor'], 'How far the summary reaches') ?? 0
    // It counts the passages that say something, and there are no others.
    const covers = Math.min(digested, told.length) - 1 + shift
    const adventure = {
      ...head,
      ...(digested === 0 ? {} : { summary: { covers, made_by: 'player' as const } }),
      world_state: head.world_state ?? {},
      actions,
      memories: pickMemories(reading, file, actions.length, (index) => places.get(index)),
    }
    return planOf(FORMAT, reading, file, { adventures: [adventure] })
  },
}

interface Told {
  index: number
  action: CarriedAction
}

function pickPassages(reading: Reading, file: Record<string, unknown>): Told[] {
  const found = pickList(reading, file, ['actions'], 'Passages', MOST_PASSAGES)
  const read = (found?.items ?? []).flatMap(({ item, place }) => {
    const index = pickCount(reading, item, ['index'], 'Place in the story') ?? Number(place)
    const action = actionFrom(reading, item)
    if (action !== null) return [{ index, action, item }]
    reading.judge('dropped', found?.list ?? [], place, 'A passage without a word.')
    return []
  })
  read.sort((one, other) => one.index - other.index)
  const told: Told[] = []
  const narrations = new Map<number, Told>()
  for (const { index, action, item } of read) {
    if (told.at(-1)?.index === index && Object.hasOwn(item, 'index'))
      reading.judge('changed', item, 'index', 'Two passages have this place: narrations become attempts.')
    // Files of a build between two formats hold the attempts of a turn side by side.
    const twin = action.type === 'ai' ? narrations.get(index) : undefined
    if (twin) twin.action.variants.push(...action.variants)
    else {
      const one = { index, action }
      told.push(one)
      if (action.type === 'ai') narrations.set(index, one)
    }
  }
  return told
}

function actionFrom(reading: Reading, item: Record<string, unknown>): CarriedAction | null {
  const type = pickText(reading, item, ['type'], 'How it came about', { limit: LONGEST_TYPE }) || 'story'
  const text = pickText(reading, item, ['text'], 'Words', { limit: Infinity })
  const reasoning = pickReasoning(reading, item)
  const created_at = pickTime(reading, item, ['createdAt'], 'When it was told')
  const { attempts, places, total } = pickVariants(reading, item)
  const asked = Math.min(pickLive(reading, item), total - 1)
  if (type !== 'ai' || attempts.length === 0)
    return isBlank(text) ? null : passage(type, text, { reasoning, created_at })
  const live = places.indexOf(asked)
  const shown = attempts[Math.max(0, live)]
  // A build of theirs rewrote the passage and forgot the attempt.
  if (shown && live !== -1 && !isBlank(text)) shown.text = text
  const times = { created_at: created_at ?? shown?.created_at ?? null }
  return narration(attempts, Math.max(0, live), times)
}

/** The attempts that say something, and their places in the list, which had `total`. */
interface Attempts {
  attempts: Variant[]
  places: number[]
  total: number
}

function pickVariants(reading: Reading, item: Record<string, unknown>): Attempts {
  const found = pickList(reading, item, ['variants'], 'Attempts', MOST_PASSAGES)
  const read: Attempts = {
    attempts: [],
    places: [],
    total: found === null ? 0 : Object.keys(found.list).length,
  }
  for (const { item: entry, place } of found?.items ?? []) {
    const text = pickText(reading, entry, ['text'], 'Words', { limit: Infinity })
    const reasoning = pickReasoning(reading, entry)
    const created_at = pickTime(reading, entry, ['createdAt', 'created_at'], 'When it was told')
    if (isBlank(text)) {
      reading.judge('dropped', found?.list ?? [], place, 'An attempt without a word.')
      continue
    }
    read.attempts.push({ text, reasoning, created_at })
    read.places.push(Number(place))
  }
  return read
}

// Below the first means the first; what is no number too.
function pickLive(reading: Reading, item: Record<string, unknown>): number {
  const live = pick(reading, item, ['variantIndex'], 'Live attempt', (value, key) => {
    if (!Number.isSafeInteger(value)) return undefined
    reading.judge('taken', item, key, 'Live attempt.')
    return Math.max(0, value as number)
  })
  return live ?? 0
}

function pickReasoning(reading: Reading, item: Record<string, unknown>): string | null {
  const reasoning = pickText(reading, item, ['reasoning'], 'What the model thought', { limit: Infinity })
  return reasoning === '' ? null : reasoning
}
