import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Library } from '../../../src/db/library.ts'
import { searchStory } from '../../../src/db/search/recall-search.ts'
import { insertAction } from '../../../src/db/tables/actions/write.ts'
import { lineTerms } from '../../../src/domain/recall/line-terms.ts'
import { temporaryFolder } from '../temporary.ts'
import { openLibrary } from './open.ts'

interface PlantedStory {
  memories: { text: string; source_start: number; source_end: number }[]
  askings: { fact: number; newest: string[]; line: string; index: number }[]
}

const folder = join(import.meta.dir, '../../domain/recall')

export const STORY: PlantedStory = JSON.parse(readFileSync(join(folder, 'planted/story.json'), 'utf8'))

/** The reference story as adventure 1, told by one passage for each of its memories. */
export function judgedLibrary(): Library {
  const library = openLibrary(join(temporaryFolder(), 'library.db'), { starters: [] })
  const now = new Date('2026-01-01T00:00:00Z')
  library.write((tx) => {
    tx.insert('adventures', { id: 1, title: 'A story' })
    for (const { text, source_start: index } of STORY.memories)
      insertAction(tx, { adventure_id: 1, index, type: 'ai', text, world_state_before: null }, now)
  })
  return library
}

/** Facts among the first five texts found for the lines that ask for them. */
export function countFound({ reader }: Library, endOf: (index: number) => number): number {
  return STORY.askings.filter(({ fact, line, index }) => {
    const found = searchStory(reader, 1, { terms: lineTerms(`> ${line}`), endingBefore: endOf(index) })
    return found.slice(0, 5).some(({ text }) => text === STORY.memories[fact]?.text)
  }).length
}
