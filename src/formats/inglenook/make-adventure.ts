import type { CardFields } from '../../domain/story-card.ts'
import type { Variant } from '../../domain/variant.ts'
import type { CarriedAction, CarriedAdventure, CarriedMemory, CarriedScenario } from '../../domain/portable/portable.ts'

/** The version of both of our formats. It is raised when a reader of this one would misread a file. */
const VERSION = 1

/** A scenario as our own file. The keys stand in one order, so that equal scenarios give equal files. */
export function scenarioFile(scenario: CarriedScenario, at: Date): string {
  return JSON.stringify({ ...head('inglenook-scenario', at), ...scenarioBody(scenario) })
}

/** An adventure as our own file, with its scenario. */
export function adventureFile(adventure: CarriedAdventure, at: Date): string {
  return JSON.stringify({
    ...head('inglenook-adventure', at),
    title: adventure.title,
    memory: adventure.memory,
    authors_note: adventure.authors_note,
    ai_instructions: adventure.ai_instructions,
    story_summary: adventure.story_summary,
    summary: adventure.summary && { covers: adventure.summary.covers, made_by: adventure.summary.made_by },
    auto_summarize: adventure.auto_summarize,
    memory_bank_enabled: adventure.memory_bank_enabled,
    placeholders: adventure.placeholders,
    stat_schema: adventure.stat_schema,
    world_state: adventure.world_state,
    scenario: adventure.scenario && scenarioBody(adventure.scenario),
    story_cards: adventure.story_cards.map((card) => ({ ...cardBody(card), source_ref: card.source_ref })),
    memories: adventure.memories.map(memoryBody),
    actions: adventure.actions.map(actionBody),
  })
}

/** All of a scenario with its keys in order: what both files hold, and what a character card takes along. */
export function scenarioBody(scenario: CarriedScenario) {
  return {
    title: scenario.title,
    description: scenario.description,
    prompt: scenario.prompt,
    memory: scenario.memory,
    authors_note: scenario.authors_note,
    ai_instructions: scenario.ai_instructions,
    tags: scenario.tags,
    icon: scenario.icon,
    image: scenario.image,
    stat_schema: scenario.stat_schema,
    story_cards: scenario.story_cards.map(cardBody),
  }
}

/** The names and the version that a file of ours begins with. */
export function head(format: 'inglenook-scenario' | 'inglenook-adventure', at: Date) {
  return { format, version: VERSION, exported_at: at.toISOString() }
}

function cardBody({ type, name, keys, entry, notes }: CardFields): CardFields {
  return { type, name, keys, entry, notes }
}

function memoryBody(memory: CarriedMemory) {
  return {
    text: memory.text,
    pinned: memory.pinned,
    forgotten: memory.forgotten,
    stale: memory.stale ?? false,
    source_start: memory.source_start,
    source_end: memory.source_end,
    use_count: memory.use_count,
  }
}

function actionBody(action: CarriedAction) {
  return {
    type: action.type,
    text: action.text,
    reasoning: action.reasoning,
    cut: action.cut,
    created_at: action.created_at,
    mark: action.mark,
    world_state_before: action.world_state_before,
    world_delta: action.world_delta,
    variant_index: action.variant_index,
    variants: action.variants.map(variantBody),
  }
}

function variantBody(variant: Variant) {
  const { text, reasoning, created_at, cut, edited, raw_output, world_state } = variant
  return {
    text,
    reasoning,
    created_at,
    cut: cut ?? undefined,
    edited,
    raw_output,
    world_state: world_state && {
      delta: world_state.delta,
      report: world_state.report,
      state: world_state.state,
    },
  }
}
