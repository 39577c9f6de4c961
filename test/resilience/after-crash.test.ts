import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { chmodSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stateOf } from '../../src/db/library/file-state.ts'
import { acquireLock } from '../../src/db/library/lock.ts'
import { openLibrary } from '../../src/db/library/open.ts'
import { type Running, type StartOptions, start } from '../../src/start.ts'
import { allowTarget } from '../support/endpoint/allowed-targets.ts'
import { faultsIn } from '../support/library/whole-library.ts'
import { loopback } from '../support/service/loopback.ts'
import { addressOf, refusalOf, spawnService } from '../support/service/process.ts'
import { initOf } from '../support/service/service.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** A library with a story of some passages, indexed and closed properly. */
function storyOf(passages: number): string {
  const path = join(temporaryFolder(), 'library.db')
  fill(path, passages)
  openLibrary(path).close()
  return path
}

function fill(path: string, passages: number): void {
  using library = openLibrary(path)
  chmodSync(path, 0o600)
  const time = '2026-01-01 00:00:00.000000'
  library.write((tx) => {
    const adventure_id = tx.insert('adventures', {
      title: 'Long nights',
      created_at: time,
      updated_at: time,
      action_count: passages,
    })
    for (let index = 0; index < passages; index++)
      tx.insert('actions', { adventure_id, index, type: 'ai', text: `Night ${index}.`, created_at: time })
  })
}

/** What another program does with a library. With no statement it only looks as after a crash. */
function changeElsewhere(path: string, ...statements: string[]): void {
  using db = new Database(path, { readwrite: true, create: false })
  for (const sql of statements) db.run(sql)
  utimesSync(path, new Date(), new Date())
}

async function startAt(path: string, options: StartOptions = {}): Promise<Running> {
  const service = await start(loopback(path), { idleDelay: 1_000_000, ...options })
  allowTarget(service.address)
  return service
}

const ask = ({ address }: Running, method: string, path: string, body?: unknown) =>
  fetch(new URL(path, address), initOf({ method, path, body }))

/** What a start reads until the library and the newest passages of its story are shown. */
async function readAtStart(path: string): Promise<{ rows: number; bytes: number }> {
  const read = { rows: 0, bytes: 0 }
  const watch = (_: string, rows: readonly unknown[]) => {
    read.rows += rows.length
    read.bytes += JSON.stringify(rows).length
  }
  const service = await startAt(path, { watch })
  for (const page of ['/', '/adventures/1']) await (await ask(service, 'GET', page)).text()
  await service.stop()
  return read
}

test('a start of a library that was closed reads no more of a story of 4,000 passages than of one of 100', async () => {
  const [few, many] = [await readAtStart(storyOf(100)), await readAtStart(storyOf(4_000))]
  expect(many.rows).toBe(few.rows)
  // Indexes have more digits.
  expect(many.bytes).toBeLessThan(1.1 * few.bytes)
})

describe('a library that was not closed', () => {
  test('is opened as it was left after it was checked and closed', async () => {
    const path = storyOf(3)
    changeElsewhere(path)
    const service = await startAt(path)
    expect(service.deps.library.isUnchecked).toBe(false)
    await service.stop()
    const again = await startAt(path)
    expect(again.deps.library.isUnchecked).toBe(true)
    await again.stop()
  })

  test('is put right: what another program changed is found, counted and indexed', async () => {
    const path = storyOf(30)
    changeElsewhere(
      path,
      'UPDATE actions SET text = \'A lighthouse stood there.\' WHERE "index" = 7',
      'DELETE FROM actions WHERE "index" = 29',
    )
    const service = await startAt(path)
    const { items } = await (await ask(service, 'GET', '/api/search?q=lighthouse')).json()
    expect(items).toHaveLength(1)
    const [story] = await (await ask(service, 'GET', '/api/adventures')).json()
    expect(story.action_count).toBe(29)
    await service.stop()
  })

  test('is whole however often the service is killed, and can be written at once', async () => {
    const path = storyOf(3)
    for (let kill = 0; kill < 3; kill++) {
      const killed = spawnService({ APP_DB_PATH: path })
      const url = new URL('/api/adventures/1', await addressOf(killed))
      const body = { title: `Kept ${kill}` }
      expect((await fetch(url, initOf({ method: 'PATCH', path: '', body }))).status).toBe(200)
      killed.kill('SIGKILL')
      await killed.exited
      expect(faultsIn(path)).toEqual([])
    }
    const service = await startAt(path)
    expect(await (await ask(service, 'GET', '/')).text()).toContain('Kept 2')
    await service.stop()
  })

  test('is refused with the reason where it is damaged, and left as it is', async () => {
    const path = storyOf(2_000)
    truncateSync(path, Bun.file(path).size - 20_000)
    const before = readFileSync(path)
    const refused = await refusalOf(spawnService({ APP_DB_PATH: path }))
    expect(refused).toEqual({ code: 1, said: expect.stringContaining('It is damaged; nothing was changed.') })
    expect(readFileSync(path).equals(before)).toBe(true)
  })
})

test('a library that was closed and then damaged by its disk is not written any more, and backups are offered', async () => {
  const path = storyOf(2_000)
  const size = Bun.file(path).size
  const bytes = readFileSync(path).fill(0xff, size - 40_960, size - 8_192)
  writeFileSync(path, bytes)
  {
    // The disk changes a file without anybody writing to it.
    using lock = acquireLock(path)
    lock.closeWith(stateOf(path))
  }
  const service = await startAt(path, { idleDelay: 0 })
  await service.deps.idle.ended()
  const changed = await ask(service, 'PATCH', '/api/adventures/1', { title: 'Lost' })
  expect([changed.status, (await changed.json()).code]).toEqual([503, 'library_damaged'])
  const html = await (await ask(service, 'GET', '/settings')).text()
  expect(html).toMatch(/class="clash said"[\s\S]*href="\/storage"/)
  await service.stop()
  await expect(startAt(path)).rejects.toThrow('It is damaged; nothing was changed.')
})
