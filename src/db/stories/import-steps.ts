import {
  type PortableAction,
  type PortableActions,
  type PortableAdventure,
  type PortableCard,
  type PortableMemory,
  type PortableScenario,
  recordOf,
} from '../../domain/portable/portable.ts'
import type { Variant } from '../../domain/variant.ts'
import { hashOf } from '../../lib/hash.ts'
import { sumOf } from '../../lib/numbers.ts'
import { storedTime } from '../column-values.ts'
import type { Step, Writer } from '../database.ts'
import { listPassages, passagesHash } from '../tables/actions/passages.ts'
import { type ActionPlace, insertWholeAction, type WholeAction } from '../tables/actions/write.ts'
import { insertAdventure } from '../tables/adventures.ts'
import { upsertBookmark } from '../tables/bookmarks.ts'
import { beginProposals, insertProposal } from '../tables/card-proposals.ts'
import { insertMemory, type MemorySource } from '../tables/memory/memories.ts'
import { insertSummary } from '../tables/memory/summaries.ts'
import { insertScenario } from '../tables/scenarios.ts'
import { type CardOwner, insertCard } from '../tables/story-cards.ts'
import { findOwner } from '../tables/users.ts'
import { hide } from './hidden.ts'

/** The ids that an import has written so far, hidden ones included. */
export interface Written {
  scenarios: number[]
  adventures: number[]
  actions: number[]
}

export function countSteps(
  scenarios: readonly PortableScenario[],
  adventures: readonly PortableAdventure<PortableActions>[],
): number {
  const ofScenario = ({ story_cards }: PortableScenario) => 1 + story_cards.length
  const ofAdventure = ({ scenario, story_cards, actions, memories }: PortableAdventure<PortableActions>) =>
    2 + (scenario ? ofScenario(scenario) : 0) + story_cards.length + actions.length + memories.length
  return sumOf([...scenarios.map(ofScenario), ...adventures.map(ofAdventure)])
}

export interface WrittenScenario {
  id: number
  cards: number[]
}

/** Writes a hidden scenario. Returns its id and those of its cards. */
export function* scenarioSteps(
  { story_cards, ...fields }: PortableScenario,
  written: Written,
  at: Date,
): Generator<Step, WrittenScenario> {
  let id = 0
  const cards: number[] = []
  yield (tx) => {
    id = insertScenario(tx, findOwner(tx) ?? 0, fields, at)
    hide(tx, 'scenarios', id)
    written.scenarios.push(id)
  }
  for (const card of story_cards) yield (tx) => cards.push(insertCard(tx, { scenario_id: id }, card, null))
  return { id, cards }
}

interface StoryWriting {
  written: Written
  /** Scenarios that were written before, by their hashes. */
  known: Map<string, WrittenScenario>
  at: Date
}

/** Writes a hidden adventure with everything that belongs to it. Returns its id. Its passages are not indexed. */
export function* adventureSteps(
  adventure: PortableAdventure<PortableActions>,
  { written, known, at }: StoryWriting,
): Generator<Step, number> {
  const {
    scenario,
    story_cards,
    actions,
    memories,
    card_proposals = [],
    summary,
    branch: _,
    ...fields
  } = adventure
  const hash = hashOf(JSON.stringify(scenario))
  const begun = scenario && (known.get(hash) ?? (yield* scenarioSteps(scenario, written, at)))
  if (begun) known.set(hash, begun)
  let id = 0
  yield (tx) => {
    const row = { ...fields, scenario_id: begun?.id ?? null, stat_schema: fields.stat_schema ?? {} }
    id = insertAdventure(tx, findOwner(tx) ?? 0, row, at)
    hide(tx, 'adventures', id)
    written.adventures.push(id)
  }
  for (const card of story_cards) yield (tx) => writeCard(tx, { adventure_id: id }, card, begun?.cards ?? [])
  const played = new PlayedTime(at)
  for (const [index, action] of actions.entries()) {
    played.add(timeFrom(action.created_at))
    yield (tx) => written.actions.push(insertPortableAction(tx, { adventure_id: id, index }, action, at))
  }
  for (const memory of memories) yield (tx) => writeMemory(tx, id, memory, at)
  yield (tx) => {
    tx.update('adventures', id, { action_count: actions.length, ...played.columns() })
    if (fields.propose_cards) beginProposals(tx, id)
    for (const proposal of card_proposals) insertProposal(tx, id, proposal)
    if (summary) insertSummary(tx, id, { ...summary, text: fields.story_summary }, at)
  }
  return id
}

/** The time in which a story was played, by its passages that tell theirs. */
class PlayedTime {
  private first = Number.POSITIVE_INFINITY
  private last = 0

  constructor(private readonly now: Date) {}

  add(time: Date | null): void {
    if (time === null || time > this.now) return
    this.first = Math.min(this.first, time.getTime())
    this.last = Math.max(this.last, time.getTime())
  }

  /** Its dates; none where no passage tells its time. */
  columns(): Record<string, string> {
    if (this.first > this.last) return {}
    return { created_at: storedTime(new Date(this.first)), updated_at: storedTime(new Date(this.last)) }
  }
}

// The file refers to scenario cards by position, the library by id.
function writeCard(
  tx: Writer,
  owner: CardOwner,
  { source_ref, ...card }: PortableCard,
  authored: readonly number[],
): void {
  const place = /^card:(\d+)$/.exec(source_ref ?? '')?.[1]
  const id = place === undefined ? undefined : authored[Number(place)]
  const ref = place === undefined ? source_ref : id === undefined ? null : `card:${id}`
  insertCard(tx, owner, card, ref)
}

export function insertPortableAction(
  tx: Writer,
  place: ActionPlace,
  action: PortableAction,
  at: Date,
): number {
  const id = insertWholeAction(tx, place, wholeAction(action), at)
  if (action.mark !== undefined)
    upsertBookmark(tx, place.adventure_id, { action_id: id, name: action.mark }, at)
  return id
}

function wholeAction(action: PortableAction): WholeAction {
  const { type, text, reasoning, cut, variants, variant_index, world_state_before, created_at } = action
  const live: Partial<Variant> = variants[variant_index] ?? {}
  return {
    type,
    hidden: action.hidden === true,
    world_state_before,
    created_at: timeFrom(created_at),
    live: {
      text,
      reasoning,
      cut,
      raw_output: live.raw_output ?? null,
      roll: (type === 'ai' ? live.roll : action.roll) ?? null,
      steering: live.steering ?? null,
      timing: live.timing ?? null,
      world_delta: recordOf(action),
      variants,
      variant_index,
    },
  }
}

function timeFrom(iso: string | null): Date | null {
  const time = iso === null ? Number.NaN : Date.parse(iso)
  return Number.isNaN(time) ? null : new Date(time)
}

/** Passages whose hash is stored with a memory. Longer ranges are not from memories made here. */
const LONGEST_SOURCE = 200

function writeMemory(tx: Writer, id: number, memory: PortableMemory, at: Date): void {
  const { text, source_start, source_end, stale = false, ...past } = memory
  insertMemory(tx, id, { ...past, text, stale, source: sourceOf(tx, id, source_start, source_end) }, at)
}

function sourceOf(tx: Writer, id: number, start: number | null, end: number | null): MemorySource | null {
  if (start === null || end === null) return null
  const passages = end - start < LONGEST_SOURCE ? listPassages(tx, id, start, end) : []
  return { start, end, hash: passagesHash(passages) }
}
