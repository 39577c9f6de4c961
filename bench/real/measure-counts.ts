import { promptTokens, replyTokens } from './exchange.ts'
import type { Play } from './play.ts'
import type { Outcome } from './session.ts'

export interface CountMeasures {
  compared: number
  /** Turns whose stored counts differ from what the server said. */
  storedWrong: number
  /** Prompts that the service had counted before it sent them, and those of them that it had counted wrongly. */
  counted: number
  countedWrong: number
  /** Numbers in the insights that the server never said. */
  insightsWrong: number
}

export function countMeasures(plays: readonly Play[], { insights }: Outcome): CountMeasures {
  const told = plays.filter((play) => !play.error && saidTokens(play) !== null)
  const counted = told.filter(({ stored }) => typeof stored?.counted === 'number')
  return {
    compared: told.length,
    storedWrong: told.filter(isStoredWrong).length,
    counted: counted.length,
    countedWrong: counted.filter((play) => play.stored?.counted !== saidTokens(play)).length,
    insightsWrong: neverSaid(plays, insights).length,
  }
}

/** Whether the service stored other counts than the server said. */
export function isStoredWrong(play: Play): boolean {
  const { stored, request } = play
  const said = saidTokens(play)
  if (request === null || said === null) return false
  return stored?.prompt_tokens !== said || stored.completion_tokens !== replyTokens(request)
}

/**
 * The turns in the insights with a count that no request had. Of a reply that was not read to its end the server may have
 * said nothing; the insights then give an estimate.
 */
export function neverSaid(
  plays: readonly Play[],
  insights: Outcome['insights'],
): Outcome['insights'][number] {
  const said = new Set(plays.map(saidTokens))
  const estimated = plays.filter((play) => play.request && saidTokens(play) === null).length
  return insights
    .flat()
    .filter(({ prompt }) => !said.has(prompt))
    .slice(estimated)
}

export function saidTokens({ request }: Play): number | null {
  return request && promptTokens(request)
}
