import { version } from '../../package.json'
import { type DoctorReport, runDoctor } from '../app/files/doctor.ts'
import { readConfig } from '../config.ts'
import { printLine } from '../lib/print.ts'

export async function doctor(args: readonly string[]): Promise<number> {
  const { dbPath } = readConfig(process.env)
  const report = await runDoctor(dbPath, { version })
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
