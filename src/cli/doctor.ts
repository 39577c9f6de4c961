import { statSync } from 'node:fs'
import { version } from '../../package.json'
import type { DoctorReport } from '../app/files/doctor.ts'
import { readConfig } from '../config.ts'
import { limitsFor, runLimited } from '../db/library/trial/limited.ts'
import { printLine } from '../lib/print.ts'
import { programUrl } from '../lib/project.ts'

/** Checks the library in a process with limits, and prints what it finds. Returns the exit code: 1 with findings. */
export function doctor(args: readonly string[]): number {
  const { dbPath } = readConfig(process.env)
  const limits = limitsFor(statSync(dbPath, { throwIfNoEntry: false })?.size ?? 0)
  const report = runLimited<DoctorReport>(programUrl('cli/doctor-worker'), { path: dbPath, version }, limits)
  if (args.includes('--json')) for (const line of JSON.stringify(report, null, 2).split('\n')) printLine(line)
  else printReport(report)
  return report.findings.length === 0 ? 0 : 1
}

function printReport({ facts, findings }: DoctorReport): void {
  for (const line of facts) printLine(line)
  for (const { what, advice } of findings) printLine(`! ${what}. ${advice}`)
  printLine(
    findings.length === 0
      ? 'No problems found.'
      : 'Problems found: see the lines that start with "!". Nothing was changed.',
  )
}
