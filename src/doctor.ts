import { version } from '../package.json'
import { examine, type Report } from './app/files/doctor.ts'
import { readConfig } from './config.ts'
import { ownAddress } from './own-address.ts'

function print({ facts, findings }: Report): void {
  for (const line of facts) console.log(line)
  for (const { what, advice } of findings) console.log(`! ${what}. ${advice}`)
  console.log(
    findings.length === 0
      ? 'Everything adds up.'
      : 'Something does not add up: see the lines with "!". Nothing was changed.',
  )
}

try {
  const { dbPath, host, port } = readConfig(process.env)
  const report = await examine(dbPath, { version, health: `${ownAddress(host, port)}api/health` })
  if (process.argv.includes('--json')) console.log(JSON.stringify(report, null, 2))
  else print(report)
  process.exitCode = report.findings.length === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
