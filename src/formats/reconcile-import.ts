import { markOf } from '../lib/hash.ts'
import { type Audited, Auditor, IMPORT_BREAK } from '../domain/world/audit.ts'
import { isObject } from '../lib/objects.ts'
import { fitted } from '../domain/world/reconcile.ts'
import { verdictsOf } from '../domain/world/delta-report.ts'
import { hasStats, type StatSchema } from '../domain/world/state.ts'
import type { CarriedAction, CarriedAdventure } from '../domain/portable/portable.ts'

/**
 * Makes of what a file tells an adventure that can be played on: it has its schema, a state that fits it, and records that
 * agree with their attempts. Passages whose numbers do not follow from their records are marked, so that an audit of the
 * story finds what was played here and not what a file said.
 */
export function settled(adventure: CarriedAdventure): CarriedAdventure {
  const schema = adventure.stat_schema ?? adventure.scenario?.stat_schema ?? null
  const actions = adventure.actions.map(agreeing)
  if (!hasStats(schema)) return { ...adventure, stat_schema: schema, actions }
  const world_state = fitted(schema, adventure.world_state)
  const marked = withBreaks(schema, { ...adventure, world_state, actions })
  return { ...adventure, stat_schema: schema, world_state, actions: marked }
}

// What a narration lists is what its live attempt did.
function agreeing(action: CarriedAction): CarriedAction {
  const live = action.variants[action.variant_index]
  if (!live?.world_state || action.world_delta === null) return action
  const said = JSON.stringify(verdictsOf(action.world_delta))
  return said === JSON.stringify(verdictsOf(live.world_state.report))
    ? action
    : { ...action, world_delta: null }
}

function withBreaks(
  schema: StatSchema,
  { actions, world_state }: Pick<CarriedAdventure, 'actions' | 'world_state'>,
): CarriedAction[] {
  const mark = markOf(JSON.stringify(schema))
  const marked = [...actions]
  let auditor = new Auditor(schema, mark)
  for (const [at, action] of actions.entries()) {
    auditor.add(audited(action, at))
    if (auditor.findings.length === 0) continue
    marked[at] = withBreak(action)
    // From here on it goes as after a mark.
    auditor = new Auditor(schema, mark)
  }
  const last = marked.at(-1)
  if (last && !auditor.finish(world_state).ok) marked[marked.length - 1] = withBreak(last)
  return marked
}

function withBreak(action: CarriedAction): CarriedAction {
  if (action.variants.length > 0)
    return { ...action, variants: action.variants.map((one) => ({ ...one, break: IMPORT_BREAK })) }
  const kept = isObject(action.world_delta) ? action.world_delta : {}
  return { ...action, world_delta: { ...kept, break: IMPORT_BREAK } }
}

/** An action as the audit will read it. */
function audited(action: CarriedAction, index: number): Audited {
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

/** What is stored with an action of the changes of its live attempt. */
export function recordOf({
  variants,
  variant_index,
  world_delta,
}: CarriedAction): Record<string, unknown> | null {
  const world = variants[variant_index]?.world_state
  if (world_delta !== null || !world) return world_delta
  const { block: _, clean: __, ...report } = isObject(world.report) ? world.report : {}
  return { delta: world.delta, ...report }
}
