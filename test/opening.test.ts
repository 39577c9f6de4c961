import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { chmodSync, rmSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { isLongCheckDue } from '../src/db/library/open.ts'
import { start } from '../src/start.ts'
import { allowTarget } from './support/endpoint/allowed-targets.ts'
import { openLibrary } from './support/library/open.ts'
import { freePort } from './support/service/free-port.ts'
import { loopback } from './support/service/loopback.ts'
import { spawnService } from './support/service/process.ts'
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
