import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { embedPending } from '../../../src/app/memory/embed-memories.ts'
import type { Reply } from '../../../src/app/turn/reply/reply.ts'
import { runSteps } from '../../../src/app/worker/write-in-pieces.ts'
import { type Writer, writerFor } from '../../../src/db/database.ts'
import { allMigrations, BASE_VERSION, migrate } from '../../../src/db/library/migrate.ts'
import { seed } from '../../../src/db/library/seed.ts'
import { pendingTexts, textVectors, upsertVector } from '../../../src/db/search/text-vectors.ts'
import { insertBranch } from '../../../src/db/stories/branches.ts'
import { copySteps } from '../../../src/db/stories/copy-adventure.ts'
import { show } from '../../../src/db/stories/hidden.ts'
import { findNewest } from '../../../src/db/tables/actions/list.ts'
import { findSnapshot, insertSnapshot } from '../../../src/db/tables/actions/snapshots.ts'
import { storyEnd } from '../../../src/db/tables/waiting-lines.ts'
import { embeddedTextFor } from '../../../src/domain/recall/embedded-text.ts'
import { breakOff, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { BEFORE_0048 } from '../../support/library/before-0048.ts'
import { begin, found, now, place, tell } from '../../support/library/searched.ts'
import { playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

const PASSAGES = 6
const HALF = 'Half a tale, and'
const EMBEDDER = 'embed-model'
const model = embeddedTextFor(EMBEDDER).name
const vector = (index: number) => Float32Array.from([1, index / 10, 0.5])

/** A reply that broke off, with its prompt, as a service stores it. */
async function storedReply(): Promise<string> {
  const server = await startServer()
  await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
  const { id } = (await server.post('/api/adventures', { title: 'Pier' })).body
  endpoint.next(breakOff(HALF))
  await playTurn(server, id, { type: 'do', text: 'wait' })
  return server.deps.library.reader.value('SELECT reply FROM waiting_lines WHERE id = ?', id) ?? ''
}
const REPLY = await storedReply()

/** A library with all migrations before one of them, with a story and a branch of it. */
function leaveLibraryBefore(path: string, migration: string): void {
  using db = new Database(path)
  const earlier = allMigrations().filter((name) => name < migration)
  // The rows of a story are written with vectors as they are now, which go back before the library is left.
  migrate(db, [...earlier, '0048-text-vectors.sql'])
  db.run(`PRAGMA user_version = ${BASE_VERSION}`)
  seed(db, [])
  const tx = writerFor(db)
  db.transaction(() => {
    tx.run(
      'UPDATE settings SET endpoint_url = ?, model = ?, embedding_model = ?',
      endpoint.url,
      'test-model',
      EMBEDDER,
    )
    const first = begin(tx, 'First')
    const last = tellStory(tx, first)
    const second = branch(tx, first, last)
    tx.run('UPDATE adventures SET epoch_start = ?', PASSAGES)
    leaveWaiting(tx, first, second)
    for (const sql of BEFORE_0048) tx.run(sql)
    if (!earlier.includes('0046-branches-by-themselves.sql')) shareWithBranch(tx, second)
  })()
}

function tellStory(tx: Writer, story: number): { id: number; index: number } {
  const { prompt } = JSON.parse(REPLY) as Reply
  const settings = { model: 'm', api_mode: 'chat', temperature: 1, max_output_tokens: 1 }
  const call = { settings, usage: null, timings: { first: 1, total: 2 } }
  let id = 0
  for (let index = 0; index < PASSAGES; index++) {
    id = tell(tx, story, index, `A kestrel sits on stone ${index}.`)
    tx.update('actions', id, {
      context_snapshot: insertSnapshot(tx, { adventure_id: story, index }, prompt, call),
    })
  }
  const { texts } = pendingTexts(tx, story, { model, before: PASSAGES, limit: PASSAGES })
  for (const [index, text] of texts.entries()) upsertVector(tx, story, text, { model, vector: vector(index) })
  return { id, index: PASSAGES - 1 }
}

function branch(tx: Writer, from: number, end: { id: number; index: number }): number {
  const id = runSteps(tx, copySteps(from, { title: 'Branch', end, now, written: [] }))
  show(tx, { adventures: [id], scenarios: [] })
  insertBranch(tx, id, { from, at: end.index, name: 'Branch', title: 'Branch' })
  return id
}

/** Of the first story a draft and a note, of the branch a draft and a reply that broke off. */
function leaveWaiting(tx: Writer, first: number, second: number): void {
  tx.insert('drafts', { adventure_id: first, type: 'say', text: 'Who is there?' })
  tx.update('adventures', first, { steering: 'Let it hail.' })
  tx.insert('drafts', { adventure_id: second, type: 'do', text: 'look' })
  const reply = { text: HALF, retry: 0, reply: REPLY, story_end: storyEnd(tx, second) }
  tx.insert('interrupted_replies', { adventure_id: second, ...reply })
}

/** Entries of the search index and vectors that a branch has only by the story that it grew from. */
function shareWithBranch(tx: Writer, second: number): void {
  const own = 'SELECT id FROM actions WHERE adventure_id = ?'
  tx.run(
    `INSERT INTO search_shared SELECT place, mark, place - ${PASSAGES} FROM search_indexed WHERE place IN (${own})`,
    second,
  )
  tx.run(`DELETE FROM search_indexed WHERE place IN (${own})`, second)
  tx.run(`DELETE FROM search_index WHERE rowid IN (${own})`, second)
  tx.run('INSERT OR IGNORE INTO shared_passage_vectors SELECT model, text_hash, vector FROM passage_vectors')
  tx.run("UPDATE passage_vectors SET vector = x''")
}

describe.each(['0046-branches-by-themselves.sql', '0047-waiting-lines.sql'])(
  'a library of before %s',
  (migration) => {
    const opened = async () => {
      const path = place()
      leaveLibraryBefore(path, migration)
      const server = await startServer({ dbPath: path })
      const { reader } = server.deps.library
      const [first = 0, second = 0] = reader.column<number>('SELECT id FROM adventures ORDER BY id')
      return { server, reader, first, second }
    }

    test('has what was typed, and a note', async () => {
      const { server, first, second } = await opened()
      const page = async (id: number) => (await server.ask(`/adventures/${id}`)).text()
      expect(await page(first)).toContain('Who is there?')
      expect(await page(first)).toContain('Let it hail.')
      expect(await page(second)).toMatch(/>\s*look<\/textarea>/)
    })

    test('has the reply that broke off, and it can be kept', async () => {
      const { server, first, second } = await opened()
      const story = async (id: number) => (await server.get(`/api/adventures/${id}`)).body
      expect((await story(first)).interrupted).toBeNull()
      expect((await story(second)).interrupted).toEqual({ text: HALF, retry: false, reason: '' })
      const { body } = await server.post(`/api/adventures/${second}/interrupted/keep`)
      expect(body).toMatchObject({ text: HALF, cut: 'stopped' })
    })

    test('has the prompts of both stories, whose texts they share', async () => {
      const { reader, first, second } = await opened()
      const { parts } = (JSON.parse(REPLY) as Reply).prompt
      for (const id of [first, second]) {
        const newest = findNewest(reader, id)?.id ?? 0
        const texts = findSnapshot(reader, id, newest)?.parts.map(({ text }) => text)
        expect(texts).toEqual(parts.map(({ text }) => text))
      }
      expect(reader.value('SELECT count(*) FROM shared_prompt_parts')).toBe(
        new Set(parts.map(({ text }) => text)).size,
      )
    })

    test('finds passages in both stories, and has their vectors without asking a model', async () => {
      const { server, reader, first, second } = await opened()
      const { length } = endpoint.embedRequests
      for (const id of [first, second]) {
        expect(found(server.deps.library, 'kestrel', { kind: 'action', adventure: id })).toHaveLength(
          PASSAGES,
        )
        await embedPending(server.deps, id, new AbortController().signal, () => {})
        const vectors = [...textVectors.get(reader, id).values()].map((one) => [...one.vector.values])
        expect(vectors).toHaveLength(PASSAGES)
        for (const values of vectors) expect(values).toHaveLength(3)
      }
      expect(endpoint.embedRequests).toHaveLength(length)
    })

    test('leaves nothing in the tables that are not used any more', async () => {
      const { reader } = await opened()
      for (const table of [
        'drafts',
        'interrupted_replies',
        'search_shared',
        'shared_passage_vectors',
        'passage_vectors',
      ])
        expect([table, reader.value(`SELECT count(*) FROM ${table}`)]).toEqual([table, 0])
      expect(reader.value('SELECT count(*) FROM adventures WHERE steering IS NOT NULL')).toBe(0)
    })
  },
)

test('what is typed for a story that is gone stays where it was, and does not hinder the start', async () => {
  const path = place()
  leaveLibraryBefore(path, '0047-waiting-lines.sql')
  {
    using db = new Database(path)
    db.run("INSERT INTO drafts (adventure_id, type, text) VALUES (99, 'do', 'lost')")
  }
  const { reader } = (await startServer({ dbPath: path })).deps.library
  expect(reader.column('SELECT adventure_id FROM drafts')).toEqual([99])
})
