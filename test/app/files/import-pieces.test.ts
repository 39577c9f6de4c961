import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, spyOn, test } from 'bun:test'
import { planUpload } from '../../../src/app/files/plan-upload.ts'
import { writeImport } from '../../../src/app/files/write-import.ts'
import { searchLibrary } from '../../../src/app/search-library.ts'
import { runInWorker } from '../../../src/app/worker/run-in-worker.ts'
import type { JobHost } from '../../../src/app/worker/worker-job.ts'
import { indexSteps, writeInPieces } from '../../../src/app/worker/write-in-pieces.ts'
import { openLibrary, openSecondConnection } from '../../../src/db/library/open.ts'
import type { Library } from '../../../src/db/library.ts'
import { listOutdated } from '../../../src/db/search/story-index.ts'
import { hasHidden, listHidden } from '../../../src/db/stories/hidden.ts'
import { listAdventures } from '../../../src/db/tables/adventure-list.ts'
import { listScenarios } from '../../../src/db/tables/scenarios.ts'
import { say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer()
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'm' })

const passage = (index: number) =>
  `The silverfinch sings for the ${index}th time. ${'Rain falls. '.repeat(30)}`
const adventure = (passages: number, title = 'Long') => ({
  format: 'ai-dnd-adventure-v1',
  title,
  actions: Array.from({ length: passages }, (_, index) => ({
    index,
    type: index === 0 ? 'start' : 'ai',
    text: passage(index),
  })),
  scenario: { title: `${title} scenario`, prompt: passage(0) },
})
const fileOf = (value: object) => ({ bytes: Buffer.from(JSON.stringify(value)), name: 'long.json' })
const TABLES = ['adventures', 'scenarios', 'actions', 'story_cards', 'memories', 'search_indexed']
const counts = (library: Library) =>
  TABLES.map((table) => library.reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n)
const isShown = ({ reader }: Library, title: string) =>
  listAdventures(reader).some((one) => one.title === title) ||
  listScenarios(reader).some((one) => one.title.startsWith(title)) ||
  searchLibrary(reader, 'silverfinch').items.length > 0

/** A service that stops when a permission to write is asked for; `isLast` gets how often it was. */
function failingHost(isLast: (asked: number) => boolean): JobHost {
  let asked = 0
  return {
    mayWrite: async () => {
      asked++
      if (isLast(asked)) throw new Error('stopped')
    },
    report: () => {},
  }
}

