import { atPositions } from '../../domain/portable/action-indexes.ts'
import type {
  PortableAdventure,
  PortableCard,
  PortableMemory,
  PortableScenario,
} from '../../domain/portable/portable.ts'
import { plotOf } from '../../domain/scenario.ts'
import { type CardWithSource, plainCard } from '../../domain/story-card.ts'
import type { Reader } from '../database.ts'
import { findAnswers, getAdventure, getWorld } from '../tables/adventures.ts'
import { listProposals } from '../tables/card-proposals.ts'
import { listMemories } from '../tables/memory/memories.ts'
import { findSummary } from '../tables/memory/summaries.ts'
import { getScenario, scenarioOf } from '../tables/scenarios.ts'
import { cardFromRow, listCards } from '../tables/story-cards.ts'
import { findPortableBranch } from './branches.ts'
import { type ActionParts, StoredActions } from './stored-actions.ts'

/** Throws not_found. */
export function getPortableScenario(reader: Reader, id: number): PortableScenario {
  const { id: _id, created_at: _made, updated_at: _changed, ...fields } = getScenario(reader, id)
  return { ...fields, story_cards: listCards(reader, { scenario_id: id }).map(plainCard) }
}

/**
 * A complete adventure for export, with everything that is needed to continue it elsewhere. Its actions are read during the
 * iteration, with the given parts or all; the story must not change until then. Throws not_found.
 */
export function getPortableAdventure(
  reader: Reader,
  id: number,
  parts?: ActionParts,
): PortableAdventure<StoredActions> {
  const adventure = getAdventure(reader, id)
  const { title, story_summary } = adventure
  const { state, schema } = getWorld(reader, id)
  const scenario_id = scenarioOf(reader, id)
  const summary = findSummary(reader, id)
  const actions = new StoredActions(reader, id, parts)
  const branch = findPortableBranch(reader, id)
  const portable: PortableAdventure<StoredActions> = {
    title,
    ...plotOf((field) => adventure[field]),
    story_summary,
    auto_summarize: adventure.auto_summarize,
    memory_bank_enabled: adventure.memory_bank_enabled,
    propose_cards: adventure.propose_cards,
    card_proposals: listProposals(reader, id),
    language: adventure.language,
    summary: summary && { covers: summary.covers, made_by: summary.made_by },
    placeholders: findAnswers(reader, id) ?? {},
    stat_schema: schema ?? {},
    world_state: state,
    scenario: scenario_id === null ? null : getPortableScenario(reader, scenario_id),
    story_cards: listPortableCards(reader, id, scenario_id),
    memories: listMemories(reader, id).map(portableMemory),
    actions,
    ...(branch && { branch }),
  }
  return actions.indexes ? atPositions(portable, actions.indexes) : portable
}

function listPortableCards(reader: Reader, id: number, scenarioId: number | null): PortableCard[] {
  const authored = scenarioId === null ? [] : listCards(reader, { scenario_id: scenarioId })
  const positions = new Map(authored.map((card, position) => [`card:${card.id}`, `card:${position}`]))
  return reader
    .all<Parameters<typeof cardFromRow<CardWithSource>>[0]>(
      'SELECT type, name, keys, entry, notes, timing, source_ref FROM story_cards WHERE adventure_id = ? ORDER BY coalesce(position, id), id',
      id,
    )
    .map(cardFromRow)
    .map(({ source_ref, ...card }) => ({
      ...plainCard(card),
      source_ref: source_ref?.startsWith('card:') ? (positions.get(source_ref) ?? null) : source_ref,
    }))
}

function portableMemory(memory: ReturnType<typeof listMemories>[number]): PortableMemory {
  const { text, no_longer, pinned, forgotten, source_start, source_end, use_count, stale } = memory
  return { text, no_longer, pinned, forgotten, source_start, source_end, use_count, stale }
}
