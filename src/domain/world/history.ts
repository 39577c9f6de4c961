import { isObject } from '../../lib/objects.ts'
import type { Verdict } from './referee.ts'
import { type SecondCall, secondCallIn, verdictsOf } from './delta-report.ts'
import type { Rules } from './rules.ts'

/** What an action did to the world, as its row tells. */
export interface Recorded {
  action_id: number
  index: number
  /** How the changes came: `whole`, `cut`, `unread`, `none` or `asked`; null in rows that are older than this. */
  recorded: string | null
  /** How they were asked for by themselves; null where they were not. */
  second_call: SecondCall | null
  delta: Record<string, unknown>
  verdicts: Verdict[]
}

/** One move of a value. */
export interface Point {
  action_id: number
  index: number
  old: unknown
  new: unknown
  verdict: Verdict['verdict']
}

/** How one value came to be what it is, oldest move first. */
export interface ValueHistory {
  path: string
  label: string
  points: Point[]
}

/** Reads what a row keeps of its changes. */
export function recordedAt(action: {
  id: number
  index: number
  world_delta: Record<string, unknown> | null
}): Recorded {
  const kept = action.world_delta ?? {}
  return {
    action_id: action.id,
    index: action.index,
    recorded: typeof kept.recorded === 'string' ? kept.recorded : null,
    second_call: secondCallIn(kept),
    delta: isObject(kept.delta) ? kept.delta : {},
    verdicts: verdictsOf(kept),
  }
}

/** The history of everything that is counted and has moved in these turns, in the author's order. */
export function historyOf(rules: Rules, turns: readonly Recorded[]): ValueHistory[] {
  const points = new Map<string, Point[]>()
  for (const { action_id, index, verdicts } of turns)
    for (const one of verdicts)
      if (one.verdict !== 'refused' && one.old !== one.new)
        points.set(one.path, [
          ...(points.get(one.path) ?? []),
          { action_id, index, old: one.old, new: one.new, verdict: one.verdict },
        ])
  return [...rules.stats, ...rules.flags, ...rules.milestones].flatMap(({ path, label }) => {
    const moves = points.get(path)
    return moves ? [{ path, label, points: moves }] : []
  })
}
