import { objectIn, textsOf } from '../../../lib/objects.ts'
import { verdictsOf } from '../delta-report.ts'
import type { AdjustedValue } from '../reconcile.ts'
import type { Verdict } from '../referee.ts'

export type Values = Map<string, unknown>

export function reconciledValues(before: Values, report: unknown, after: Values): Values {
  const { added, removed, changed } = objectIn(report, 'reconciled')
  const values = new Map(before)
  for (const path of textsOf(removed))
    for (const known of before.keys())
      if (known === path || known.startsWith(`${path}.`)) values.delete(known)
  for (const path of textsOf(added)) values.set(path, after.get(path))
  for (const { path, new: value } of (Array.isArray(changed) ? changed : []) as AdjustedValue[])
    values.set(path, value)
  // A value that was added and then moved had its initial value in between.
  for (const one of verdictsOf(report).toReversed())
    if (one.verdict !== 'refused' && textsOf(added).includes(one.path)) values.set(one.path, one.old)
  return values
}

export function differences(one: Values, other: Values): string[] {
  const paths: string[] = []
  for (const [path, value] of one) if (!isSame(value, other.get(path))) paths.push(path)
  for (const [path, value] of other) if (!one.has(path) && !isSame(undefined, value)) paths.push(path)
  return paths
}

/** A milestone that the player unset is false in the record and absent from the state. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || (!one && !other && typeof (one ?? other) === 'boolean')
}

export function haveSameMoves(one: readonly Verdict[], other: readonly Verdict[]): boolean {
  const moves = (verdicts: readonly Verdict[]) =>
    verdicts.map((verdict) => [
      verdict.path,
      verdict.verdict,
      'new' in verdict ? verdict.new : verdict.reason,
    ])
  return JSON.stringify(moves(one)) === JSON.stringify(moves(other))
}

/** Ignores refused changes. */
export function haveSameValues(one: readonly Verdict[], other: readonly Verdict[]): boolean {
  const values = (verdicts: readonly Verdict[]) =>
    verdicts.flatMap((verdict) => ('new' in verdict ? [[verdict.path, verdict.new]] : []))
  return JSON.stringify(values(one)) === JSON.stringify(values(other))
}

/** A value for a finding, which shows no story text. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return 'a text'
  // Old and hand-edited files may contain anything.
  return value !== null && typeof value === 'object' ? 'an invalid value' : String(value)
}
