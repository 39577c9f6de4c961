import { EMPTY_ADVENTURE } from '../../domain/adventure.ts'
import type { PortableAdventure } from '../../domain/portable/portable.ts'

export function emptyAdventure(title: string): PortableAdventure {
  return {
    ...EMPTY_ADVENTURE,
    title,
    scenario: null,
    placeholders: {},
    stat_schema: null,
    world_state: {},
    story_cards: [],
    actions: [],
    memories: [],
  }
}
