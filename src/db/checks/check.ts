import { commandLine } from '../../lib/project.ts'
import type { Reader } from '../database.ts'

/** Something wrong in a library: where, and what the player can do. Never contains text of a story. */
export interface DoctorFinding {
  check: string
  what: string
  advice: string
}

export interface DoctorCheck {
  name: string
  /** The migration that added what is checked. Files without it skip the check. */
  since: string
  advice: string
  /** One phrase for each finding; [] if all is well. Stories in `unfinished` may lack passages. */
  find(reader: Reader, unfinished: ReadonlySet<unknown>): string[]
}

/** Runs the checks that apply to a library. Checks that fail to run are a finding too. */
export function findingsOf(
  reader: Reader,
  checks: readonly DoctorCheck[],
  applied: ReadonlySet<string>,
  unfinished: ReadonlySet<unknown>,
): DoctorFinding[] {
  const failed: string[] = []
  const findings = checks
    .filter(({ since }) => since === BASE || applied.has(since))
    .flatMap(({ name, advice, find }) => {
      try {
        return find(reader, unfinished).map((what) => ({ check: name, what, advice }))
      } catch {
        // The error is not reported, because its message may quote a cell.
        failed.push(name)
        return []
      }
    })
  if (failed.length === 0) return findings
  const what = `these checks could not be run: ${failed.join(', ')}`
  return [...findings, { check: 'unreadable', what, advice: RESTORE }]
}

/** The result of `read`, or `fallback` if the file is too damaged for it. */
export function unlessDamaged<T>(fallback: T, read: () => T): T {
  try {
    return read()
  } catch {
    return fallback
  }
}

/** `since` of a check that applies to every library, even one that we have not opened yet. */
export const BASE = 'base'

/** The advice when nothing else helps. */
export const RESTORE = `Restore an intact backup: ${commandLine('restore FILE')}.`

const MAX_LISTED = 5

/** A phrase about some rows, `actions 3, 4 and 12 more: the ...`; [] if there are none. */
export function rowFinding(table: string, rows: readonly { id: unknown }[], what: string): string[] {
  if (rows.length === 0) return []
  // An id that is not a number may be text of a story.
  const listed = rows.slice(0, MAX_LISTED).map(({ id }) => (typeof id === 'number' ? id : '?'))
  const more = rows.length - listed.length
  return [`${table} ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${what}`]
}
