import type { PortableScenario } from '../../domain/portable/portable.ts'

/** The parts of a scenario that the earlier release cannot store, in words. */
export function lostInEarlier({
  greetings,
  example_dialogue,
  story_cards,
}: Pick<PortableScenario, 'greetings' | 'example_dialogue' | 'story_cards'>): string[] {
  const timed = story_cards.filter(({ timing }) => timing).length
  return [
    greetings.length === 0 ? '' : `other openings (${greetings.length})`,
    example_dialogue === '' ? '' : 'the example dialogue',
    timed === 0 ? '' : `when and how often story cards are included (${timed})`,
  ].filter(Boolean)
}

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
