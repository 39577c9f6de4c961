import { type Static, Type } from '@sinclair/typebox'
import { roundedNumber } from '../lib/numbers.ts'
import { nullable, oneOf, Time } from '../lib/typebox.ts'
import { Roll } from './checks/roll.ts'
import { verdictsOf, whyNotRecorded } from './world/delta-report.ts'
import type { Verdict } from './world/referee.ts'
import { REFUSAL_WORDS } from './world/refusal-words.ts'

/** Imported files may have other values. */
export type ActionType = 'start' | 'do' | 'say' | 'story' | 'ai' | (string & {})

export type PlayerLineType = 'do' | 'say' | 'story'

/** The types of a turn. `continue` stores no action of its own, and `try` a `do` with a roll. */
export type TurnType = ComposerType | 'continue'

export type ComposerType = PlayerLineType | 'try'

export const NARRATION_TYPES = ['ai', 'story', 'start'] as const

/** Reasons for an early end: the maximum length, the player's stop, a repetition, or writing the player's part. */
export const CUTS = ['length', 'stopped', 'repeated', 'player'] as const
export type Cut = (typeof CUTS)[number]

/** An action without the columns that grow with its variants and prompts. */
export interface Action extends Omit<ActionView, 'world_changes' | 'not_recorded' | 'roll' | 'waiting'> {
  world_delta: Record<string, unknown> | null
  /** The roll of a line, or of the narration that tells its outcome. */
  roll: Roll | null
}

const changed = {
  path: Type.String(),
  label: Type.String({ description: 'The names in the path, separated by spaces' }),
  reason: Type.Optional(Type.String({ description: 'Why the result differs from what was asked' })),
  because: Type.Optional(Type.String({ description: 'The sentence of the passage that tells it' })),
}

const moved = { ...changed, verdict: oneOf(['applied', 'corrected', 'limited', 'manual', 'rolled']) }

/** A change to the world at an action, with the reason why it was not more. */
export const WorldChange = Type.Union([
  Type.Object({
    kind: Type.Literal('stat'),
    ...moved,
    delta: nullable(Type.Number({ description: 'How far a number moved; null for text' })),
    value: Type.Unknown(),
    asked: Type.Unknown(),
    clamped: Type.Boolean(),
  }),
  Type.Object({ kind: oneOf(['flag', 'milestone']), ...moved, on: Type.Boolean() }),
  Type.Object({
    kind: Type.Literal('rejected'),
    ...changed,
    asked: Type.Unknown(),
    verdict: Type.Literal('refused'),
  }),
])

export type WorldChange = Static<typeof WorldChange>

export const ActionView = Type.Object({
  id: Type.Integer(),
  adventure_id: Type.Integer(),
  index: Type.Integer(),
  type: Type.Unsafe<ActionType>(Type.String()),
  text: Type.String(),
  reasoning: nullable(Type.String()),
  world_changes: Type.Array(WorldChange),
  not_recorded: Type.Optional(
    Type.String({ description: 'Why the changes of this passage were not recorded; absent if they were' }),
  ),
  variant_count: Type.Integer({ description: 'Attempts: at least 1 for a narration, otherwise 0' }),
  variant_index: Type.Integer(),
  cut: nullable(oneOf(CUTS, 'Why the passage ends early')),
  roll: Type.Optional(
    Type.Unsafe<Roll>({ ...Roll, description: 'What the dice decided about it; absent without a check' }),
  ),
  steering: nullable(Type.String({ description: 'The note to the narrator that it was told with' })),
  hidden: Type.Boolean({ description: 'It stays in the story, and the narrator is not told it' }),
  waiting: Type.Boolean({ description: 'The player’s newest line has no reply yet' }),
  created_at: Time,
})

export type ActionView = Static<typeof ActionView>

export const ActionPage = Type.Object({
  actions: Type.Array(ActionView),
  total: Type.Integer(),
  has_more: Type.Boolean(),
})

export type ActionPage = Static<typeof ActionPage>

/** `newest`: the action is the last one of the story. */
export function actionView(action: Action, newest: boolean): ActionView {
  const { world_delta, roll, ...fields } = action
  const notRecorded = whyNotRecorded(world_delta)
  return {
    ...fields,
    world_changes: verdictsOf(world_delta).map(worldChange),
    ...(roll && { roll }),
    ...(notRecorded === '' ? {} : { not_recorded: notRecorded }),
    variant_count: action.type === 'ai' ? Math.max(1, action.variant_count) : action.variant_count,
    waiting: newest && isPlayerLine(action.type),
  }
}

export function isPlayerLine(type: ActionType): type is PlayerLineType {
  return type === 'do' || type === 'say' || type === 'story'
}

export function worldChange(verdict: Verdict): WorldChange {
  const { path } = verdict
  const [section, ...names] = path.split('.')
  const label = names.length === 0 ? path : names.join(' ')
  const told = verdict.because === undefined ? {} : { because: verdict.because }
  if (verdict.verdict === 'refused')
    return {
      kind: 'rejected',
      path,
      label,
      asked: verdict.asked,
      reason: REFUSAL_WORDS[verdict.reason],
      verdict: 'refused',
      ...told,
    }
  const { verdict: outcome, old, new: value, asked } = verdict
  const common = {
    path,
    label,
    verdict: outcome,
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
    ...told,
  }
  if (section === 'flags' || section === 'milestones')
    return { kind: section === 'flags' ? 'flag' : 'milestone', on: value === true, ...common }
  const delta = typeof old === 'number' && typeof value === 'number' ? roundedNumber(value - old) : null
  return { kind: 'stat', delta, value, asked, clamped: outcome === 'limited', ...common }
}
