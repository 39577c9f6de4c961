import type { PortableScenario } from '../../domain/portable/portable.ts'
import { plainCard } from '../../domain/story-card.ts'
import { VERSIONS } from './parse-scenario.ts'

/** A scenario as our own file. The keys stand in one order, so that equal scenarios give equal files. */
export function makeScenario(scenario: PortableScenario, at: Date): string {
  return JSON.stringify({ ...head('inglenook-scenario', at), ...scenarioBody(scenario) })
}

/** All of a scenario with its keys in order: what both files hold, and what a character card takes along. */
export function scenarioBody(scenario: PortableScenario) {
  return {
    title: scenario.title,
    description: scenario.description,
    prompt: scenario.prompt,
    ...(scenario.greetings.length === 0 ? {} : { greetings: scenario.greetings }),
    memory: scenario.memory,
    authors_note: scenario.authors_note,
    ai_instructions: scenario.ai_instructions,
    example_dialogue: scenario.example_dialogue || undefined,
    tags: scenario.tags,
    icon: scenario.icon,
    image: scenario.image,
    stat_schema: scenario.stat_schema,
    story_cards: scenario.story_cards.map(plainCard),
  }
}

/** The names and the version that a file of ours begins with. */
export function head(format: keyof typeof VERSIONS, at: Date) {
  return { format, version: VERSIONS[format], exported_at: at.toISOString() }
}
