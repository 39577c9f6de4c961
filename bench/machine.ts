import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { medianTime, ms } from './median.ts'

const TIMES = 50

/** What the machine allows: the least that a turn can take. */
export async function machineTable(): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-machine-'))
  const db = new Database(join(folder, 'least.db'))
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL']) db.run(`PRAGMA ${pragma}`)
  db.run('CREATE TABLE actions (text TEXT)')
  const insert = db.query('INSERT INTO actions VALUES (?)')
  const text = 'x'.repeat(880)
  using hello = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('hello') })
  const times = {
    'two commits that wait for the disk': await medianTime(TIMES, async () => {
      insert.run(text)
      insert.run(text)
    }),
    'a request and its answer': await medianTime(TIMES, async () => (await fetch(hello.url)).text()),
  }
  db.close()
  rmSync(folder, { recursive: true })
  return Object.fromEntries(Object.entries(times).map(([name, time]) => [name, ms(time)]))
}
