import type { Verdict } from '../world/referee.ts'
import type { Rules } from '../world/rules.ts'
import { plainText } from '../world/state.ts'
import type { Roll } from './roll.ts'

/** A roll in brief: "Pick the lock (hard): 4 + 3 + 2 = 9 against 12". */
export function rollWords({ check, difficulty, thrown, stat, bonus, total, against }: Roll): string {
  const added = stat === null ? '' : bonus < 0 ? ` − ${-bonus}` : ` + ${bonus}`
  const sum = `${thrown.join(' + ')}${added}`
  const equals = sum === String(total) ? '' : ` = ${total}`
  return plainText(`${check} (${difficulty}): ${sum}${equals} against ${against}`)
}

/** A roll with its outcome: "Climb (hard): 12 against 10, you are up". */
export function rollWithOutcome(roll: Roll): string {
  return `${rollWords(roll)}, ${plainText(roll.outcome)}`
}

export const DICE_NOTE = '[Dice. '

export const OUTCOME = 'Outcome: '

/** `verdicts` are those on the effects, which are applied already. Hidden stats are not mentioned. */
export function rollNote(roll: Roll, verdicts: readonly Verdict[], { stats }: Rules): string {
  const hidden = new Set(stats.filter((stat) => stat.hidden).map(({ path }) => path))
  const counted = verdicts.flatMap((one) =>
    one.verdict === 'rolled' && !hidden.has(one.path) ? [countedWords(one)] : [],
  )
  const effects =
    counted.length === 0 ? '' : ` Counted already, so leave it out of your block: ${counted.join(', ')}.`
  const outcome = `${OUTCOME}${plainText(roll.outcome)}.`
  return `${DICE_NOTE}${rollWords(roll)}. ${outcome} This is decided: tell how it comes about.${effects}]`
}

function countedWords({ path, given, new: value }: Extract<Verdict, { verdict: 'rolled' }>): string {
  if (typeof given !== 'number') return `${path} ${String(value)}`
  return `${path} ${given < 0 ? '' : '+'}${given} (now ${String(value)})`
}
