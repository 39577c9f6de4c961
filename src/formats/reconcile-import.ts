import {
  type PortableAction,
  type PortableActions,
  type PortableAdventure,
  recordOf,
  withoutSoleVariant,
} from '../domain/portable/portable.ts'
import type { AuditedAction } from '../domain/world/audit/audit.ts'
import { Auditor, IMPORT_BREAK } from '../domain/world/audit/auditor.ts'
import { verdictsOf } from '../domain/world/delta-report.ts'
import { reconciledState } from '../domain/world/reconcile.ts'
import { hasStats, type StatSchema, type WorldState } from '../domain/world/state.ts'
import { hashOf } from '../lib/hash.ts'
import { isObject } from '../lib/objects.ts'

/**
 * Makes an imported adventure playable: it gets its schema, a state that fits it, and records that agree with their
 * versions. Passages whose numbers do not follow from their records are flagged, so that an audit reports only what was
 * played here.
 */
export function reconciledAdventure(adventure: PortableAdventure): PortableAdventure {
  const actions = adventure.actions.map(agreeing)
  const { fields, reconcile } = reconciliation({ ...adventure, actions })
  return { ...adventure, ...fields, actions: actions.map(reconcile) }
}

/** The same for {@link agreeing} actions that are read one by one: what becomes of the adventure, and of each action. */
export function reconciliation({
  stat_schema,
  scenario,
  world_state,
  actions,
}: Pick<PortableAdventure<PortableActions>, 'stat_schema' | 'scenario' | 'world_state' | 'actions'>) {
  const schema = stat_schema ?? scenario?.stat_schema ?? null
  if (!hasStats(schema))
    return { fields: { stat_schema: schema }, reconcile: (action: PortableAction) => action }
  const state = reconciledState(schema, world_state)
  const broken = positionsOfBreaks(schema, actions, state)
  return {
    fields: { stat_schema: schema, world_state: state },
    reconcile: (action: PortableAction, position: number) =>
      broken.has(position) ? withBreak(action) : action,
  }
}

/** An only version is not stored beside its action, and the record of a narration must be that of its live version. */
export function agreeing(imported: PortableAction): PortableAction {
  const action = withoutSoleVariant(imported)
  const live = action.variants[action.variant_index]
  if (!live?.world_state || action.world_delta === null) return action
  const said = JSON.stringify(verdictsOf(action.world_delta))
  return said === JSON.stringify(verdictsOf(live.world_state.report))
    ? action
    : { ...action, world_delta: null }
}

function positionsOfBreaks(schema: StatSchema, actions: PortableActions, state: WorldState): Set<number> {
  const mark = hashOf(JSON.stringify(schema))
  const broken = new Set<number>()
  let auditor = new Auditor(schema, mark)
  for (const [position, action] of actions.entries()) {
    auditor.add(audited(action, position))
    if (auditor.findings.length === 0) continue
    broken.add(position)
    // The audit starts over after a flagged passage.
    auditor = new Auditor(schema, mark)
  }
  if (actions.length > 0 && !auditor.finish(state).ok) broken.add(actions.length - 1)
  return broken
}

function withBreak(action: PortableAction): PortableAction {
  if (action.variants.length > 0)
    return { ...action, variants: action.variants.map((one) => ({ ...one, break: IMPORT_BREAK })) }
  const kept = isObject(action.world_delta) ? action.world_delta : {}
  return { ...action, world_delta: { ...kept, break: IMPORT_BREAK } }
}

/** An action in the form that the audit reads. */
function audited(action: PortableAction, index: number): AuditedAction {
  const { type, text, variant_index, world_state_before, variants, roll } = action
  return {
    id: index,
    index,
    type,
    text,
    variant_index,
    world_delta: recordOf(action),
    world_state_before,
    variants,
    ...(roll && { roll }),
  }
}
