import { LIMITS } from '../../limits.ts'
import { isBlank } from '../../../lib/text.ts'
import type { CarriedMemory } from '../../portable/portable.ts'
import { pickCount, pickFlag, pickList, pickText } from './pick.ts'
import type { Reading } from '../../../formats/shared/receipt.ts'

/** Memories of one story in a file. */
export const MOST_MEMORIES = 20_000

/** Gives the place that a number of the file means; undefined for one that is not in the story. */
export type PlaceOf = (index: number) => number | undefined

/** The memories of a story with `passages` passages, in either spelling; blank ones are dropped. */
export function pickMemories(
  reading: Reading,
  file: Record<string, unknown>,
  passages: number,
  placeOf: PlaceOf = (index) => index,
): CarriedMemory[] {
  const found = pickList(reading, file, ['memories'], 'Memories', MOST_MEMORIES)
  return (found?.items ?? []).flatMap(({ item, place }) => {
    const memory = memoryFrom(reading, item, passages, placeOf)
    if (!isBlank(memory.text)) return [memory]
    reading.judge('dropped', found?.list ?? [], place, 'A memory without a word.')
    return []
  })
}

/** One memory. Without both ends of its passages it counts as written by hand. */
export function memoryFrom(
  reading: Reading,
  item: Record<string, unknown>,
  passages: number,
  placeOf: PlaceOf,
): CarriedMemory {
  const place = (keys: string[], label: string) => {
    const index = pickCount(reading, item, keys, label)
    return index === null ? null : (placeOf(index) ?? null)
  }
  const start = place(['source_start', 'sourceStart'], 'First passage that it tells of')
  const end = place(['source_end', 'sourceEnd'], 'Last passage that it tells of')
  const isOfStory = start !== null && end !== null && start <= end && start < passages
  return {
    text: pickText(reading, item, ['text'], 'Words', { limit: LIMITS.memory }),
    pinned: pickFlag(reading, item, ['pinned'], 'Pinned', false),
    forgotten: pickFlag(reading, item, ['forgotten'], 'Forgotten', false),
    ...(Object.hasOwn(item, 'stale')
      ? { stale: pickFlag(reading, item, ['stale'], 'Whether its passages have changed', false) }
      : {}),
    source_start: isOfStory ? start : null,
    source_end: isOfStory ? Math.min(end, passages - 1) : null,
    use_count: pickCount(reading, item, ['use_count', 'useCount'], 'How often it was told') ?? 0,
  }
}
