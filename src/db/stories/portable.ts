import type {
  CarriedAction,
  CarriedAdventure,
  CarriedCard,
  CarriedMemory,
  CarriedScenario,
} from '../../domain/portable/portable.ts'
import { placed } from '../../domain/portable/action-indexes.ts'
import type { Answers } from '../../domain/placeholder.ts'
import type { CardFields, CardWithSource } from '../../domain/story-card.ts'
import { isRewritten, type Variant, variantFrom } from '../../domain/variant.ts'
import { BEGINNING, type Place } from '../actions.ts'
import { getAdventure, getWorld } from '../tables/adventures.ts'
import { listBookmarks } from '../tables/bookmarks.ts'
import type { Reader } from '../database.ts'
import { listMemories } from '../tables/memories.ts'
import { getScenario, scenarioOf } from '../tables/scenarios.ts'
import { isoTime, readList, readObject } from '../stored.ts'
import { listCards } from '../tables/story-cards.ts'
import { findSummary } from '../tables/summaries.ts'

/** A whole scenario. Throws not_found. */
export function readScenario(reader: Reader, id: number): CarriedScenario {
  const { id: _id, created_at: _made, updated_at: _changed, ...fields } = getScenario(reader, id)
  return { ...fields, story_cards: listCards(reader, { scenario_id: id }).map(cardFields) }
}

/**
 * A whole adventure, with everything that it needs to go on elsewhere. The caller sees to it that the story stands still
 * meanwhile. Throws not_found.
 */
export function readAdventure(reader: Reader, id: number): CarriedAdventure {
  const adventure = getAdventure(reader, id)
  const { title, memory, authors_note, ai_instructions, story_summary } = adventure
  const { state, schema } = getWorld(reader, id)
  const scenario_id = scenarioOf(reader, id)
  const summary = findSummary(reader, id)
  const rows = actionRows(reader, id)
  const carried: CarriedAdventure = {
    title,
    memory,
    authors_note,
    ai_instructions,
    story_summary,
    auto_summarize: adventure.auto_summarize,
    memory_bank_enabled: adventure.memory_bank_enabled,
    summary: summary && { covers: summary.covers, made_by: summary.made_by },
    placeholders: readAnswers(reader, id),
    stat_schema: schema ?? {},
    world_state: state,
    scenario: scenario_id === null ? null : readScenario(reader, scenario_id),
    story_cards: readCards(reader, id, scenario_id),
    memories: listMemories(reader, id).map(carriedMemory),
    actions: rows.map(({ action }) => action),
  }
  return placed(
    carried,
    rows.map(({ index }) => index),
  )
}

function cardFields({ type, name, keys, entry, notes }: CardFields): CardFields {
  return { type, name, keys, entry, notes }
}

function readCards(reader: Reader, id: number, scenarioId: number | null): CarriedCard[] {
  const authored = scenarioId === null ? [] : listCards(reader, { scenario_id: scenarioId })
  const places = new Map(authored.map((card, place) => [`card:${card.id}`, `card:${place}`]))
  return reader
    .all<CardWithSource>(
      'SELECT type, name, keys, entry, notes, source_ref FROM story_cards WHERE adventure_id = ? ORDER BY coalesce(position, id), id',
      id,
    )
    .map(({ source_ref, ...card }) => ({
      ...cardFields(card),
      source_ref: source_ref?.startsWith('card:') ? (places.get(source_ref) ?? null) : source_ref,
    }))
}

function readAnswers(reader: Reader, id: number): Answers {
  const row = reader.get<{ placeholders: string | null }>(
    'SELECT placeholders FROM adventures WHERE id = ?',
    id,
  )
  const answers = Object.entries(readObject(row?.placeholders ?? null) ?? {})
  return Object.fromEntries(
    answers.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function carriedMemory(memory: ReturnType<typeof listMemories>[number]): CarriedMemory {
  const { text, pinned, forgotten, source_start, source_end, use_count, stale } = memory
  return { text, pinned, forgotten, source_start, source_end, use_count, stale }
}

type ActionRow = Pick<CarriedAction, 'type' | 'text' | 'reasoning' | 'cut' | 'variant_index'> &
  Record<'world_delta' | 'world_state_before' | 'variants', string | null> & {
    id: number
    index: number
    created_at: string
  }

/** Rows that are read at once: a long story is never held twice. */
const SLICE = 500

function actionRows(reader: Reader, adventureId: number): { index: number; action: CarriedAction }[] {
  const read: { index: number; action: CarriedAction }[] = []
  const marks = new Map(listBookmarks(reader, adventureId).map(({ action_id, name }) => [action_id, name]))
  for (let last: Place = BEGINNING; ; ) {
    const rows = reader.all<ActionRow>(
      `SELECT id, "index", type, text, reasoning, world_delta, world_state_before, variants, variant_index, cut, created_at
         FROM actions WHERE adventure_id = ? AND ("index", id) > (?, ?) ORDER BY "index", id LIMIT ?`,
      adventureId,
      last.index,
      last.id,
      SLICE,
    )
    for (const row of rows) {
      const mark = marks.get(row.id)
      const action = { ...carriedAction(row), ...(mark === undefined ? {} : { mark }) }
      read.push({ index: row.index, action })
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < SLICE) return read
    last = end
  }
}

function carriedAction(row: ActionRow): CarriedAction {
  const listed = readList(row.variants).map(variantFrom)
  const live = Math.min(Math.max(0, row.variant_index), Math.max(0, listed.length - 1))
  return {
    type: row.type,
    text: row.text,
    reasoning: row.reasoning,
    variants: listed.map((variant, i) => carriedVariant(variant, i === live ? row.text : variant.text)),
    variant_index: live,
    cut: listed.length > 0 ? (listed[live]?.cut ?? null) : row.cut,
    world_delta: readObject(row.world_delta),
    world_state_before: readObject(row.world_state_before),
    created_at: isoTime(row.created_at) || null,
  }
}

// Only what an attempt is: builds of long ago kept whole prompts beside it. Where its words and those of the action
// differ, the action was edited and is right.
function carriedVariant(variant: Variant, text: string): Variant {
  const { reasoning, created_at, raw_output, world_state, cut } = variant
  return {
    text,
    reasoning,
    created_at: created_at && (isoTime(created_at) || null),
    ...(typeof raw_output === 'string' ? { raw_output } : {}),
    ...(world_state ? { world_state } : {}),
    ...(cut ? { cut } : {}),
    ...(isRewritten(variant) || text !== variant.text ? { edited: true } : {}),
  }
}
