import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { chmodSync, readFileSync, rmSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { openLibrary } from '../../src/db/library/open.ts'
import { type Running, type StartOptions, start } from '../../src/start.ts'
import { allowTarget } from '../support/endpoint/allowed-targets.ts'
import { difference, faultsIn, wholeLibrary } from '../support/library/whole-library.ts'
import { loopback } from '../support/service/loopback.ts'
import { addressOf, refusalOf, spawnService } from '../support/service/process.ts'
import { everyRoute, QUERIES } from '../support/service/routes.ts'
import { startServer } from '../support/service/server.ts'
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

/** Another program that uses the library, so that the check does not end. */
function holdOpen(path: string): Disposable {
  const db = new Database(path, { readwrite: true, create: false })
  db.run('BEGIN IMMEDIATE')
  return { [Symbol.dispose]: () => db.close() }
}

/** What reads the library with a connection of its own. */
const WAITS = /\/export$|\/backup$/

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
  await service.checked
  await service.stop()
  return read
}

describe.each(['after a crash', 'after it was closed'])('a start %s', (how) => {
  test('reads no more of a story of 4,000 passages than of one of 100', async () => {
    const [short, long] = [storyOf(100), storyOf(4_000)]
    if (how === 'after a crash') for (const path of [short, long]) changeElsewhere(path)
    const [few, many] = [await readAtStart(short), await readAtStart(long)]
    expect(many.rows).toBe(few.rows)
    // Indexes have more digits.
    expect(many.bytes).toBeLessThan(1.1 * few.bytes)
  })
})

describe('a library that has to be checked', () => {
  test('can be read while it is checked, and a write waits for that', async () => {
    const path = storyOf(3)
    changeElsewhere(path)
    const service = await startAt(path)
    expect(service.deps.library.isWritable).toBe(false)
    expect(() => service.deps.library.write(() => {})).toThrow('is being checked')
    const changing = ask(service, 'PATCH', '/api/adventures/1', { title: 'Short nights' })
    const page = await ask(service, 'GET', '/')
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Long nights')])
    expect((await changing).status).toBe(200)
    expect(service.deps.library.isWritable).toBe(true)
    expect(await (await ask(service, 'GET', '/')).text()).toContain('Short nights')
    await service.stop()
    using again = openLibrary(path)
    expect(again.isWritable).toBe(true)
    expect(again.reader.get('SELECT title FROM adventures')).toEqual({ title: 'Short nights' })
  })

  test('is opened without a check again after it was closed', async () => {
    const path = storyOf(3)
    changeElsewhere(path)
    const service = await startAt(path)
    await service.checked
    await service.stop()
    const again = await startAt(path)
    expect(again.deps.library.isWritable).toBe(true)
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
    await service.checked
    const { items } = await (await ask(service, 'GET', '/api/search?q=lighthouse')).json()
    expect(items).toHaveLength(1)
    const [story] = await (await ask(service, 'GET', '/api/adventures')).json()
    expect(story.action_count).toBe(29)
    await service.stop()
  })

  test('shows every page while another program uses it, and writes when that has ended', async () => {
    const server = await startServer()
    const routes = (await everyRoute(server)).filter(
      ({ method, route }) => method === 'GET' && !WAITS.test(route),
    )
    await server.stop()
    const held = holdOpen(server.path)
    changeElsewhere(server.path)
    const service = await startAt(server.path, { patience: Infinity })
    const before = wholeLibrary(server.path)
    const changed = ask(service, 'PATCH', '/api/adventures/1', { title: 'Waited for' })
    const failed = []
    for (const { route, path } of routes)
      for (const query of QUERIES[route] ?? ['']) {
        const { status } = await ask(service, 'GET', path + query)
        if (status >= 500) failed.push([path + query, status])
      }
    expect(failed).toEqual([])
    expect(difference(before, wholeLibrary(server.path))).toBe('')
    held[Symbol.dispose]()
    expect(await (await changed).json()).toMatchObject({ title: 'Waited for' })
    await service.stop()
  })

  test('is whole when the service is killed during the check, and served and checked again', async () => {
    const path = storyOf(3)
    const service = spawnService({ APP_DB_PATH: path })
    const address = await addressOf(service)
    await fetch(
      new URL('/api/adventures/1', address),
      initOf({ method: 'PATCH', path: '', body: { title: 'Kept' } }),
    )
    service.kill('SIGKILL')
    await service.exited
    const before = wholeLibrary(path)
    for (let kill = 0; kill < 3; kill++) {
      const killed = spawnService({ APP_DB_PATH: path })
      expect(await (await fetch(await addressOf(killed))).text()).toContain('Kept')
      killed.kill('SIGKILL')
      await killed.exited
      expect([difference(before, wholeLibrary(path)), faultsIn(path)]).toEqual(['', []])
    }
    const again = await startAt(path)
    expect(again.deps.library.isWritable).toBe(false)
    await again.checked
    expect((await ask(again, 'PATCH', '/api/adventures/1', { title: 'Kept again' })).status).toBe(200)
    await again.stop()
  })

  test('ends the service with its reason where it is damaged, is left as it is, and is not served again', async () => {
    const path = storyOf(2_000)
    truncateSync(path, Bun.file(path).size - 20_000)
    const before = readFileSync(path)
    const first = await refusalOf(spawnService({ APP_DB_PATH: path }))
    expect(first).toEqual({ code: 1, said: expect.stringContaining('It is damaged; nothing was changed.') })
    expect(readFileSync(path).equals(before)).toBe(true)
    await expect(startAt(path)).rejects.toThrow('It is damaged; nothing was changed.')
  })

  test('is checked before it is served where its file or what it declares is another one', async () => {
    const declared = storyOf(3)
    changeElsewhere(declared, 'CREATE TABLE theirs (text TEXT)')
    const unknown = storyOf(3)
    rmSync(`${unknown}.lock`)
    for (const path of [declared, unknown]) {
      const service = await startAt(path)
      expect(service.deps.library.isWritable).toBe(true)
      await service.stop()
    }
  })
})
