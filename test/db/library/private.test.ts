import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { leaveEarlierLibrary } from '../../support/earlier/release.ts'
import {
  addressOf,
  outputOf,
  type ServiceProcess,
  spawnProgram,
  spawnService,
} from '../../support/service/process.ts'
import { Service } from '../../support/service/service.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const READABLE_BY_ALL = ['sh', '-c', 'umask 022; exec "$@"', 'sh']

/** The modes of all files and folders in a folder, except those that are 600 or 700. */
function sharedIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, stat: statSync(join(folder, name)) }))
    .filter(({ stat }) => (stat.mode & 0o777) !== (stat.isDirectory() ? 0o700 : 0o600))
    .map(({ name, stat }) => `${name} ${(stat.mode & 0o777).toString(8)}`)
}

async function run(program: string, path: string, ...args: string[]): Promise<void> {
  const child = spawnProgram(program, { APP_DB_PATH: path }, args, { before: READABLE_BY_ALL })
  expect(await child.exited).toBe(0)
}

describe('the owner alone can read', () => {
  test('a new library with its folder, journals and copies, while it is used and afterwards', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'made/library.db')
    const service = await Service.start({ APP_DB_PATH: path }, ...READABLE_BY_ALL)
    await service.json('POST', '/api/scenarios', { title: 'New' })
    await run('backup', path)
    expect(readdirSync(join(folder, 'made'))).toContain('library.db-wal')
    expect(sharedIn(folder)).toEqual([])
    await service.end()
    const [copy = ''] = readdirSync(join(folder, 'made/backups'))
    await run('restore', path, join(folder, 'made/backups', copy))
    expect(sharedIn(folder)).toEqual([])
  })

  test('an older library: a looser mode is corrected and reported in one line, and folders do not change', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'library.db')
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'backups'), { mode: 0o755 })
    leaveEarlierLibrary(path)
    for (const copy of ['library.copy-1.db', 'library.2026-01-01.db', 'other.db'])
      leaveEarlierLibrary(join(folder, 'backups', copy))
    const first = spawnService({ APP_DB_PATH: path }, { before: READABLE_BY_ALL })
    const said = await linesUntilAddress(first)
    expect(said).toStartWith(
      'Other users of this machine could read the library (files: 3). Now only you can.\n',
    )
    expect(sharedIn(folder)).toEqual(['backups 755', 'backups/other.db 644'])
    await outputOf(first)
    const again = spawnService({ APP_DB_PATH: path })
    await addressOf(again)
    expect(await outputOf(again)).toBe('')
  })
})

/** What a service prints until it is ready. */
async function linesUntilAddress(child: ServiceProcess): Promise<string> {
  const reader = child.stdout.getReader()
  let said = ''
  while (!said.includes('http:')) said += new TextDecoder().decode((await reader.read()).value)
  reader.releaseLock()
  return said
}
