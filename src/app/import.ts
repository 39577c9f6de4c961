import { insertStory, type WholeAction } from '../db/actions.ts'
import { insertAdventure } from '../db/tables/adventures.ts'
import { setBookmark } from '../db/tables/bookmarks.ts'
import type { Writer } from '../db/database.ts'
import { insertMemory, passagesIn, passagesMark, type Source } from '../db/tables/memories.ts'
import { insertScenario } from '../db/tables/scenarios.ts'
import { type CardOwner, insertCard } from '../db/tables/story-cards.ts'
import { insertSummary } from '../db/tables/summaries.ts'
import { findOwner } from '../db/tables/users.ts'
import type {
  CarriedAction,
  CarriedAdventure,
  CarriedCard,
  CarriedMemory,
  CarriedScenario,
  ImportPlan,
} from '../domain/portable/portable.ts'
import { PICTURE, UNFIT_PICTURE } from '../domain/interchange/read/character-card.ts'
import { readFile } from '../domain/interchange/read/read-file.ts'
import { refused } from '../formats/shared/import-refused.ts'
import { recordOf } from '../formats/reconcile-import.ts'
import { EMPTY_SCENARIO } from '../domain/scenario.ts'
import { isBlank } from '../lib/text.ts'
import type { Deps } from './deps.ts'
import { liveFrom } from './keep-reply.ts'
import { coverFrom } from './scenario/covers.ts'
import { ownerFrom } from './scenario/story-cards.ts'

/** What of a plan is wanted. What is not said is wanted whole. */
export interface ImportChoice {
  /** Places in the plan's lists. */
  scenarios?: readonly number[]
  adventures?: readonly number[]
  /** Whose the cards become that come without an owner; without one they become a new scenario's. */
  owner?: { scenario_id?: number; adventure_id?: number }
  /** What that new scenario is called. */
  title?: string
}

/** The ids of what an import has brought. */
export interface Imported {
  scenario_ids: number[]
  adventure_ids: number[]
  story_card_ids: number[]
}

/** Reads a file without writing anything. Throws import_refused. */
export async function planImport(bytes: Uint8Array, name: string): Promise<ImportPlan> {
  const plan = readFile(bytes, name)
  const isUnfit = plan.receipt.dropped.some(({ path, note }) => path === PICTURE && note === UNFIT_PICTURE)
  return isUnfit ? withSmallerPicture(plan, bytes) : plan
}

// A card is a large picture; as a cover it is made anew in the size of one.
async function withSmallerPicture(plan: ImportPlan, bytes: Uint8Array): Promise<ImportPlan> {
  const image = await coverFrom(`data:image/png;base64,${bytes.toBase64()}`).catch(() => '')
  if (image === '') return plan
  const { dropped, changed } = plan.receipt
  const note = 'Picture, made anew in the size of a cover.'
  return {
    ...plan,
    scenarios: plan.scenarios.map((scenario) => ({ ...scenario, image })),
    receipt: {
      ...plan.receipt,
      dropped: dropped.filter(({ path }) => path !== PICTURE),
      changed: [...changed, { path: PICTURE, note }],
    },
  }
}

/**
 * Writes what is wanted of a plan: all of it or nothing. What it brings is new; nothing in the library is replaced.
 * Throws import_refused, and invalid or not_found for an owner that is none.
 */
