import type { CarriedAdventure } from '../../domain/portable/portable.ts'

/** An adventure of which a file tells nothing but its title. */
export function emptyAdventure(title: string): CarriedAdventure {
  return {
    title,
    memory: '',
    authors_note: '',
    ai_instructions: '',
    story_summary: '',
    auto_summarize: true,
    memory_bank_enabled: true,
    scenario: null,
    placeholders: {},
    stat_schema: null,
    world_state: {},
    story_cards: [],
    actions: [],
    memories: [],
  }
}
