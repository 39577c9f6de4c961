import { Database } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFile } from '../../../src/app/files/write-file.ts'
import { runInWorker } from '../../../src/app/worker/run-in-worker.ts'
import { streamFromWorker } from '../../../src/app/worker/stream-from-worker.ts'
import { Reader } from '../../../src/db/database.ts'
import { PAGE } from '../../../src/db/stories/stored-actions.ts'
import type { StoryError } from '../../../src/domain/errors.ts'
import { WHOLE_STORY } from '../../../src/formats/book/passages.ts'
import { ADVENTURE_FORMATS, type AdventureFormat } from '../../../src/formats/file-name.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const { library } = server.deps

describe('a long story', () => {
  const ACTIONS = 5_000
  const text = 'The road goes on and on, and nobody is there. '.repeat(100)
  let long = 0

  beforeAll(() => {
    const time = '2026-01-01 00:00:00.000000'
    library.write((tx) => {
      long = tx.insert('adventures', { title: 'Long', created_at: time, updated_at: time })
      for (let index = 0; index < ACTIONS; index++)
        tx.insert('actions', { adventure_id: long, index, type: 'story', text, created_at: time })
    })
  })

  const given = (format: AdventureFormat) => ({
    path: library.path,
    wanted: { of: 'adventure', id: long, format, reading: WHOLE_STORY } as const,
    at: new Date(0),
  })

  test('is made piece by piece, as the client reads', async () => {
    const sent: number[] = []
    const leaving = new AbortController()
    const refused = await runInWorker(
      'export',
      given('json'),
      leaving.signal,
      () => {},
      async (chunk) => {
        sent.push(chunk.length)
        if (sent.length === 3) leaving.abort()
        if (sent.length === 3) await new Promise(() => {})
      },
    ).catch((error: StoryError) => error.code)
    expect(refused).toBe('disconnected')
    expect(sent.length).toBe(3)
    expect(Math.max(...sent)).toBeLessThan(256 * 1024 + 2 * text.length)
  })

  test('waits for a client that does not read, and ends when it leaves', async () => {
    const stream = await streamFromWorker(given('json'), new AbortController().signal)
    const reader = stream.getReader()
    expect((await reader.read()).value?.length).toBeLessThan(256 * 1024 + 2 * text.length)
    await reader.cancel()
    expect((await reader.read()).done).toBe(true)
  })

  test('ends when its client hangs up, and the library is free again', async () => {
    const stop = new AbortController()
    const path = `/api/adventures/${long}/export`
    const answer = await server.ask(path, { signal: stop.signal })
    const reader = answer.body?.getReader()
    await reader?.read()
    library.write((tx) => tx.run("UPDATE adventures SET memory = 'Wet.'"))
    await Bun.sleep(0)
    expect(library.reader.get('PRAGMA wal_checkpoint(TRUNCATE)')).toMatchObject({ busy: 1 })
    stop.abort()
    while (library.reader.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')?.busy) await Bun.sleep(1)
  })

  for (const format of ADVENTURE_FORMATS)
    test(`has every page of rows in ${format}`, async () => {
      const rows: number[] = []
      const watched = openSnapshotWatched(rows)
      let bytes = 0
      for (const piece of await writeFile(watched, given(format).wanted, new Date(0))) bytes += piece.length
      const isPacked = format === 'epub' || format === 'family'
      if (!isPacked) expect(bytes).toBeGreaterThan(ACTIONS * text.trim().length)
      expect(Math.max(...rows)).toBeLessThanOrEqual(PAGE)
    })

  test('keeps the earlier state when the story continues meanwhile', async () => {
    const stream = await streamFromWorker(given('json'), new AbortController().signal)
    library.write((tx) => tx.run('DELETE FROM actions WHERE adventure_id = ? AND "index" > 10', long))
    const file = await new Response(stream).json()
    expect(file.actions).toHaveLength(ACTIONS)
  })
})

/** A reader that notes how many rows with texts each query returned. */
function openSnapshotWatched(rows: number[]): Reader {
  const db = new Database(library.path, { readonly: true, strict: true })
  return new Reader(db, (sql, found) => {
    if (/\btext\b/.test(sql)) rows.push(found.length)
  })
}
