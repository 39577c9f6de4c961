import { sha256 } from '../../lib/hash.ts'
import { ownValue } from '../../lib/objects.ts'
import { conditionFact, type TimedMoment } from './conditions.ts'
import { cardKey, type TimedCard } from './record.ts'
import type { How, Timing } from './timing.ts'

/** Decision about a timed card, with the reason for the player. */
export interface Standing {
  isDue: boolean
  /** It began earlier and stays, so it needs no trigger again. */
  stays: boolean
  why: () => string[]
}

export interface StoryMoment extends TimedMoment {
  /** Null where nothing is rolled, as in a trial. */
  seed: string | null
}

/** Depends on nothing but the story, so an undo or a branch needs nothing else. */
export function standingOf(card: TimedCard & { timing: Timing }, moment: StoryMoment): Standing {
  const beforeChance = standingBeforeChance(card, moment)
  const { chance } = card.timing.how
  if (!beforeChance.isDue || beforeChance.stays || chance === undefined) return beforeChance
  if (moment.seed === null)
    return away(() => [...beforeChance.why(), `its chance of ${chance}% is rolled when the turn is played`])
  const rolled = rollOf(cardKey(card), moment.seed, moment.turn)
  return {
    ...beforeChance,
    isDue: rolled <= chance,
    why: () => [...beforeChance.why(), `rolled ${rolled} for a chance of ${chance}%`],
  }
}

/** From 1 to 100. The same turn always rolls the same, so a retry agrees with its passage. */
export function rollOf(key: string, seed: string, turn: number): number {
  return (Number.parseInt(sha256(JSON.stringify([seed, turn, key]), 'hex').slice(0, 12), 16) % 100) + 1
}

function standingBeforeChance(card: TimedCard & { timing: Timing }, moment: TimedMoment): Standing {
  const { when, how } = card.timing
  const began = ownValue(moment.record?.began ?? {}, cardKey(card))
  const since = typeof began === 'number' ? began : null
  const past = since === null ? null : pastStanding(how, since, moment.turn)
  if (past) return past
  if (moment.turn <= (how.begins ?? 0)) return away(() => [`begins after turn ${how.begins}`])
  const calls = how.check === undefined || moment.callers === 'all' || moment.callers?.key === cardKey(card)
  if (!calls)
    return away(() => [`it calls for the check “${how.check}”, and waits for a line that tries nothing`])
  const facts = when.map((condition) => conditionFact(condition, moment))
  const isDue = facts.every(({ holds }) => holds)
  return {
    isDue,
    stays: false,
    why: () => facts.filter(({ holds }) => holds === isDue).map(({ words }) => words()),
  }
}

/** The state that follows from an earlier inclusion; null if the card may be included again. */
function pastStanding({ once, stays = 1, rests = 0 }: How, since: number, turn: number): Standing | null {
  const end = since + stays
  if (turn < end) return { isDue: true, stays: true, why: () => [`stays until turn ${end - 1}`] }
  if (once) return away(() => ['included once already'])
  return turn < end + rests ? away(() => [`rests until turn ${end + rests - 1}`]) : null
}

function away(why: () => string[]): Standing {
  return { isDue: false, stays: false, why }
}
