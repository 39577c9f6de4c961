import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../lib/typebox.ts'
import { worldChange } from '../action.ts'
import type { Roll } from '../checks/roll.ts'
import { rollWithOutcome } from '../checks/roll-words.ts'
import { changeWords, withSentence } from './change-words.ts'
import { verdictsOf } from './delta-report.ts'
import type { Verdict } from './referee.ts'
import { bandOf, type NumberStat, type Rules } from './rules.ts'

/** An important event of a story: a roll, a milestone, a flag, or a large change of a number. */
export const StoryEvent = Type.Object({
  action_id: Type.Integer(),
  index: Type.Integer(),
  kind: oneOf(['roll', 'milestone', 'flag', 'change']),
  words: Type.String({ description: 'What happened, as the page says it' }),
})
export type StoryEvent = Static<typeof StoryEvent>

interface TurnRecord {
  id: number
  index: number
  world_delta: Record<string, unknown> | null
  roll: Roll | null
}

/** Share of its range from which a change of a number without labels is large. */
const GREAT = 0.25

/** The roll first, then changes in their order. */
export function eventsOf(rules: Rules, { id, index, world_delta, roll }: TurnRecord): StoryEvent[] {
  const event = (kind: StoryEvent['kind'], words: string) => ({ action_id: id, index, kind, words })
  const changes = verdictsOf(world_delta).flatMap((verdict) => {
    const kind = kindOf(rules, verdict)
    return kind === null ? [] : [event(kind, wordsOf(rules, verdict))]
  })
  return [...(roll ? [event('roll', rollWithOutcome(roll))] : []), ...changes]
}

function kindOf(rules: Rules, verdict: Verdict): Exclude<StoryEvent['kind'], 'roll'> | null {
  if (verdict.verdict === 'refused' || verdict.old === verdict.new) return null
  const { kind, path } = worldChange(verdict)
  if (kind === 'milestone' || kind === 'flag') return kind
  const stat = rules.stats.find((one) => one.path === path)
  const isNumber = stat !== undefined && stat.kind !== 'text' && typeof verdict.old === 'number'
  return isNumber && isGreat(stat, Number(verdict.old), Number(verdict.new)) ? 'change' : null
}

/** With labels, a change of the label is large; else a large share of the range. */
function isGreat(stat: NumberStat, old: number, next: number): boolean {
  if (stat.bands.length > 0) return bandOf(stat, old) !== bandOf(stat, next)
  const { min, max } = stat
  return min !== null && max !== null && Math.abs(next - old) >= GREAT * (max - min)
}

function wordsOf(rules: Rules, verdict: Verdict): string {
  const change = worldChange(verdict)
  const words = changeWords(change, rules)
  const stat = rules.stats.find(({ path }) => path === change.path)
  const band =
    stat && stat.kind !== 'text' && change.kind === 'stat' ? bandOf(stat, Number(change.value)) : null
  return withSentence(band === null ? words : `${words} (${band})`, change)
}
