import { LIMITS } from '../../domain/limits.ts'
import type { PortableMemory } from '../../domain/portable/portable.ts'
import { isBlank } from '../../lib/text.ts'
import { MAX_MEMORIES } from '../import-limits.ts'
import type { Fields } from './fields.ts'

/** Maps an index of the file to one of the story; undefined when the story does not have it. */
type IndexMap = (index: number) => number | undefined

/** The memories of a story with `count` actions, in either spelling. Blank ones are dropped. */
export function parseMemories(
  file: Fields,
  count: number,
  indexOf: IndexMap = (index) => index,
): PortableMemory[] {
  const items = file.list(['memories'], 'Memories', MAX_MEMORIES) ?? []
  return items.flatMap(({ fields, drop }) => {
    const memory = parseMemory(fields, count, indexOf)
    if (!isBlank(memory.text)) return [memory]
    drop('Empty memory')
    return []
  })
}

/** One memory. Without both ends of its source it counts as written by hand. */
export function parseMemory(item: Fields, count: number, indexOf: IndexMap): PortableMemory {
  const index = (keys: string[], label: string) => {
    const inFile = item.count(keys, label)
    return inFile === null ? null : (indexOf(inFile) ?? null)
  }
  const start = index(['source_start', 'sourceStart'], 'First passage it covers')
  const end = index(['source_end', 'sourceEnd'], 'Last passage it covers')
  const isInStory = start !== null && end !== null && start <= end && start < count
  return {
    text: item.text(['text'], 'Text', { limit: LIMITS.memory }),
    ...(item.has('no_longer')
      ? { no_longer: item.text(['no_longer'], 'What is no longer so', { limit: LIMITS.memory }) }
      : {}),
    pinned: item.flag(['pinned'], 'Pinned'),
    forgotten: item.flag(['forgotten'], 'Forgotten'),
    ...(item.has('stale') ? { stale: item.flag(['stale'], 'Whether it is out of date') } : {}),
    source_start: isInStory ? start : null,
    source_end: isInStory ? Math.min(end, count - 1) : null,
    use_count: item.count(['use_count', 'useCount'], 'How often it was used') ?? 0,
  }
}
