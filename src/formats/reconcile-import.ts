import type { PortableAction, PortableAdventure } from '../domain/portable/portable.ts'
import { type AuditedAction, Auditor, IMPORT_BREAK } from '../domain/world/audit.ts'
import { verdictsOf } from '../domain/world/delta-report.ts'
import { reconciledState } from '../domain/world/reconcile.ts'
import { hasStats, type StatSchema } from '../domain/world/state.ts'
import { hashOf } from '../lib/hash.ts'
import { isObject } from '../lib/objects.ts'

/**
 * Makes an imported adventure playable: it gets its schema, a state that fits it, and records that agree with their
 * versions. Passages whose numbers do not follow from their records are flagged, so that an audit reports only what was
 * played here.
 */
export function reconciledAdventure(adventure: PortableAdventure): PortableAdventure {
  const schema = adventure.stat_schema ?? adventure.scenario?.stat_schema ?? null
  const actions = adventure.actions.map(agreeing)
  if (!hasStats(schema)) return { ...adventure, stat_schema: schema, actions }
  const world_state = reconciledState(schema, adventure.world_state)
  const marked = withBreaks(schema, { ...adventure, world_state, actions })
  return { ...adventure, stat_schema: schema, world_state, actions: marked }
}

// The record of a narration must be that of its live version.
function agreeing(action: PortableAction): PortableAction {
  const live = action.variants[action.variant_index]
  if (!live?.world_state || action.world_delta === null) return action
  const said = JSON.stringify(verdictsOf(action.world_delta))
  return said === JSON.stringify(verdictsOf(live.world_state.report))
    ? action
    : { ...action, world_delta: null }
}

function withBreaks(
  schema: StatSchema,
  { actions, world_state }: Pick<PortableAdventure, 'actions' | 'world_state'>,
): PortableAction[] {
  const mark = hashOf(JSON.stringify(schema))
  const marked = [...actions]
  let auditor = new Auditor(schema, mark)
  for (const [at, action] of actions.entries()) {
    auditor.add(audited(action, at))
    if (auditor.findings.length === 0) continue
    marked[at] = withBreak(action)
    // The audit starts over behind a flagged passage.
    auditor = new Auditor(schema, mark)
  }
  const last = marked.at(-1)
  if (last && !auditor.finish(world_state).ok) marked[marked.length - 1] = withBreak(last)
  return marked
}

function withBreak(action: PortableAction): PortableAction {
  if (action.variants.length > 0)
    return { ...action, variants: action.variants.map((one) => ({ ...one, break: IMPORT_BREAK })) }
  const kept = isObject(action.world_delta) ? action.world_delta : {}
  return { ...action, world_delta: { ...kept, break: IMPORT_BREAK } }
}

/** An action in the form that the audit reads. */
function audited(action: PortableAction, index: number): AuditedAction {
  const { type, text, variant_index, world_state_before, variants } = action
  return {
    id: index,
    index,
    type,
    text,
    variant_index,
    world_delta: recordOf(action),
    world_state_before,
    variants,
  }
}

/** The record of the live version that is stored with an action. */
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
