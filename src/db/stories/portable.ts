import { withIndexesFrom } from '../../domain/portable/action-indexes.ts'
import type {
  PortableAction,
  PortableAdventure,
  PortableCard,
  PortableMemory,
  PortableScenario,
} from '../../domain/portable/portable.ts'
import type { CardFields, CardWithSource } from '../../domain/story-card.ts'
import type { Answers } from '../../domain/text/placeholder.ts'
import { type Variant, variantFrom, wasEditedElsewhere } from '../../domain/variant.ts'
import { isoTime, parseListColumn, parseObjectColumn } from '../column-values.ts'
import type { Reader } from '../database.ts'
import { type ActionPosition, FIRST_POSITION } from '../tables/actions/position.ts'
import { getAdventure, getWorld } from '../tables/adventures.ts'
import { listBookmarks } from '../tables/bookmarks.ts'
import { listMemories } from '../tables/memories.ts'
import { getScenario, scenarioOf } from '../tables/scenarios.ts'
import { listCards } from '../tables/story-cards.ts'
import { findSummary } from '../tables/summaries.ts'

/** A complete scenario for export. Throws not_found. */
export function getPortableScenario(reader: Reader, id: number): PortableScenario {
  const { id: _id, created_at: _made, updated_at: _changed, ...fields } = getScenario(reader, id)
  return { ...fields, story_cards: listCards(reader, { scenario_id: id }).map(cardFields) }
}

/**
 * A complete adventure for export, with everything that is needed to continue it elsewhere. The caller must make sure that
 * the story does not change meanwhile. Throws not_found.
 */
export function getPortableAdventure(reader: Reader, id: number): PortableAdventure {
  const adventure = getAdventure(reader, id)
  const { title, memory, authors_note, ai_instructions, story_summary } = adventure
  const { state, schema } = getWorld(reader, id)
  const scenario_id = scenarioOf(reader, id)
  const summary = findSummary(reader, id)
  const rows = listPortableActions(reader, id)
  const portable: PortableAdventure = {
    title,
    memory,
    authors_note,
    ai_instructions,
    story_summary,
    auto_summarize: adventure.auto_summarize,
    memory_bank_enabled: adventure.memory_bank_enabled,
    summary: summary && { covers: summary.covers, made_by: summary.made_by },
    placeholders: answersOf(reader, id),
    stat_schema: schema ?? {},
    world_state: state,
    scenario: scenario_id === null ? null : getPortableScenario(reader, scenario_id),
    story_cards: listPortableCards(reader, id, scenario_id),
    memories: listMemories(reader, id).map(portableMemory),
    actions: rows.map(({ action }) => action),
  }
  return withIndexesFrom(
    portable,
    rows.map(({ index }) => index),
  )
}

function cardFields({ type, name, keys, entry, notes }: CardFields): CardFields {
  return { type, name, keys, entry, notes }
}

function listPortableCards(reader: Reader, id: number, scenarioId: number | null): PortableCard[] {
  const authored = scenarioId === null ? [] : listCards(reader, { scenario_id: scenarioId })
  const positions = new Map(authored.map((card, position) => [`card:${card.id}`, `card:${position}`]))
  return reader
    .all<CardWithSource>(
      'SELECT type, name, keys, entry, notes, source_ref FROM story_cards WHERE adventure_id = ? ORDER BY coalesce(position, id), id',
      id,
    )
    .map(({ source_ref, ...card }) => ({
      ...cardFields(card),
      source_ref: source_ref?.startsWith('card:') ? (positions.get(source_ref) ?? null) : source_ref,
    }))
}

function answersOf(reader: Reader, id: number): Answers {
  const row = reader.get<{ placeholders: string | null }>(
    'SELECT placeholders FROM adventures WHERE id = ?',
    id,
  )
  const answers = Object.entries(parseObjectColumn(row?.placeholders ?? null) ?? {})
  return Object.fromEntries(
    answers.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function portableMemory(memory: ReturnType<typeof listMemories>[number]): PortableMemory {
  const { text, pinned, forgotten, source_start, source_end, use_count, stale } = memory
  return { text, pinned, forgotten, source_start, source_end, use_count, stale }
}

type ActionRow = Pick<PortableAction, 'type' | 'text' | 'reasoning' | 'cut' | 'variant_index'> &
  Record<'world_delta' | 'world_state_before' | 'variants', string | null> & {
    id: number
    index: number
    created_at: string
  }

/** Rows that are read at once, so that a long story is never in memory twice. */
const CHUNK = 500

function listPortableActions(
  reader: Reader,
  adventureId: number,
): { index: number; action: PortableAction }[] {
  const actions: { index: number; action: PortableAction }[] = []
  const bookmarks = new Map(
    listBookmarks(reader, adventureId).map(({ action_id, name }) => [action_id, name]),
  )
  for (let last: ActionPosition = FIRST_POSITION; ; ) {
    const rows = reader.all<ActionRow>(
      `SELECT id, "index", type, text, reasoning, world_delta, world_state_before, variants, variant_index, cut, created_at
         FROM actions WHERE adventure_id = ? AND ("index", id) > (?, ?) ORDER BY "index", id LIMIT ?`,
      adventureId,
      last.index,
      last.id,
      CHUNK,
    )
    for (const row of rows) {
      const mark = bookmarks.get(row.id)
      const action = { ...portableAction(row), ...(mark === undefined ? {} : { mark }) }
      actions.push({ index: row.index, action })
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < CHUNK) return actions
    last = end
  }
}

function portableAction(row: ActionRow): PortableAction {
  const variants = parseListColumn(row.variants).map(variantFrom)
  const live = Math.min(Math.max(0, row.variant_index), Math.max(0, variants.length - 1))
  return {
    type: row.type,
    text: row.text,
    reasoning: row.reasoning,
    variants: variants.map((variant, i) => portableVariant(variant, i === live ? row.text : variant.text)),
    variant_index: live,
    cut: variants.length > 0 ? (variants[live]?.cut ?? null) : row.cut,
    world_delta: parseObjectColumn(row.world_delta),
    world_state_before: parseObjectColumn(row.world_state_before),
    created_at: isoTime(row.created_at) || null,
  }
}

// Leaves out unknown fields: early builds stored whole prompts in an attempt. If its text differs from the action's, the
// action was edited and its text counts.
function portableVariant(variant: Variant, text: string): Variant {
  const { reasoning, created_at, raw_output, cleaned, world_state, cut } = variant
  return {
    text,
    reasoning,
    created_at: created_at && (isoTime(created_at) || null),
    ...(typeof raw_output === 'string' ? { raw_output } : {}),
    ...(cleaned === true ? { cleaned } : {}),
    ...(world_state ? { world_state } : {}),
    ...(cut ? { cut } : {}),
    ...(wasEditedElsewhere(variant) || text !== variant.text ? { edited: true } : {}),
  }
}