describe('an import', () => {
  const at = new Date('2026-03-01')

  test('is written in short transactions, and shown when it is complete', async () => {
    const library = openLibrary(`${temporaryFolder()}/library.db`)
    // A piece is as long as it takes, so a fast machine needs many passages for several.
    const length = 20_000
    const plan = await planUpload(library, fileOf(adventure(length)))
    const shown: boolean[] = []
    const steps: number[] = []
    const host: JobHost = {
      mayWrite: async () => void shown.push(isShown(library, 'Long')),
      report: ({ done, total }) => steps.push(done / total),
    }
    const { imported, unindexed } = await writeImport(library, plan, {}, { at, host })
    expect(shown.length).toBeGreaterThan(3)
    expect(shown.some(Boolean)).toBe(false)
    expect(isShown(library, 'Long')).toBe(true)
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
    expect(steps.at(-1)).toBe(1)
    expect(imported).toMatchObject({ adventure_ids: [expect.any(Number)], scenario_ids: [] })
    expect(unindexed).toBe(length)
    expect(listHidden(library.reader)).toEqual({ adventures: [], scenarios: [] })
    library.close()
  })

  test('does not wait for the search index of an earlier one', async () => {
    const path = `${temporaryFolder()}/library.db`
    using library = openLibrary(path)
    const host: JobHost = { mayWrite: async () => {}, report: () => {} }
    const plan = await planUpload(library, fileOf(adventure(4_000)))
    await writeImport(library, plan, {}, { at, host })
    const { signal } = new AbortController()
    using _ = library.shareWrites()
    const begun = Promise.withResolvers<void>()
    let pieces = 0
    const index = runInWorker('index', { path }, signal, () => {
      pieces++
      begun.resolve()
    })
    await begun.promise
    const next = await planUpload(library, fileOf(adventure(1_000, 'Next')))
    const given = { path, plan: next, choice: {}, at }
    const before = pieces
    await runInWorker('import', given, signal)
    // The piece that was being written when the import began.
    expect(pieces).toBeLessThanOrEqual(before + 1)
    await index
    expect(listOutdated(library.reader).length).toBeLessThanOrEqual(1_000)
  })

  test('runs one statement for a passage, and asks once what columns a table has', async () => {
    const library = openLibrary(`${temporaryFolder()}/library.db`)
    const plan = await planUpload(library, fileOf(adventure(1_000)))
    const host: JobHost = { mayWrite: async () => {}, report: () => {} }
    const query = spyOn(Database.prototype, 'query')
    await writeImport(library, plan, {}, { at, host })
    const statements = query.mock.calls.map(([sql]) => sql)
    query.mockRestore()
    expect(statements.filter((sql) => sql.includes('INTO actions'))).toHaveLength(1_000)
    expect(statements.length).toBeLessThan(1_100)
    library.close()
  })

  test('waits for the disk only when it is shown', () => {
    const path = `${temporaryFolder()}/library.db`
    using library = openLibrary(path)
    using beside = openSecondConnection(path)
    const [NORMAL, FULL] = [{ synchronous: 1 }, { synchronous: 2 }]
    const level = ({ reader }: Library) => reader.get<{ synchronous: number }>('PRAGMA synchronous')
    for (const [one, usual] of [[library, FULL] as const, [beside, NORMAL] as const]) {
      expect(level(one)).toEqual(usual)
      one.writeDurably(() => expect(level(one)).toEqual(FULL))
      expect(level(one)).toEqual(usual)
    }
  })

  test('leaves nothing when it fails between two transactions', async () => {
    const library = openLibrary(`${temporaryFolder()}/library.db`)
    const before = counts(library)
    const plan = await planUpload(library, fileOf(adventure(1_000)))
    let hasFailed = false
    const host = failingHost(() => {
      const fails = !hasFailed && hasHidden(library.reader)
      hasFailed ||= fails
      return fails
    })
    await expect(writeImport(library, plan, {}, { at, host })).rejects.toThrow('stopped')
    expect(counts(library)).toEqual(before)
    library.close()
  })

  test('of a long file is shown before its passages are indexed, and the next start finishes an interrupted index', async () => {
    const path = `${temporaryFolder()}/library.db`
    const library = openLibrary(path)
    const before = listOutdated(library.reader).length
    const beside = openSecondConnection(path)
    const plan = await planUpload(library, fileOf(adventure(2_000)))
    const progress: number[] = []
    const host: JobHost = {
      mayWrite: async () => {},
      report: ({ done, total }) => progress.push(done / total),
    }
    const { unindexed } = await writeImport(beside, plan, {}, { at, host })
    expect([unindexed, progress.at(-1)]).toEqual([2_000, 1])
    const rows = listOutdated(library.reader)
    expect([before, rows.length]).toEqual([0, 2_000])
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['action']))
    const none = { done: 0, total: 0 }
    const dying = failingHost((asked) => asked === 2)
    await expect(writeInPieces(beside, indexSteps(rows), dying, none)).rejects.toThrow('stopped')
    const left = listOutdated(library.reader).length
    expect(left).toBeLessThan(2_000)
    expect(searchLibrary(library.reader, 'silverfinch', { kind: 'action' }).items).not.toHaveLength(0)
    beside.close()
    library.close()
    const again = openLibrary(path)
    expect(again.unindexed).toBe(left > 500 ? left : 0)
    again.close()
  })

  test('that was interrupted is removed by the next start', async () => {
    const path = `${temporaryFolder()}/library.db`
    const library = openLibrary(path)
    const before = counts(library)
    const plan = await planUpload(library, fileOf(adventure(1_000)))
    const host = failingHost(() => hasHidden(library.reader))
    await expect(writeImport(library, plan, {}, { at, host })).rejects.toThrow('stopped')
    expect(counts(library)).not.toEqual(before)
    expect(isShown(library, 'Long')).toBe(false)
    library.close()
    const again = openLibrary(path)
    expect(counts(again)).toEqual(before)
    again.close()
  })

  test('lets turns end while it runs', async () => {
    endpoint.byDefault(say('The rain goes on.'))
    const { id } = (await server.post('/api/adventures', { title: 'Played meanwhile' })).body
    let isOver = false
    const importing = server
      .ask('/api/import?apply=1', { method: 'POST', body: fileOf(adventure(4_000)).bytes })
      .finally(() => {
        isOver = true
      })
    let turns = 0
    do {
      const events = await playTurn(server, id, { type: 'do', text: 'wait' })
      expect(events.at(-1)?.type).toBe('done')
      turns++
    } while (!isOver)
    const answer = await importing
    expect(answer.status).toBe(201)
    const [imported] = (await answer.json()).adventure_ids
    expect((await server.get(`/api/adventures/${imported}`)).body.action_count).toBe(4_000)
    expect(turns).toBeGreaterThan(1)
  })

  test('is waited for by a turn, however long a transaction takes', async () => {
    const path = `${temporaryFolder()}/library.db`
    const library = openLibrary(path)
    const sharing = library.shareWrites()
    const worker = new Worker(
      `data:text/javascript,${encodeURIComponent(`
        const { Database } = require('bun:sqlite')
        const db = new Database(${JSON.stringify(path)})
        db.run('BEGIN IMMEDIATE')
        postMessage('begun')
        setTimeout(() => { db.run('COMMIT'); db.close() }, 300)
      `)}`,
    )
    await new Promise((begun) => worker.addEventListener('message', begun, { once: true }))
    expect(library.write((tx) => tx.run('UPDATE settings SET loop_guard = 0'))).toBe(1)
    worker.terminate()
    sharing[Symbol.dispose]()
    library.close()
  })

  test('streams its progress to a program that asks for events', async () => {
    const stream = async (value: object) => {
      const answer = await server.ask('/api/import?apply=1', {
        method: 'POST',
        headers: { Accept: 'text/event-stream' },
        body: fileOf(value).bytes,
      })
      const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '))
      return lines.map((line) => JSON.parse(line.slice(6)))
    }
    const events = await stream(adventure(2_000, 'Streamed'))
    expect(events[0]).toMatchObject({ type: 'progress', done: 0 })
    expect(events.at(-1)).toMatchObject({ type: 'done', adventure_ids: [expect.any(Number)] })
    expect((await stream({ format: 'x' })).at(-1)).toMatchObject({ type: 'error', code: 'import_refused' })
  })
})

