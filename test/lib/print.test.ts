import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { printError, visible } from '../../src/lib/print.ts'
import { leaveEarlierLibrary } from '../support/earlier/release.ts'
import { openLibrary } from '../support/library/open.ts'
import { refusalOf, spawnProgram, spawnService } from '../support/service/process.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** Clears a terminal, forges a line, and reverses what follows. */
const NAME = 'a\u001b[2J\nInglenook is running\u009b31m\u202egnp\u2066\r'
const SHOWN = 'a\\u001b[2J\\u000aInglenook is running\\u009b31m\\u202egnp\\u2066\\u000d'

test('control and formatting characters are shown, and all others stay', () => {
  expect(visible(NAME)).toBe(SHOWN)
  expect(visible('\u{e0041}\u2028\u200b\ufeff')).toBe('\\udb40\\udc41\\u2028\\u200b\\ufeff')
  for (const text of ['The lamp, ünd so 灯 🏮.', '"quoted" <b>', '']) expect(visible(text)).toBe(text)
})

test('an error is printed with its places as lines of their own, and a name in it makes no other line', () => {
  const lines: string[] = []
  const spy = spyOn(console, 'error').mockImplementation((line) => void lines.push(line))
  printError('Background work failed', new Error(NAME))
  spy.mockRestore()
  expect(lines[0]).toBe(`Background work failed: Error: ${SHOWN}`)
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines.slice(1)) expect(line).toMatch(/^ +at /)
})

test('a name in a library file does not reach the terminal of a service, a restore or the doctor', async () => {
  const quoted = `"${NAME}"`
  const [trigger, unknown, own] = ['trigger.db', 'newer.db', 'own.db'].map((name) =>
    join(temporaryFolder(), name),
  )
  const left = (path = '', also = '') => leaveEarlierLibrary(path, { also })
  left(trigger, `CREATE TRIGGER ${quoted} AFTER INSERT ON actions BEGIN SELECT 1; END`)
  left(
    unknown,
    `CREATE TABLE schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT); INSERT INTO schema_migrations VALUES ('${NAME}', '')`,
  )
  openLibrary(own ?? '').close()
  new Database(own).run('UPDATE settings SET endpoint_url = ?', [`http://${NAME}`])
  const refused = [
    spawnService({ APP_DB_PATH: trigger ?? '' }),
    spawnService({ APP_DB_PATH: unknown ?? '' }),
    spawnProgram('restore', { APP_DB_PATH: own ?? '' }, [trigger ?? '']),
    spawnProgram('doctor', { APP_DB_PATH: unknown ?? '' }),
  ]
  for (const child of refused) expect((await refusalOf(child)).said).toContain(SHOWN)
  for (const args of [[], ['--json']]) {
    const doctor = spawnProgram('doctor', { APP_DB_PATH: own ?? '' }, args)
    const said = await new Response(doctor.stdout).text()
    expect(said).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u)
    if (args.length > 0) expect(JSON.parse(said)).toHaveProperty('findings')
  }
})
