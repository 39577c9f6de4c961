import type { PortableScenario } from '../../domain/portable/portable.ts'

/** A scenario as the earlier release reads it. */
export function makeEarlierScenario(scenario: PortableScenario): string {
  return JSON.stringify({
    format: 'ai-dnd-scenario-v1',
    title: scenario.title,
    description: scenario.description,
    prompt: scenario.prompt,
    memory: scenario.memory,
    authorsNote: scenario.authors_note,
    aiInstructions: scenario.ai_instructions,
    tags: scenario.tags,
    image: scenario.image,
    icon: scenario.icon,
    statSchema: scenario.stat_schema,
    storyCards: scenario.story_cards.map(({ timing: _timing, ...card }) => card),
    scripts: [],
  })
}