describe('the import page', () => {
  const send = (path: string, fields: Record<string, string>) =>
    server.ask(path, { method: 'POST', body: new URLSearchParams(fields) })
  const previewed = async (value: object) => {
    const page = await (await send('/import', { text: JSON.stringify(value) })).text()
    return /name="held" value="([^"]+)"/.exec(page)?.[1] ?? ''
  }
  const titles = (library = server.deps.library) => listAdventures(library.reader).map(({ title }) => title)

  test('shows how far a long import is, then the story; a second press imports nothing more', async () => {
    const held = await previewed(adventure(1_800, 'On a page'))
    const first = await send('/import/apply', { held, 'adventures.0': '1' })
    const second = await send('/import/apply', { held, 'adventures.0': '1' })
    expect([first.status, second.status]).toEqual([303, 303])
    let to = second.headers.get('location') ?? ''
    while (to.startsWith('/import/')) {
      const page = await server.ask(to)
      if (page.status === 303) to = page.headers.get('location') ?? ''
      else {
        const text = await page.text()
        expect(text).toContain(`hx-get="${to}"`)
        expect(text).toMatch(/Reading the file|\d+% imported/)
      }
    }
    expect(to).toMatch(/^\/adventures\/\d+/)
    expect(titles().filter((title) => title === 'On a page')).toHaveLength(1)
  })

  test('of an upload that nobody knows leads to the library', async () => {
    const page = await server.ask('/import/unknown')
    expect([page.status, page.headers.get('location')]).toEqual([303, '/'])
  })
})

test('a long import is answered before it can be searched, and search says so until it can', async () => {
  await server.deps.indexing.ended()
  const value = adventure(1_500, 'Searched later')
  const body = JSON.stringify(value).replaceAll('silverfinch', 'goldcrest')
  const answer = await server.ask('/api/import?apply=1', { method: 'POST', body })
  expect(answer.status).toBe(201)
  const seen: number[] = []
  let page = (await server.get('/api/search?q=goldcrest&kind=action&limit=100')).body
  expect(page.indexing).toEqual({ done: expect.any(Number), total: 1_500 })
  for (; page.indexing !== null; ) {
    seen.push(page.indexing.done)
    page = (await server.get('/api/search?q=goldcrest&kind=action&limit=100')).body
  }
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(page.items).toHaveLength(100)
  expect(listOutdated(server.deps.library.reader)).toEqual([])
})

test('two imports that end while the index is being built are both indexed', async () => {
  const send = (title: string) =>
    server.ask('/api/import?apply=1', { method: 'POST', body: JSON.stringify(adventure(1_200, title)) })
  await Promise.all([send('First'), send('Second')])
  await server.deps.indexing.ended()
  expect(listOutdated(server.deps.library.reader)).toEqual([])
})

test('a library with many passages that are not indexed is served at once, and indexed meanwhile', async () => {
  const path = `${temporaryFolder()}/library.db`
  const library = openLibrary(path)
  const plan = await planUpload(library, fileOf(adventure(700)))
  const host: JobHost = { mayWrite: async () => {}, report: () => {} }
  await writeImport(library, plan, {}, { at: new Date(), host })
  library.close()
  const other = new Database(path)
  other.run('DELETE FROM search_indexed; DELETE FROM search_index')
  other.close()
  const indexing = await startServer({ dbPath: path })
  const first = (await indexing.get('/api/search?q=699th')).body
  expect(first).toMatchObject({ items: [], indexing: { total: expect.any(Number) } })
  expect(await (await indexing.ask('/search?q=699th')).text()).toContain('The search index is being built')
  let body = first
  while (body.indexing !== null) ({ body } = await indexing.get('/api/search?q=699th'))
  expect(body.items).toHaveLength(1)
  expect(await (await indexing.ask('/search?q=699th')).text()).not.toContain('is being built')
})
