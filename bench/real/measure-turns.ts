import { BACKGROUND } from './classify.ts'
import { type Exchange, tokensRead } from './exchange.ts'
import { isNumber, median, p95, shareOf } from './numbers.ts'
import { isTurn, type Play } from './play.ts'

interface Waits {
  count: number
  /** Milliseconds to the first words. */
  median: number | null
  p95: number | null
}

export interface TurnMeasures {
  afterBackground: Waits
  otherwise: Waits
  /** Turns that read no more than the new line, its notes and a margin. */
  readOnlyNew: { count: number; of: number; share: number | null }
}

/** Tokens that a turn may read besides the new line and its notes: the chat template, and a seam between two texts. */
export const MARGIN = 64

export function turnMeasures(plays: readonly Play[], exchanges: readonly Exchange[]): TurnMeasures {
  const { after = [], otherwise = [] } = Object.groupBy(turnsWithStart(plays), ({ play, since }) =>
    exchanges.some((exchange) => wasBackground(exchange, since, play.began)) ? 'after' : 'otherwise',
  )
  return {
    afterBackground: waitsOf(after.map(({ play }) => play)),
    otherwise: waitsOf(otherwise.map(({ play }) => play)),
    readOnlyNew: readOnlyNew(plays),
  }
}

/** Every turn, and when the turn before it ended. */
function turnsWithStart(plays: readonly Play[]) {
  const turns = plays.filter(isTurn)
  return turns.map((play, at) => ({ play, since: turns[at - 1]?.ended ?? 0 }))
}

function wasBackground({ kind, began, ended }: Exchange, since: number, until: number): boolean {
  return BACKGROUND.includes(kind) && began < until && (ended ?? until) > since
}

function waitsOf(plays: readonly Play[]): Waits {
  const waits = plays.map(({ firstWords }) => firstWords).filter(isNumber)
  return { count: plays.length, median: median(waits), p95: p95(waits) }
}

function readOnlyNew(plays: readonly Play[]): TurnMeasures['readOnlyNew'] {
  const excess = plays.map(readBesidesNew).filter(isNumber)
  const count = excess.filter((tokens) => tokens <= MARGIN).length
  return { count, of: excess.length, share: shareOf(count, excess.length) }
}

function readBesidesNew({ first, newTokens }: Play): number | null {
  const read = first && tokensRead(first)
  return read === null || newTokens === null ? null : read - newTokens
}
