import { roundedNumber } from '../../lib/numbers.ts'
import { setOwn } from '../../lib/objects.ts'
import { applyManualChange } from '../world/manual-change.ts'
import { PathResolver, type StatTarget } from '../world/path-resolver.ts'
import { copyState, type RefereeResult, type Verdict } from '../world/referee.ts'
import { readRules } from '../world/rules.ts'
import { liveNumber, type StatSchema, sectionOf, type WorldState } from '../world/state.ts'
import type { Effects } from './check.ts'
import type { Roll } from './roll.ts'

/**
 * Applies the changes of a roll to a copy of the state: the price of rolling again, then the effects of its outcome. They
 * are clamped to min and max, but ignore caps and cooldowns; `turn` is the index of the narration. Without a roll
 * the state is returned as it is.
 */
export function applyRoll(
  schema: StatSchema | null,
  before: WorldState,
  roll: Pick<Roll, 'effects' | 'price' | 'rerolls'> | null,
  turn: number,
): RefereeResult {
  const verdicts: Verdict[] = []
  if (roll === null) return { after: before, verdicts }
  let after = copyState(before, schema)
  const paths = new PathResolver(readRules(schema), { hidden: true })
  for (const [path, effect] of [...Object.entries(pricePaid(roll)), ...Object.entries(roll.effects)]) {
    const found = paths.resolve(path)
    // The schema may have lost it since.
    if ('reason' in found) continue
    const value = valueAfter(after, found.target, effect)
    if (value === null) continue
    const changed = applyManualChange(schema, after, { [found.path]: value })
    after = changed.after
    if (found.target.kind === 'milestone' && changed.verdicts.length > 0)
      setOwn(sectionOf(after, 'milestones'), found.target.milestone.name, { reached: true, at: turn })
    verdicts.push(...changed.verdicts.flatMap((one) => rolled(one, effect)))
  }
  return { after, verdicts }
}

/** True if a state can pay for another roll, with what was paid already. */
export function canPay(
  schema: StatSchema | null,
  before: WorldState,
  { price, rerolls }: Pick<Roll, 'price' | 'rerolls'>,
): boolean {
  const paid = pricePaid({ price, rerolls: rerolls + 1 })
  const { verdicts } = applyRoll(schema, before, { price: {}, rerolls: 0, effects: paid }, 0)
  return Object.entries(paid).every(([path, amount]) =>
    verdicts.some((one) => one.path === path && one.verdict === 'rolled' && one.given === amount),
  )
}

function pricePaid({ price, rerolls }: Pick<Roll, 'price' | 'rerolls'>): Effects {
  if (rerolls === 0) return {}
  const paid = Object.entries(price).map(([path, amount]) => [path, roundedNumber(Number(amount) * rerolls)])
  return Object.fromEntries(paid)
}

/** The value after an effect; null if it does not fit its stat, or changes nothing. */
function valueAfter(state: WorldState, target: StatTarget, effect: Effects[string]): unknown {
  if (target.kind === 'milestone') return effect === true ? true : null
  if (target.kind === 'flag' || target.stat.kind === 'text') return effect
  if (typeof effect !== 'number') return null
  const amount = target.stat.kind === 'counter' ? Math.max(0, effect) : effect
  return liveNumber(state, target.stat) + amount
}

function rolled(one: Verdict, effect: Effects[string]): Verdict[] {
  if (one.verdict !== 'manual') return []
  const isCounted = typeof one.new === 'number' && typeof one.old === 'number'
  const given = isCounted ? roundedNumber(Number(one.new) - Number(one.old)) : one.new
  return [{ ...one, verdict: 'rolled', asked: effect, given }]
}
