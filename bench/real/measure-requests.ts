import { type Exchange, tokensRead, tokensReused } from './exchange.ts'
import { isNumber, mean, p95, shareOf, sum } from './numbers.ts'

/** What the requests of one kind cost, by the server's own numbers. */
export interface RequestCost {
  kind: string
  count: number
  readMean: number | null
  readP95: number | null
  /** Of all tokens in their prompts. */
  reusedShare: number | null
  brokenOff: number
  failed: number
}

/** The costs by kind, the turns first. */
export function requestCosts(exchanges: readonly Exchange[]): RequestCost[] {
  const groups = Map.groupBy(exchanges.filter(isWork), labelOf)
  return [...groups].map(([kind, group]) => costOf(kind, group)).sort((a, b) => order(a) - order(b))
}

// The rest asks the server what it is.
function isWork({ kind }: Exchange): boolean {
  return kind !== 'other'
}

function labelOf({ kind, action }: Exchange): string {
  if (kind !== 'story') return kind
  return action === 'retry' ? 'retry' : `turn: ${action}`
}

function costOf(kind: string, group: readonly Exchange[]): RequestCost {
  const read = group.map(tokensRead).filter(isNumber)
  const reused = group.map(tokensReused).filter(isNumber)
  return {
    kind,
    count: group.length,
    readMean: mean(read),
    readP95: p95(read),
    reusedShare: shareOf(sum(reused), sum(reused) + sum(read)),
    brokenOff: group.filter(({ brokenOff }) => brokenOff).length,
    failed: group.filter(({ status }) => status >= 400).length,
  }
}

function order({ kind }: RequestCost): number {
  if (kind.startsWith('turn')) return 0
  return kind === 'retry' ? 1 : 2
}
