import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { chmodSync, readFileSync, rmSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { isLongCheckDue } from '../src/db/library/open.ts'
import { start } from '../src/start.ts'
import { allowTarget } from './support/endpoint/allowed-targets.ts'
import { openLibrary } from './support/library/open.ts'
import { freePort } from './support/service/free-port.ts'
import { loopback } from './support/service/loopback.ts'
import { addressOf, spawnService } from './support/service/process.ts'
import { temporaryFolder } from './support/temporary.ts'

/** A library of 20 MB with one story that no service has opened. */
function largeLibrary(): string {
  const path = join(temporaryFolder(), 'library.db')
  fill(path)
  rmSync(`${path}.lock`)
  return path
}

function fill(path: string): void {
  using library = openLibrary(path)
  chmodSync(path, 0o600)
  const time = '2026-01-01 00:00:00.000000'
  const story = { title: 'Long nights', created_at: time, updated_at: time }
  const adventure_id = library.write((tx) => tx.insert('adventures', story))
  for (let index = 0; index < 20; index++) {
    const passage = { adventure_id, index, type: 'ai', text: 'Night. '.repeat(150_000), created_at: time }
    library.write((tx) => tx.insert('actions', passage))
  }
}

/** As after a crash or a write of another program. */
const touch = (path: string) => utimesSync(path, new Date(), new Date())

/** Keeps the check from ending, as another program does that writes for a moment. */
function holdOpen(path: string): Disposable {
  const db = new Database(path, { readwrite: true, create: false })
  db.run('BEGIN IMMEDIATE')
  return { [Symbol.dispose]: () => db.close() }
}

/** Waits until something listens. */
async function firstAnswer(address: string): Promise<Response> {
  for (;;) {
    const response = await fetch(address).catch(() => null)
    if (response) return response
    await Bun.sleep(2)
  }
}

describe('a large library that is not known', () => {
  test('is checked while its address says so, and opened', async () => {
    const path = largeLibrary()
    const port = await freePort()
    const held = holdOpen(path)
    const starting = start({ ...loopback(path), port })
    allowTarget(`http://127.0.0.1:${port}/`)
    const [page, api] = await Promise.all([
      firstAnswer(`http://127.0.0.1:${port}/`),
      firstAnswer(`http://127.0.0.1:${port}/api/adventures`),
    ])
    expect([page.status, page.headers.get('Retry-After')]).toEqual([503, '1'])
    expect(await page.text()).toContain('Checking your library')
    expect([api.status, (await api.json()).code]).toEqual([503, 'library_busy'])
    held[Symbol.dispose]()
    const service = await starting
    expect(await (await fetch(service.address)).text()).toContain('Long nights')
    await service.stop()
    expect(isLongCheckDue(path)).toBe(false)
  })

  test('is whole when the check is killed, and is checked again', async () => {
    const path = largeLibrary()
    const APP_PORT = String(await freePort())
    const address = `http://127.0.0.1:${APP_PORT}/`
    const held = holdOpen(path)
    const killed = spawnService({ APP_DB_PATH: path, APP_PORT })
    expect((await firstAnswer(address)).status).toBe(503)
    killed.kill('SIGKILL')
    await killed.exited
    held[Symbol.dispose]()
    expect(isLongCheckDue(path)).toBe(true)
    const service = await start(loopback(path))
    expect(await (await fetch(service.address)).text()).toContain('Long nights')
    await service.stop()
  })

  test('is refused with its reason where it is damaged', async () => {
    const path = largeLibrary()
    truncateSync(path, Bun.file(path).size - 100_000)
    await expect(start(loopback(path))).rejects.toThrow('It is damaged; nothing was changed.')
  })
})

test('a library that is small, or was closed properly, is opened at once', () => {
  const large = largeLibrary()
  openLibrary(large).close()
  expect(isLongCheckDue(large)).toBe(false)
  const small = join(temporaryFolder(), 'library.db')
  openLibrary(small).close()
  touch(small)
  expect(isLongCheckDue(small)).toBe(false)
  expect(isLongCheckDue(join(temporaryFolder(), 'none.db'))).toBe(false)
})

describe.if(process.platform === 'linux')('a start with a library that was closed properly', () => {
  /** Bytes that a start reads until the newest story is on its page. */
  async function bytesRead(path: string): Promise<number> {
    const child = spawnService({ APP_DB_PATH: path })
    const address = await addressOf(child)
    allowTarget(address)
    expect((await fetch(new URL('/adventures/1', address))).status).toBe(200)
    const [, read] = /^rchar: (\d+)$/m.exec(readFileSync(`/proc/${child.pid}/io`, 'utf8')) ?? []
    child.kill('SIGTERM')
    await child.exited
    return Number(read)
  }

  test('reads no more of a long story than of a short one', async () => {
    const bytes: number[] = []
    for (const passages of [100, 20_000]) {
      const path = join(temporaryFolder(), 'library.db')
      fillWithStory(path, passages)
      const service = await start(loopback(path))
      await service.deps.indexing.ended()
      await service.stop()
      bytes.push(await bytesRead(path))
    }
    const [few = 0, many = 0] = bytes
    expect(few).toBeGreaterThan(0)
    expect(Math.abs(many - few)).toBeLessThan(1_000_000)
  })
})

function fillWithStory(path: string, passages: number): void {
  using library = openLibrary(path)
  chmodSync(path, 0o600)
  const time = '2026-01-01 00:00:00.000000'
  library.write((tx) => {
    const adventure_id = tx.insert('adventures', { title: 'Long', created_at: time, updated_at: time })
    for (let index = 0; index < passages; index++)
      tx.insert('actions', {
        adventure_id,
        index,
        type: 'ai',
        text: 'Night falls. '.repeat(70),
        created_at: time,
      })
    tx.run('UPDATE adventures SET action_count = ?', passages)
  })
}
