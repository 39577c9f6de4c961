import { type Static, Type } from '@sinclair/typebox'
import type { Roll } from '../../checks/roll.ts'
import type { Variant } from '../../variant.ts'
import type { WorldState } from '../state.ts'

export interface AuditedAction {
  id: number
  index: number
  type: string
  text: string
  variant_index: number
  world_delta: unknown
  world_state_before: WorldState | null
  variants: Variant[]
  roll?: Roll | null
  /** True if another program wrote it. */
  is_elsewhere?: boolean
}

/** An inconsistency: at which action, and at which path ('' for the action itself). */
const AuditFinding = Type.Object({
  action_id: Type.Integer(),
  index: Type.Integer(),
  path: Type.String(),
  what: Type.String(),
})

export const Audit = Type.Object({
  ok: Type.Boolean(),
  turns: Type.Integer({ description: 'Narrations that were checked' }),
  attempts: Type.Integer({ description: 'Their variants' }),
  judged_again: Type.Integer({ description: 'Attempts judged a second time, as their schema is unchanged' }),
  findings: Type.Array(AuditFinding, { description: 'What does not add up' }),
  breaks: Type.Array(Type.Omit(AuditFinding, ['path']), {
    description: 'Where the numbers start over for a known reason: a refresh, an old row or an import',
  }),
})
export type Audit = Static<typeof Audit>
