import { expect, test } from 'bun:test'
import { nextPrompt, prepareNextPrompt } from '../../../src/app/prompt/prompt-view.ts'
import { pendingTexts, upsertVector } from '../../../src/db/search/text-vectors.ts'
import { insertMemory } from '../../../src/db/tables/memory/memories.ts'
import { startServer } from '../../support/service/server.ts'

const NOTES = 1_000
/** Vectors that may be read in one piece. */
const PIECE = 500

/** The number of vectors in each answer that has some, and how often the event loop had come round. */
let read: number[] = []
let rounds: number[] = []
let round = 0
const server = await startServer({
  watch: (_, rows) => {
    const vectors = rows.filter((row) => Object(row).vector instanceof Uint8Array).length
    if (vectors === 0) return
    read.push(vectors)
    rounds.push(round)
  },
})
const { deps } = server
const { id } = (await server.post('/api/adventures', { title: 'Lamps' })).body
deps.library.write((tx) => {
  for (let i = 0; i < NOTES; i++) insertMemory(tx, id, { text: `Lamp ${i} burns.`, source: null }, new Date())
  const { texts } = pendingTexts(tx, id, { model: 'e', before: 0, limit: NOTES })
  for (const [i, text] of texts.entries())
    upsertVector(tx, id, text, { model: 'e', vector: Float32Array.of(1, i) })
})

/** Whether the event loop came round between any two pieces that `work` has read. */
async function letsOthersRun(work: () => Promise<unknown>): Promise<boolean> {
  ;[read, rounds] = [[], []]
  const immediately = () => {
    round++
    pending = setImmediate(immediately)
  }
  let pending = setImmediate(immediately)
  await work()
  clearImmediate(pending)
  return new Set(rounds).size === rounds.length
}

test('the vectors for the next prompt are read in small pieces, between which other work runs, and once', async () => {
  expect(await letsOthersRun(() => prepareNextPrompt(deps, id))).toBe(true)
  expect(read).toEqual(Array.from({ length: NOTES / PIECE }, () => PIECE))
  read = []
  nextPrompt(deps, id)
  await prepareNextPrompt(deps, id)
  expect(read).toEqual([])
})

test('an address that shows the next prompt has it prepared', async () => {
  for (const path of [
    'api/adventures/:id/context',
    'adventures/:id?panel=insights',
    'adventures/:id/insights',
  ]) {
    const copied = (await server.post(`/api/adventures/${id}/copy`, {})).body.id
    const asked = () => server.ask(path.replace(':id', copied)).then((answer) => answer.text())
    expect([path, await letsOthersRun(asked)]).toEqual([path, true])
    expect([path, read.length]).toEqual([path, NOTES / PIECE])
  }
})

test('one new vector is read, and no other', async () => {
  await prepareNextPrompt(deps, id)
  await server.post(`/api/adventures/${id}/memories`, { text: 'A new lamp.' })
  const { texts } = pendingTexts(deps.library.reader, id, { model: 'e', before: 0, limit: 1 })
  deps.library.write((tx) => {
    for (const text of texts) upsertVector(tx, id, text, { model: 'e', vector: Float32Array.of(1, 1) })
  })
  read = []
  await prepareNextPrompt(deps, id)
  expect(read).toEqual([1])
})

test('a story that does not exist needs none, and a service that stops reads no further', async () => {
  await prepareNextPrompt(deps, 999)
  const { id: another } = (await server.post(`/api/adventures/${id}/copy`, {})).body
  const closing = new AbortController()
  read = []
  const prepared = prepareNextPrompt({ ...deps, closing: closing.signal }, another)
  closing.abort()
  await expect(prepared).rejects.toThrow()
  expect(read).toEqual([PIECE])
})
