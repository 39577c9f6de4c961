import type { StoredProposal } from '../../domain/cards/proposals.ts'
import type {
  PortableAction,
  PortableActions,
  PortableAdventure,
  PortableMemory,
} from '../../domain/portable/portable.ts'
import { plainCard } from '../../domain/story-card.ts'
import type { Variant } from '../../domain/variant.ts'
import { head, scenarioBody } from './make-scenario.ts'

/**
 * An adventure as our own file, with its scenario. Each action stands on a line of its own, after everything else, so that
 * a reader can take them one by one.
 */
export function* makeAdventure(adventure: PortableAdventure<PortableActions>, at: Date): Generator<string> {
  const fields = JSON.stringify({
    ...head('inglenook-adventure', at),
    title: adventure.title,
    memory: adventure.memory,
    authors_note: adventure.authors_note,
    ai_instructions: adventure.ai_instructions,
    example_dialogue: adventure.example_dialogue || undefined,
    story_summary: adventure.story_summary,
    summary: adventure.summary && { covers: adventure.summary.covers, made_by: adventure.summary.made_by },
    auto_summarize: adventure.auto_summarize,
    memory_bank_enabled: adventure.memory_bank_enabled,
    language: adventure.language || undefined,
    branch: adventure.branch,
    propose_cards: adventure.propose_cards || undefined,
    placeholders: adventure.placeholders,
    stat_schema: adventure.stat_schema,
    world_state: adventure.world_state,
    scenario: adventure.scenario && scenarioBody(adventure.scenario),
    story_cards: adventure.story_cards.map((card) => ({ ...plainCard(card), source_ref: card.source_ref })),
    memories: adventure.memories.map(memoryBody),
    card_proposals: adventure.card_proposals?.length ? adventure.card_proposals.map(proposalBody) : undefined,
  })
  yield `${fields.slice(0, -1)},"actions":[`
  let separator = '\n'
  for (const action of adventure.actions) {
    yield separator + JSON.stringify(actionBody(action))
    separator = ',\n'
  }
  yield '\n]}'
}

function memoryBody(memory: PortableMemory) {
  return {
    text: memory.text,
    no_longer: memory.no_longer || undefined,
    pinned: memory.pinned,
    forgotten: memory.forgotten,
    stale: memory.stale ?? false,
    source_start: memory.source_start,
    source_end: memory.source_end,
    use_count: memory.use_count,
  }
}

function proposalBody({ passage, name, keys, entry, quote, answer }: StoredProposal) {
  return { passage, name, keys, entry, quote, answer }
}

function actionBody(action: PortableAction) {
  return {
    type: action.type,
    text: action.text,
    reasoning: action.reasoning,
    cut: action.cut,
    created_at: action.created_at,
    mark: action.mark,
    hidden: action.hidden,
    roll: action.roll,
    world_state_before: action.world_state_before,
    world_delta: recordBody(action.world_delta),
    variant_index: action.variant_index,
    variants: action.variants.map((variant, i) => variantBody(variant, i === action.variant_index)),
  }
}

// Each import finds again where numbers do not follow, and flags it here.
function recordBody(record: PortableAction['world_delta']): PortableAction['world_delta'] {
  if (record === null || Object.keys(record).every((key) => key === 'break')) return null
  return 'break' in record ? { ...record, break: undefined } : record
}

// The action has the text, the reasoning and the cut of its live version.
function variantBody(variant: Variant, isLive: boolean) {
  const { text, raw_output, world_state } = variant
  const startsAlike = raw_output?.startsWith(text)
  return {
    text: isLive ? undefined : text,
    reasoning: isLive ? undefined : variant.reasoning,
    created_at: variant.created_at,
    cut: isLive ? undefined : (variant.cut ?? undefined),
    edited: variant.edited,
    raw_output: startsAlike ? undefined : raw_output,
    raw_rest: startsAlike ? raw_output?.slice(text.length) : undefined,
    cleaned: variant.cleaned,
    roll: variant.roll,
    steering: variant.steering,
    timing: variant.timing,
    rewritten: variant.rewritten,
    world_state: world_state && {
      delta: world_state.delta,
      report: world_state.report,
      state: world_state.state,
    },
  }
}
