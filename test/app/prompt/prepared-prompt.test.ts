import { expect, test } from 'bun:test'
import { nextPrompt, prepareNextPrompt } from '../../../src/app/prompt/prompt-view.ts'
import { updateVector } from '../../../src/db/search/memory-vectors.ts'
import { insertMemory } from '../../../src/db/tables/memory/memories.ts'
import { startServer } from '../../support/service/server.ts'

const MEMORIES = 1_000
/** Memories that may be read in one piece. */
const PIECE = 100

/** The number of memories in each answer that has vectors, and how often the event loop had come round. */
let read: number[] = []
let rounds: number[] = []
let round = 0
const server = await startServer({
  watch: (_, rows) => {
    const vectors = rows.filter((row) => Object(row).embedding_blob instanceof Uint8Array).length
    if (vectors === 0) return
    read.push(vectors)
    rounds.push(round)
  },
})
const { deps } = server
const { id } = (await server.post('/api/adventures', { title: 'Lamps' })).body
deps.library.write((tx) => {
  for (let i = 0; i < MEMORIES; i++) {
    const text = `Lamp ${i} burns.`
    const memory = insertMemory(tx, id, { text, source: { start: 0, end: 0, hash: '' } }, new Date())
    updateVector(tx, memory, { text, model: 'e', vector: Float32Array.of(1, i) })
  }
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

test('the memories for the next prompt are read in small pieces, between which other work runs, and once', async () => {
  expect(await letsOthersRun(() => prepareNextPrompt(deps, id))).toBe(true)
  expect(read).toEqual(Array.from({ length: MEMORIES / PIECE }, () => PIECE))
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
    expect([path, read.length]).toEqual([path, MEMORIES / PIECE])
  }
})

test('one changed memory is read, and no other', async () => {
  await prepareNextPrompt(deps, id)
  read = []
  const [memory] = (await server.get(`/api/adventures/${id}/memories`)).body
  await server.send('PATCH', `/api/adventures/${id}/memories/${memory.id}`, { pinned: true })
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