export function applyImport(deps: Deps, plan: ImportPlan, choice: ImportChoice = {}): Imported {
  const scenarios = chosen(plan.scenarios, choice.scenarios)
  const adventures = chosen(plan.adventures, choice.adventures)
  const owner = choice.owner && ownerFrom(deps.library.reader, choice.owner)
  if (scenarios.length + adventures.length + plan.story_cards.length === 0)
    throw refused('Nothing of this file was chosen, so nothing was imported.')
  return deps.library.write((tx) => {
    const scenario_ids = scenarios.map((scenario) => writeScenario(tx, deps, scenario).id)
    const adventure_ids = adventures.map((adventure) => writeAdventure(tx, deps, adventure))
    const { story_cards } = plan
    if (story_cards.length === 0) return { scenario_ids, adventure_ids, story_card_ids: [] }
    if (owner) {
      const story_card_ids = story_cards.map((card) => insertCard(tx, owner, card, null))
      return { scenario_ids, adventure_ids, story_card_ids }
    }
    const { title = '' } = choice
    const made = { ...EMPTY_SCENARIO, title: isBlank(title) ? 'Imported cards' : title, story_cards }
    const { id, cards } = writeScenario(tx, deps, made)
    return { scenario_ids: [...scenario_ids, id], adventure_ids, story_card_ids: cards }
  })
}

function chosen<T>(list: readonly T[], places: readonly number[] | undefined): T[] {
  if (places === undefined) return [...list]
  return [...new Set(places)].map((place) => {
    const one = list[place]
    if (one === undefined) throw refused(`There is no item ${place} in what this file brings.`)
    return one
  })
}

function writeScenario(
  tx: Writer,
  deps: Deps,
  { story_cards, ...fields }: CarriedScenario,
): { id: number; cards: number[] } {
  const id = insertScenario(tx, findOwner(tx) ?? 0, fields, deps.now())
  return { id, cards: story_cards.map((card) => insertCard(tx, { scenario_id: id }, card, null)) }
}

function writeAdventure(tx: Writer, deps: Deps, carried: CarriedAdventure): number {
  const { scenario, story_cards, actions, memories, summary, stat_schema, ...fields } = carried
  const begun = scenario && writeScenario(tx, deps, scenario)
  const id = insertAdventure(
    tx,
    findOwner(tx) ?? 0,
    { ...fields, scenario_id: begun?.id ?? null, stat_schema: stat_schema ?? {} },
    deps.now(),
  )
  for (const card of story_cards) writeCard(tx, { adventure_id: id }, card, begun?.cards ?? [])
  const ids = insertStory(tx, id, actions.map(wholeAction), deps.now())
  for (const [place, { mark }] of actions.entries())
    if (mark !== undefined) setBookmark(tx, id, ids[place] ?? 0, mark, deps.now())
  for (const memory of memories) writeMemory(tx, id, memory, deps.now())
  if (summary) insertSummary(tx, id, { ...summary, text: fields.story_summary }, deps.now())
  return id
}

// A card of the scenario is named by its place in the file, and by its id from here on.
function writeCard(
  tx: Writer,
  owner: CardOwner,
  { source_ref, ...card }: CarriedCard,
  authored: readonly number[],
): void {
  const place = /^card:(\d+)$/.exec(source_ref ?? '')?.[1]
  const id = place === undefined ? undefined : authored[Number(place)]
  const ref = place === undefined ? source_ref : id === undefined ? null : `card:${id}`
  insertCard(tx, owner, card, ref)
}

function wholeAction(action: CarriedAction): WholeAction {
  const { type, text, reasoning, cut, variants, variant_index, world_state_before, created_at } = action
  const live = variants[variant_index] ?? { text, reasoning, cut, created_at }
  return {
    type,
    world_state_before,
    created_at: timeFrom(created_at),
    live: {
      ...liveFrom(live),
      text,
      reasoning,
      cut,
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

/** Passages of which a mark is kept with a memory. A longer range is no memory that was made here. */
const LONGEST_SOURCE = 200

function writeMemory(tx: Writer, id: number, memory: CarriedMemory, now: Date): void {
  const { text, source_start, source_end, stale = false, ...past } = memory
  insertMemory(tx, id, text, sourceOf(tx, id, source_start, source_end), now, { ...past, stale })
}

function sourceOf(tx: Writer, id: number, start: number | null, end: number | null): Source | null {
  if (start === null || end === null) return null
  const passages = end - start < LONGEST_SOURCE ? passagesIn(tx, id, start, end) : []
  return { start, end, mark: passagesMark(passages) }
}
