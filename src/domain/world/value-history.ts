import { type Static, Type } from '@sinclair/typebox'
import { isObject } from '../../lib/objects.ts'
import { nullable } from '../../lib/typebox.ts'
import { RecordedVerdict, RecorderCall, recorderCallIn, verdictsOf } from './delta-report.ts'
import type { Verdict } from './referee.ts'
import { nameOfStat, type Rules } from './rules.ts'

export const RecordedTurn = Type.Object({
  action_id: Type.Integer(),
  index: Type.Integer(),
  recorded: nullable(
    Type.String({
      description:
        'asked if the recorder answered, otherwise none; whole, cut and unread are of replies with a state block; null in old rows',
    }),
  ),
  second_call: nullable(RecorderCall),
  delta: Type.Record(Type.String(), Type.Unknown(), { description: 'The proposed changes, by path' }),
  verdicts: Type.Array(RecordedVerdict),
})
export type RecordedTurn = Static<typeof RecordedTurn>

export const HistoryPoint = Type.Object({
  action_id: Type.Integer(),
  index: Type.Integer(),
  old: Type.Unknown(),
  new: Type.Unknown(),
  verdict: Type.Unsafe<Verdict['verdict']>(Type.String()),
  because: Type.Optional(Type.String({ description: 'The sentence that tells it' })),
})
export type HistoryPoint = Static<typeof HistoryPoint>

/** Oldest first. */
export const ValueHistory = Type.Object({
  path: Type.String(),
  label: Type.String(),
  points: Type.Array(HistoryPoint),
})
export type ValueHistory = Static<typeof ValueHistory>

export function recordedTurn(action: {
  id: number
  index: number
  world_delta: Record<string, unknown> | null
}): RecordedTurn {
  const stored = action.world_delta ?? {}
  return {
    action_id: action.id,
    index: action.index,
    recorded: typeof stored.recorded === 'string' ? stored.recorded : null,
    second_call: recorderCallIn(stored),
    delta: isObject(stored.delta) ? stored.delta : {},
    verdicts: verdictsOf(stored),
  }
}

/** In the author's order. */
export function valueHistories(rules: Rules, turns: readonly RecordedTurn[]): ValueHistory[] {
  const points = new Map<string, HistoryPoint[]>()
  for (const { action_id, index, verdicts } of turns)
    for (const one of verdicts)
      if (one.verdict !== 'refused' && one.old !== one.new)
        points.set(one.path, [
          ...(points.get(one.path) ?? []),
          {
            ...{ action_id, index, old: one.old, new: one.new, verdict: one.verdict },
            ...(one.because === undefined ? {} : { because: one.because }),
          },
        ])
  const stats = rules.stats.map((stat) => ({ path: stat.path, label: nameOfStat(stat, rules.npcs) }))
  return [...stats, ...rules.flags, ...rules.milestones].flatMap(({ path, label }) => {
    const changes = points.get(path)
    return changes ? [{ path, label, points: changes }] : []
  })
}
