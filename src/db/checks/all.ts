import type { Reader } from '../database.ts'
import { CELL_CHECKS } from './cell-values.ts'
import { type DoctorCheck, type DoctorFinding, findingsOf } from './check.ts'
import { fileChecks } from './file.ts'
import { ROW_CHECKS } from './rows.ts'
import { SEARCH_CHECKS } from './search.ts'
import { variantChecks } from './variants.ts'

/** Everything that is wrong in a library, except for the world state of its stories: see `auditAdventure`. */
export function listFindings(
  reader: Reader,
  appliedMigrations: readonly string[],
  unfinished: ReadonlySet<unknown> = new Set(),
): DoctorFinding[] {
  const applied = new Set(appliedMigrations)
  return findingsOf(reader, checksFor(applied), applied, unfinished)
}

export function checkNames(): string[] {
  return checksFor(new Set()).map(({ name }) => name)
}

function checksFor(applied: ReadonlySet<string>): DoctorCheck[] {
  return [...fileChecks(applied), ...ROW_CHECKS, ...CELL_CHECKS, ...variantChecks(applied), ...SEARCH_CHECKS]
}
