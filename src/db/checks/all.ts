import type { Reader } from '../database.ts'
import { attemptChecks } from './attempts.ts'
import { CELL_CHECKS } from './cells.ts'
import { type Check, type Finding, findingsOf } from './check.ts'
import { fileChecks } from './file.ts'
import { ROW_CHECKS } from './rows.ts'
import { SEARCH_CHECKS } from './search.ts'

/** Everything in a library that is not as it should be, but for what its stories count: `auditAdventure` looks at that. */
export function listFindings(reader: Reader, taken: readonly string[]): Finding[] {
  const steps = new Set(taken)
  return findingsOf(reader, checksFor(steps), steps)
}

/** The names of all checks. */
export function checkNames(): string[] {
  return checksFor(new Set()).map(({ name }) => name)
}

function checksFor(steps: ReadonlySet<string>): Check[] {
  return [...fileChecks(steps), ...ROW_CHECKS, ...CELL_CHECKS, ...attemptChecks(steps), ...SEARCH_CHECKS]
}
