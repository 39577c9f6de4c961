import { LIMITS } from '../../domain/limits.ts'
import type { PortableAdventure } from '../../domain/portable/portable.ts'
import { isBlank } from '../../lib/text.ts'
import type { Fields } from '../shared/fields.ts'
import { parsePlotFields } from '../shared/scenario-fields.ts'
import { parseCards } from '../shared/story-cards.ts'

/** The common parts of both adventure formats of the earlier release, besides actions and memories. */
export interface AdventureHead
  extends Omit<PortableAdventure, 'title' | 'actions' | 'memories' | 'world_state'> {
  title: string
  world_state: Record<string, unknown> | null
}

export function parseHead(file: Fields): AdventureHead {
  file.came('File format', 'format')
  file.left('Scripts are never run', 'scripts', 'scriptState')
  const title = file.text(['title'], 'Title', { limit: LIMITS.name })
  const cards = parseCards(file, ['storyCards', 'story_cards', 'worldInfo']) ?? []
  return {
    title: isBlank(title) ? 'Imported Adventure' : title,
    ...parsePlotFields(file),
    story_summary: file.text(['storySummary', 'story_summary'], 'Summary'),
    auto_summarize: file.flag(['autoSummarize'], 'Automatic summary'),
    memory_bank_enabled: file.flag(['memoryBankEnabled'], 'Memory bank'),
    propose_cards: false,
    language: '',
    scenario: null,
    placeholders: {},
    stat_schema: null,
    world_state: file.object(['worldState'], 'World state'),
    story_cards: cards.map((card) => ({ ...card, source_ref: null })),
  }
}
