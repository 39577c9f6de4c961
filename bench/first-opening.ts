import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serviceProgram } from '../scripts/bundle.mjs'
import { openLibrary } from '../src/db/library/open.ts'
import { PROGRAM_FOLDER } from '../src/lib/project.ts'
import { freePort } from '../test/support/service/free-port.ts'
import { ms } from './median.ts'
import { proseFrom } from './prose.ts'

/** Opens a library of one story that no service has opened before, and whose search index is empty. */
export async function firstOpening(actions: number): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-first-'))
  const dbPath = join(folder, 'library.db')
  fill(dbPath, actions)
  const command = [process.execPath, serviceProgram(process.execPath)]
  const port = await freePort()
  const began = performance.now()
  const since = () => ms(performance.now() - began)
  const child = Bun.spawn(command, {
    cwd: PROGRAM_FOLDER,
    env: { ...process.env, APP_PORT: String(port), APP_DB_PATH: dbPath },
    stdout: 'ignore',
  })
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  const rows: Record<string, string> = {}
  for (let status = 0; status !== 200; ) {
    const answer = await ask('/adventures/1').catch(() => null)
    if (answer === null) await Bun.sleep(1)
    else rows[answer.ok ? 'the story' : 'a page that says why it waits'] ??= since()
    await answer?.text()
    status = answer?.status ?? 0
  }
  const [seen, waits] = [new Set<number>(), [] as number[]]
  for (let indexing: { done: number } | null = { done: 0 }; indexing !== null; ) {
    const asked = performance.now()
    await (await ask('/adventures/1')).text()
    waits.push(performance.now() - asked)
    ;({ indexing } = await (await ask('/api/search?q=lamp')).json())
    if (indexing) seen.add(indexing.done)
  }
  rows['all can be searched'] = since()
  rows['states of the progress until then'] = String(seen.size)
  rows['longest wait for the story meanwhile'] = ms(Math.max(...waits))
  child.kill()
  await child.exited
  rmSync(folder, { recursive: true })
  return rows
}

function fill(path: string, actions: number): void {
  const prose = proseFrom(6)
  const library = openLibrary(path)
  library.write((tx) => {
    const time = '2026-01-01 00:00:00.000000'
    tx.insert('adventures', { title: 'Long', created_at: time, updated_at: time, action_count: actions })
    for (let index = 0; index < actions; index++)
      tx.insert('actions', {
        ...{ adventure_id: 1, index, created_at: time },
        ...(index % 2 ? { type: 'do', text: '> You go on.' } : { type: 'ai', text: prose(1_700) }),
      })
  })
  library.close()
  // What is known of a library stands there.
  rmSync(`${path}.lock`)
}
