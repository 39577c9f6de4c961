import { tidy } from '../lib/numbers.ts'
import type { Verdict } from './world/referee.ts'
import { REFUSED } from './world/prompt/refusal-note.ts'
import { verdictsOf, whyNotRecorded } from './world/delta-report.ts'

/** How an action came about. Files from elsewhere may hold other words. */
export type ActionType = 'start' | 'do' | 'say' | 'story' | 'ai' | (string & {})

/** The types of a player's own words. */
export type PlayerLineType = 'do' | 'say' | 'story'

/** What a player may ask of a turn; `continue` stores no action of its own. */
export type TurnType = PlayerLineType | 'continue'

/** The types that are "the story's latest narration" (specification 2, "Action"). */
export const NARRATION_TYPES = ['ai', 'story', 'start'] as const

/** Why a reply ends early: the model's limit, or the player. */
export type Cut = 'length' | 'stopped'

/** One action as lists carry it: no column that grows with attempts or prompts. */
export interface Action {
  id: number
  adventure_id: number
  index: number
  type: ActionType
  text: string
  reasoning: string | null
  world_delta: Record<string, unknown> | null
  variant_count: number
  variant_index: number
  cut: Cut | null
  created_at: string
}

/** A change of the world at an action, for the chips below it: what happened, and why not more (sheet 4.3). */
export type WorldChange = {
  path: string
  /** The names in the path, with spaces between them. */
  label: string
  /** Why it came out otherwise than asked; absent when it did not. */
  reason?: string
} & (
  | {
      kind: 'stat'
      /** By how much a number moved; null for a text. */
      delta: number | null
      value: unknown
      asked: unknown
      clamped: boolean
      verdict: Moved
    }
  | { kind: 'flag' | 'milestone'; on: boolean; verdict: Moved }
  | { kind: 'rejected'; asked: unknown; verdict: 'refused' }
)

type Moved = Exclude<Verdict['verdict'], 'refused'>

/** An action as both faces show it. */
export interface ActionView {
  id: number
  adventure_id: number
  index: number
  type: ActionType
  text: string
  reasoning: string | null
  world_changes: WorldChange[]
  /** Why what the passage changed is not recorded, in a sentence; absent when it is, or when nobody asked for it. */
  not_recorded?: string
  /** Attempts; 1 for a narration that was never retried, 0 for everything else. */
  variant_count: number
  variant_index: number
  cut: Cut | null
  /** The player's words wait for an answer: nothing follows them. */
  waiting: boolean
  created_at: string
}

export interface ActionPage {
  actions: ActionView[]
  total: number
  has_more: boolean
}

/** An action as it is shown. `newest` tells whether it ends the story. */
export function actionView(action: Action, newest: boolean): ActionView {
  const { world_delta, ...shown } = action
  const notRecorded = whyNotRecorded(world_delta)
  return {
    ...shown,
    world_changes: verdictsOf(world_delta).map(worldChange),
    ...(notRecorded === '' ? {} : { not_recorded: notRecorded }),
    variant_count: action.type === 'ai' ? Math.max(1, action.variant_count) : action.variant_count,
    waiting: newest && isPlayerLine(action.type),
  }
}

/** Whether the words are the player's own. */
export function isPlayerLine(type: ActionType): type is PlayerLineType {
  return type === 'do' || type === 'say' || type === 'story'
}

/** A verdict as a chip shows it. */
export function worldChange(verdict: Verdict): WorldChange {
  const { path } = verdict
  const [section, ...names] = path.split('.')
  const label = names.length === 0 ? path : names.join(' ')
  if (verdict.verdict === 'refused')
    return {
      kind: 'rejected',
      path,
      label,
      asked: verdict.asked,
      reason: REFUSED[verdict.reason],
      verdict: 'refused',
    }
  const { verdict: moved, old, new: value, asked } = verdict
  const common = {
    path,
    label,
    verdict: moved,
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
  }
  if (section === 'flags' || section === 'milestones')
    return { kind: section === 'flags' ? 'flag' : 'milestone', on: value === true, ...common }
  const delta = typeof old === 'number' && typeof value === 'number' ? tidy(value - old) : null
  return { kind: 'stat', delta, value, asked, clamped: moved === 'limited', ...common }
}
