import { foldCase } from '../../lib/fold-text.ts'
import { clamp } from '../../lib/numbers.ts'
import { type Effects, readChecks } from '../checks/check.ts'
import { PathResolver } from '../world/block/path-resolver.ts'
import { type NumberStat, type Rules, readRules, type Stat, type TextStat } from '../world/rules.ts'
import { initialValue, type StatSchema } from '../world/state.ts'

/** A value of a stat, a flag, a milestone, or of who is present. */
export type Value = number | string | boolean

/** How much one roll can change a stat. */
interface RollEffects {
  gain: number
  loss: number
  texts: string[]
}

/** How play can change the values of a schema: what the referee lets the model change in a turn, and what checks change. */
export interface Reach {
  rules: Rules
  byRolls: Map<string, RollEffects>
}

export function reachOf(schema: StatSchema | null): Reach {
  const rules = readRules(schema)
  const paths = new PathResolver(rules, { hidden: true })
  const byRolls = new Map<string, RollEffects>()
  const add = (effects: Effects, times: number) => {
    for (const [written, effect] of Object.entries(effects)) {
      const found = paths.resolve(written)
      if ('reason' in found) continue
      const known = byRolls.get(found.path) ?? { gain: 0, loss: 0, texts: [] }
      byRolls.set(found.path, withEffect(known, typeof effect === 'number' ? effect * times : effect))
    }
  }
  for (const { outcomes, reroll } of readChecks(schema)) {
    for (const { effects } of outcomes) add(effects, 1)
    // It is paid for each roll, and a player may roll again without limit.
    add(reroll ?? {}, Number.POSITIVE_INFINITY)
  }
  return { rules, byRolls }
}

function withEffect({ gain, loss, texts }: RollEffects, effect: Value): RollEffects {
  if (typeof effect === 'string') return { gain, loss, texts: [...texts, effect] }
  const amount = Number(effect)
  return { gain: Math.max(gain, amount), loss: Math.max(loss, -amount), texts }
}

/** The fewest turns in which play can bring a stat to a value; Infinity if it never can. */
export function fewestTurns(stat: Stat, value: Value, { byRolls }: Reach): number {
  const effects = byRolls.get(stat.path) ?? { gain: 0, loss: 0, texts: [] }
  if (stat.kind === 'text') return turnsToText(stat, String(value), effects)
  return typeof value === 'number' ? turnsToNumber(stat, value, effects) : Number.POSITIVE_INFINITY
}

function turnsToText(stat: TextStat, value: string, { texts }: RollEffects): number {
  const isSame = (text: unknown) => foldCase(String(text)) === foldCase(value)
  if (isSame(initialValue(stat))) return 0
  const isAllowed = stat.options?.some(isSame) ?? true
  return isAllowed && (!stat.hidden || texts.some(isSame)) ? 1 : Number.POSITIVE_INFINITY
}

function turnsToNumber(stat: NumberStat, value: number, { gain, loss }: RollEffects): number {
  const { min, max, initial, kind, hidden, cooldown, maxGain, maxLoss } = stat
  const start = clamp(initial, min, max)
  if (value === start) return 0
  const isFalling = value < start
  if (value !== clamp(value, min, max) || (isFalling && kind === 'counter')) return Number.POSITIVE_INFINITY
  const most = (isFalling ? maxLoss : maxGain) ?? Number.POSITIVE_INFINITY
  // Cooldowns are counted in actions, and a turn is a line and a reply.
  const every = Math.max(1, Math.ceil(cooldown / 2))
  return turnsFor(Math.abs(value - start), hidden ? 0 : most, isFalling ? loss : gain, every)
}

/** The turns to cover a distance, if the model covers a part every few turns, and each roll covers a part. */
function turnsFor(distance: number, byModel: number, byRoll: number, every: number): number {
  if (byModel === 0 && byRoll === 0) return Number.POSITIVE_INFINITY
  if (Math.max(byModel, byRoll) >= distance) return 1
  const covered = (turns: number) => Math.ceil(turns / every) * byModel + turns * byRoll
  // A lower bound, so that few numbers have to be tried.
  let turns = Math.max(1, Math.floor((distance - byModel) / (byModel / every + byRoll)))
  while (covered(turns) < distance - TOLERANCE) turns++
  return turns
}

/** Sums of decimal fractions are not exact. */
const TOLERANCE = 1e-9
