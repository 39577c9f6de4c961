import { expect, test } from 'bun:test'
import { removeAdventures } from '../../../src/app/adventure/adventures.ts'
import { storyCopySteps } from '../../../src/app/adventure/copy-steps.ts'
import { openLibrary } from '../../../src/db/library/open.ts'
import type { Library } from '../../../src/db/library.ts'
import { countOutdatedRows } from '../../../src/db/search/story-index.ts'
import { listAdventures } from '../../../src/db/tables/adventure-list.ts'
import { gate, say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const PASSAGES = 1_200
const endpoint = await startEndpoint()
endpoint.byDefault(say('The rain goes on.'))
const server = await startServer()
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'm' })
const file = {
  format: 'ai-dnd-adventure-v1',
  title: 'Long',
  actions: Array.from({ length: PASSAGES }, (_, index) => ({
    index,
    type: index === 0 ? 'start' : 'ai',
    text: `The silverfinch sings for the ${index}th time. ${'Rain falls. '.repeat(30)}`,
  })),
}
const { library } = server.deps
const story = async (): Promise<number> => {
  const answer = await server.ask('/api/import?apply=1', { method: 'POST', body: JSON.stringify(file) })
  await server.deps.indexing.ended()
  return (await answer.json()).adventure_ids[0]
}
const counts = ({ reader }: Library) =>
  ['adventures', 'actions', 'memories', 'search_indexed'].map(
    (table) => reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n,
  )

/** Counts the workers that are started. The first `failing` of them do not start. */
function watchWorkers({ failing = 0 } = {}) {
  const Real = globalThis.Worker
  const watch = {
    started: 0,
    [Symbol.dispose]() {
      globalThis.Worker = Real
    },
  }
  globalThis.Worker = class extends Real {
    constructor(url: string | URL) {
      if (++watch.started <= failing) throw new Error('no thread')
      super(url)
    }
  }
  return watch
}

/** Plays turns of another story until the work is over. Returns how many ended meanwhile. */
async function turnsBeside(work: Promise<unknown>): Promise<number> {
  const { id } = (await server.post('/api/adventures', { title: 'Played meanwhile' })).body
  let isOver = false
  const done = work.finally(() => {
    isOver = true
  })
  let turns = 0
  for (; !isOver; turns++)
    expect((await playTurn(server, id, { type: 'do', text: 'wait' })).at(-1)?.type).toBe('done')
  await done
  await server.send('DELETE', `/api/adventures/${id}`)
  return turns
}

test('a long story is copied and deleted while turns of others end, and leaves nothing', async () => {
  const id = await story()
  const before = counts(library)
  let copy = 0
  const copying = server.post(`/api/adventures/${id}/copy`, {}).then(({ status, body }) => {
    expect(status).toBe(201)
    copy = body.id
  })
  expect(await turnsBeside(copying)).toBeGreaterThan(0)
  expect((await server.get(`/api/adventures/${copy}`)).body).toMatchObject({
    title: 'Long (copy)',
    action_count: PASSAGES,
  })
  await server.deps.indexing.ended()
  expect(countOutdatedRows(library.reader)).toEqual({ missing: 0, different: 0 })
  const deleting = server.send('DELETE', `/api/adventures/${copy}`)
  expect(await turnsBeside(deleting)).toBeGreaterThan(0)
  expect((await deleting).status).toBe(204)
  expect(counts(library)).toEqual(before)
  expect(countOutdatedRows(library.reader)).toEqual({ missing: 0, different: 0 })
})

test('the copy of a long story waits for the stat changes of its last turn', async () => {
  const id = await story()
  const [recorded, order] = [gate(), [] as string[]]
  const ended = server.deps.recordings.start({ adventureId: id, actionId: 0 }, async (early) => {
    await recorded.opened
    order.push(early.aborted ? 'lost' : 'recorded')
  })
  const copying = server
    .post(`/api/adventures/${id}/copy`, {})
    .then(({ status }) => order.push(`copied ${status}`))
  while (!server.deps.locks.isTaken(id)) await Bun.sleep(1)
  recorded.open()
  await Promise.all([ended, copying])
  expect(order).toEqual(['recorded', 'copied 201'])
})

