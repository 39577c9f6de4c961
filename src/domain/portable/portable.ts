import { isObject } from '../../lib/objects.ts'
import type { ActionType, Cut } from '../action.ts'
import type { AdventureFields } from '../adventure.ts'
import type { StoredProposal } from '../cards/proposals.ts'
import type { Roll } from '../checks/roll.ts'
import type { ScenarioFields } from '../scenario.ts'
import type { CardFields } from '../story-card.ts'
import { chapterName } from '../text/chapter.ts'
import type { Answers } from '../text/placeholder.ts'
import type { Variant } from '../variant.ts'
import type { StatSchema, WorldState } from '../world/state.ts'
import type { Receipt } from './receipt.ts'

export interface PortableScenario extends ScenarioFields {
  story_cards: CardFields[]
}

export interface PortableCard extends CardFields {
  /**
   * Origin in the scenario that is carried along: `card:<place in its story_cards, from 0>` (ids mean nothing
   * elsewhere) or `npc:<key>`; null when the player made it or nobody knows.
   */
  source_ref: string | null
}

/** An action with all its variants. Its place in the list is its index. */
export interface PortableAction {
  type: ActionType
  /** The same as that of the live variant, where there are variants. */
  text: string
  reasoning: string | null
  /** Empty for actions without a reply, and if the action itself is the only variant. */
  variants: Variant[]
  variant_index: number
  cut: Cut | null
  world_delta: Record<string, unknown> | null
  /** Null when the file does not say. */
  world_state_before: WorldState | null
  /** The roll of a line of the player; absent without a check. A version of a narration has its own. */
  roll?: Roll
  /** ISO 8601 in UTC; null when the file does not say. */
  created_at: string | null
  hidden?: boolean
  /** The name of its bookmark, '' for one without a name; absent without a bookmark. */
  mark?: string
}

export interface PortableMemory {
  text: string
  /** Former facts; absent if there are none, or the file does not say. */
  no_longer?: string
  pinned: boolean
  forgotten: boolean
  source_start: number | null
  source_end: number | null
  use_count: number
  /** True if a passage that it summarizes has changed since; absent if not, or if the file does not say. */
  stale?: boolean
}

/** Reach of a story's summary: the index of the last action in it, and its author. */
export interface PortableSummary {
  covers: number
  made_by: 'model' | 'player'
}

/** Place of an adventure in its story, so that branches that are imported together are linked again. */
export interface PortableBranch {
  /** The same in the files of all its branches. */
  family: string
  /** Its number among them. */
  id: number
  /** The one that it grew from, and the index of the last action that both share. */
  from: number | null
  at: number | null
  name: string
  color: number
  main: boolean
}

/** The actions of a story in order. A list, or a reader that holds a page of them at a time and starts again with each loop. */
export interface PortableActions extends Iterable<PortableAction> {
  readonly length: number
  entries(): Iterable<[index: number, action: PortableAction]>
}

export interface PortableAdventure<Actions extends PortableActions = PortableAction[]>
  extends AdventureFields {
  scenario: PortableScenario | null
  placeholders: Answers
  /** Pinned; null when the file does not say. */
  stat_schema: StatSchema | null
  world_state: WorldState
  story_cards: PortableCard[]
  actions: Actions
  memories: PortableMemory[]
  /** Absent when the file does not say. */
  card_proposals?: StoredProposal[]
  /** Reach of `story_summary`; absent when the file does not say, null when it covers nothing. */
  summary?: PortableSummary | null
  /** Absent in a story without branches. */
  branch?: PortableBranch
}

/** Format of a file, recognised by its bytes. */
export type FileKind =
  | 'inglenook-scenario'
  | 'inglenook-adventure'
  | 'ai-dnd-scenario-v1'
  | 'ai-dnd-adventure-v1'
  | 'ai-dnd-adventure-v2'
  | 'ai-dungeon-cards'
  | 'ai-dungeon-scenarios'
  | 'ai-dungeon-adventures'
  | 'character-card'
  | 'world-info'
  | 'sillytavern-chat'
  | 'kobold-lite'
  | 'backyard'
  | 'agnai-chat'
  | 'webui-chat'
  | 'risuai-lorebook'
  | 'risuai-chat'
  | 'novelai-lorebook'
  | 'novelai-scenario'
  | 'novelai-story'
  | 'text'
  | 'files'

/** Content of a file, before anything is written. */
export interface ImportPlan<Actions extends PortableActions = PortableAction[]> {
  kind: FileKind
  scenarios: PortableScenario[]
  adventures: PortableAdventure<Actions>[]
  /** Cards without an owner: the player chooses one. */
  story_cards: CardFields[]
  /** The name and description of the lorebook of those cards, '' for none; absent without a lorebook that can have them. */
  book?: { title: string; description: string }
  receipt: Receipt
  /** The list of items that are another form of the others, and imported only if they are chosen. */
  alternative?: 'scenarios' | 'adventures'
  /** A picture that is too large to be stored as it is, and becomes the cover once it is scaled down. */
  oversized?: Uint8Array
}

export function recordOf({
  variants,
  variant_index,
  world_delta,
}: PortableAction): Record<string, unknown> | null {
  const world = variants[variant_index]?.world_state
  if (world_delta !== null || !world) return world_delta
  const { block: _, clean: __, ...report } = isObject(world.report) ? world.report : {}
  return { delta: world.delta, ...report }
}

const MIRRORED: ReadonlySet<string> = new Set(['text', 'reasoning', 'created_at', 'cut'])

/**
 * An action without its only version, if that holds no more than the action itself: then an empty list says the same. But for
 * a heading at the beginning, of which the version tells that it is not the player's.
 */
export function withoutSoleVariant(action: PortableAction): PortableAction {
  const [sole, another] = action.variants
  if (!sole || another || Object.keys(sole).some((key) => !MIRRORED.has(key))) return action
  const isMirrored = sole.text === action.text && sole.reasoning === action.reasoning
  const isOfThen = sole.created_at === null || sole.created_at === action.created_at
  return isMirrored && isOfThen && chapterName(action.text) === null ? { ...action, variants: [] } : action
}
