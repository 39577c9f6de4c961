import type { Check } from './checks.ts'
import { countMeasures } from './measure-counts.ts'
import { type RequestCost, requestCosts } from './measure-requests.ts'
import { textMeasures } from './measure-texts.ts'
import { turnMeasures } from './measure-turns.ts'
import type { Session } from './session.ts'

/** Everything that a run measured. */
export function measuresOf({ plays, exchanges, outcome }: Session) {
  return {
    requests: requestCosts(exchanges),
    turns: turnMeasures(plays, exchanges),
    counts: countMeasures(plays, outcome),
    texts: textMeasures(plays),
    memories: outcome.memories,
    summary: outcome.summary,
  }
}

export type Measures = ReturnType<typeof measuresOf>

export function printMeasures(measures: Measures): void {
  console.table(Object.fromEntries(measures.requests.map((cost) => [cost.kind, costRow(cost)])))
  console.table(otherRows(measures))
}

function costRow(cost: RequestCost) {
  return {
    requests: cost.count,
    'read, mean': whole(cost.readMean),
    'read, p95': whole(cost.readP95),
    reused: percent(cost.reusedShare),
    'broken off': cost.brokenOff,
    refused: cost.failed,
  }
}

function otherRows({ turns, counts, texts, memories, summary }: Measures): Record<string, string> {
  const { afterBackground, otherwise, readOnlyNew } = turns
  return {
    'first words after background work, median and p95': waits(afterBackground),
    'first words of the other turns, median and p95': waits(otherwise),
    'turns that read only what is new': `${percent(readOnlyNew.share)} (${readOnlyNew.count} of ${readOnlyNew.of})`,
    'stored counts that differ': `${counts.storedWrong} of ${counts.compared}, insights ${counts.insightsWrong}`,
    'prompts counted wrongly before they were sent': `${counts.countedWrong} of ${counts.counted}`,
    'memories made': String(memories),
    'summary made': summary ? 'yes' : 'no',
    'shown, but not prose': `${percent(texts.notProseStreamed)} streamed, ${percent(texts.notProseStored)} stored`,
    'passages with it':
      Object.entries(texts.kinds)
        .map((one) => one.join(' '))
        .join(', ') || 'none',
    'loops shown': `${texts.loops} of ${texts.passages} passages`,
  }
}

/** Prints what does not hold, then one line for all checks. Returns the number of failed checks. */
export function printChecks(checks: readonly Check[]): number {
  const failed = checks.filter(({ problems }) => problems.length > 0)
  for (const { name, problems } of failed) {
    console.log(`Not so: ${name}.`)
    for (const problem of problems) console.log(`  ${problem}`)
  }
  console.log(`${checks.length - failed.length} passed, ${failed.length} failed`)
  return failed.length
}

function waits({ count, median, p95 }: { count: number; median: number | null; p95: number | null }): string {
  return count === 0 ? 'no such turn' : `${seconds(median)}, ${seconds(p95)} (${count} turns)`
}

function seconds(milliseconds: number | null): string {
  return milliseconds === null ? '–' : `${(milliseconds / 1_000).toFixed(1)} s`
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`
}

function whole(value: number | null): string {
  return value === null ? '–' : value.toFixed(0)
}
