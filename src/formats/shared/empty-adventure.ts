import type { PortableAdventure } from '../../domain/portable/portable.ts'
import { EMPTY_PLOT } from '../../domain/scenario.ts'

/** An adventure with nothing but a title. */
export function emptyAdventure(title: string): PortableAdventure {
  return {
    title,
    ...EMPTY_PLOT,
    story_summary: '',
    auto_summarize: true,
    memory_bank_enabled: true,
    propose_cards: false,
    language: '',
    scenario: null,
    placeholders: {},
    stat_schema: null,
    world_state: {},
    story_cards: [],
    actions: [],
    memories: [],
  }
}