test('a story that is being deleted is gone at once', async () => {
  const id = await story()
  const deleting = server.send('DELETE', `/api/adventures/${id}`)
  while (listAdventures(library.reader).some((one) => one.id === id)) await Bun.sleep(1)
  for (const of of ['', '/world-state', '/insights', '/audit', '/memories', '/actions', '/context'])
    expect([of, (await server.get(`/api/adventures/${id}${of}`)).status]).toEqual([of, 404])
  expect((await deleting).status).toBe(204)
})

test('the page of a long story does not wait until it is removed', async () => {
  const before = counts(library)
  const ids = [await story(), await story()]
  const body = new URLSearchParams({
    do: 'delete',
    confirmed: '1',
    ...Object.fromEntries(ids.map((id) => [`story:${id}`, 'on'])),
  })
  const { status } = await server.ask('/adventures/selected', { method: 'POST', body, redirect: 'manual' })
  expect(status).toBe(303)
  expect(listAdventures(library.reader).filter(({ id }) => ids.includes(id))).toEqual([])
  expect(counts(library)).not.toEqual(before)
  await server.deps.removals.run(server.deps)
  expect(counts(library)).toEqual(before)
})

test('many long stories that are deleted at once are removed by one worker', async () => {
  const before = counts(library)
  const ids = [await story(), await story(), await story(), await story()]
  using workers = watchWorkers()
  const answers = await Promise.all(ids.map((id) => server.send('DELETE', `/api/adventures/${id}`)))
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
  // One for the first, and one for those that came meanwhile.
  expect(workers.started).toBeLessThanOrEqual(2)
  expect(counts(library)).toEqual(before)
})

test('a deletion that failed is made in idle time', async () => {
  const quick = await startServer({ idleDelay: 1 })
  const before = counts(quick.deps.library)
  const imported = await quick.ask('/api/import?apply=1', { method: 'POST', body: JSON.stringify(file) })
  const [id] = (await imported.json()).adventure_ids
  await quick.deps.indexing.ended()
  await quick.deps.idle.ended()
  using workers = watchWorkers({ failing: 1 })
  expect((await quick.send('DELETE', `/api/adventures/${id}`)).status).toBe(204)
  quick.deps.idle.wake()
  await quick.deps.idle.ended()
  expect(workers.started).toBeGreaterThan(1)
  expect(counts(quick.deps.library)).toEqual(before)
})

test('workers write one after another', async () => {
  const ids = [await story(), await story()]
  const before = counts(library)
  const copies = await Promise.all(ids.map((id) => server.post(`/api/adventures/${id}/copy`, {})))
  expect(copies.map(({ status }) => status)).toEqual([201, 201])
  await server.deps.indexing.ended()
  await removeAdventures(
    server.deps,
    copies.map(({ body }) => body.id),
  ).removed
  expect(counts(library)).toEqual(before)
})

test('stories are not deleted while a turn of one of them runs', async () => {
  const [idle, busy] = [await story(), await story()]
  {
    using _ = server.deps.locks.take(busy)
    expect(() => removeAdventures(server.deps, [idle, busy])).toThrow('still running')
  }
  expect(server.deps.locks.isTaken(idle)).toBe(false)
  expect(listAdventures(library.reader).map(({ id }) => id)).toContain(idle)
  await removeAdventures(server.deps, [idle, busy]).removed
})

test('a copy that was interrupted is hidden, and removed by the next start', async () => {
  const id = await story()
  const [before, shown] = [counts(library), listAdventures(library.reader)]
  const steps = storyCopySteps(library.reader, { adventure: id, upTo: null, at: new Date() })
  library.write((tx) => {
    for (let done = 0; done < 3; done++) {
      const step = steps.next()
      if (!step.done) step.value(tx)
    }
  })
  expect(counts(library)).not.toEqual(before)
  expect(listAdventures(library.reader)).toEqual(shown)
  await server.stop()
  const again = openLibrary(library.path)
  expect(counts(again)).toEqual(before)
  again.close()
  await endpoint.close()
})
