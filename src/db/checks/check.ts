import type { Reader } from '../database.ts'

/** Something in a library that is not as it should be: where, and what the player can do. Not a word of a story. */
export interface Finding {
  /** The name of the check that found it. */
  check: string
  what: string
  advice: string
}

/** One thing that is looked at. */
export interface Check {
  name: string
  /** The step of the schema that brought what it looks at; files that have not taken it are not looked at. */
  since: string
  advice: string
  /** What is wrong, a phrase each; [] when nothing is. */
  find(reader: Reader): string[]
}

/** Runs the checks that a library can answer. That some cannot be run is a finding too. */
export function findingsOf(reader: Reader, checks: readonly Check[], taken: ReadonlySet<string>): Finding[] {
  const failed: string[] = []
  const findings = checks
    .filter(({ since }) => since === BASE || taken.has(since))
    .flatMap(({ name, advice, find }) => {
      try {
        return find(reader).map((what) => ({ check: name, what, advice }))
      } catch {
        // The words of the fault may quote a cell.
        failed.push(name)
        return []
      }
    })
  if (failed.length === 0) return findings
  return [
    ...findings,
    { check: UNREADABLE, what: `could not be looked at: ${failed.join(', ')}`, advice: PUT_BACK },
  ]
}

/** The name under which stands what could not be looked at. */
export const UNREADABLE = 'unreadable'

/** What a damaged file still gives; `instead` where it gives nothing. */
export function unlessDamaged<T>(instead: T, read: () => T): T {
  try {
    return read()
  } catch {
    return instead
  }
}

/** What every library has, also one that we have not opened yet. */
export const BASE = 'base'

/** The advice where nothing else helps. */
export const PUT_BACK = 'Put a copy back that is whole: npm run restore FILE.'

const LISTED = 5

/** Rows by their ids: `actions 3, 4 and 12 more`. What is no number may be a word of a story. */
export function rowsOf(table: string, ids: readonly unknown[]): string {
  const more = ids.length - LISTED
  const listed = ids.slice(0, LISTED).map((id) => (typeof id === 'number' ? id : '?'))
  return `${table} ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** A check by one query that gives the rows that are wrong, by `id`. */
export function rowCheck(
  name: string,
  since: string,
  table: string,
  what: string,
  advice: string,
  wrong: string,
): Check {
  return {
    name,
    since,
    advice,
    find: (reader) => {
      const ids = reader.all<{ id: number }>(wrong).map(({ id }) => id)
      return ids.length === 0 ? [] : [`${rowsOf(table, ids)}: ${what}`]
    },
  }
}
