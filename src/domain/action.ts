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
  world_delta: { applied?: unknown } | null
  variant_count: number
  variant_index: number
  cut: Cut | null
  created_at: string
}

/** A change of the world that a narration brought, for the chips below it. */
export type WorldChange =
  | { kind: 'stat'; label: string; delta: number | null; value: unknown }
  | { kind: 'flag'; label: string; on: boolean }
  | { kind: 'milestone'; label: string }

/** An action as both faces show it. */
export interface ActionView {
  id: number
  adventure_id: number
  index: number
  type: ActionType
  text: string
  reasoning: string | null
  world_changes: WorldChange[]
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
  return {
    ...shown,
    world_changes: worldChanges(world_delta),
    variant_count: action.type === 'ai' ? Math.max(1, action.variant_count) : action.variant_count,
    waiting: newest && isPlayerLine(action.type),
  }
}

/** Whether the words are the player's own. */
export function isPlayerLine(type: ActionType): type is PlayerLineType {
  return type === 'do' || type === 'say' || type === 'story'
}

function worldChanges(delta: Action['world_delta']): WorldChange[] {
  const applied = Array.isArray(delta?.applied) ? delta.applied : []
  return applied.flatMap((entry) => {
    const { path, old, new: value } = (entry ?? {}) as { path?: unknown; old?: unknown; new?: unknown }
    return typeof path === 'string' ? [worldChange(path, old, value)] : []
  })
}

function worldChange(path: string, old: unknown, value: unknown): WorldChange {
  const [section, ...names] = path.split('.')
  const label = names.join(' ')
  if (section === 'flags') return { kind: 'flag', label, on: value === true }
  if (section === 'milestones') return { kind: 'milestone', label }
  const delta = typeof old === 'number' && typeof value === 'number' ? value - old : null
  return { kind: 'stat', label, delta, value }
}
