import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { runDoctor } from '../../../src/app/files/doctor.ts'
import { bringToTrees, leaveTrees, playOnInTree } from '../../support/earlier/tree-library.ts'
import { say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { playedLibrary } from '../../support/library/played-library.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startServer, type TestServer } from '../../support/service/server.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const endpoint = await startEndpoint()
endpoint.byDefault(say('A door opens.'))
afterAll(() => endpoint.close())

const place = () => join(temporaryFolder(), 'library.db')

async function bundles(server: TestServer): Promise<unknown[]> {
  const items = (await server.get('/api/adventures')).body
  return Promise.all(
    items.map(async ({ id }: { id: number }) => ({
      ...(await server.get(`/api/adventures/${id}/export?format=json`)).body,
      exported_at: '',
    })),
  )
}

async function findingsIn(path: string): Promise<unknown[]> {
  return (await runDoctor(path, { version: '' })).findings
}

test('a library that was played here and brought to stories as trees comes back with everything', async () => {
  const path = place()
  await playedLibrary(path)
  const first = await startServer({ dbPath: path })
  const [action_id] = (await actionsOf(first, 1)).map(({ id }: { id: number }) => id).slice(2)
  await first.post('/api/adventures/1/family', { action_id, name: 'The reef' })
  const before = await bundles(first)
  const branches = (await first.get('/api/adventures/1/family')).body
  const found = (await first.get('/api/search?q=bell')).body
  await first.stop()
  bringToTrees(path)
  const server = await startServer({ dbPath: path })
  expect(await bundles(server)).toEqual(before)
  expect((await server.get('/api/adventures/1/family')).body).toEqual(branches)
  expect((await server.get('/api/search?q=bell')).body).toEqual(found)
  await server.stop()
  expect(await findingsIn(path)).toEqual([])
})

/** Tables that a tree concerns, or that are built anew. */
const OTHER =
  /^(actions|branches|schema_migrations|chapters|bookmarks|.*prompt_parts|search_.*|memory_words.*)$/

/** The rows of all other tables, without what is worked out anew. */
function rowsIn(path: string): Record<string, unknown> {
  using db = new Database(path, { readonly: true })
  const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const listed = tables.map(({ name }) => name).filter((name) => !OTHER.test(name))
  return Object.fromEntries(listed.map((name) => [name, db.query(`SELECT * FROM ${name}`).all().map(own)]))
}

const own = (row: unknown) =>
  Object.fromEntries(
    Object.entries(row as object).filter(
      ([column]) => !/^(epoch_|head_|memory_cursor|summary_cursor|branch_id$|depth$)/.test(column),
    ),
  )

test('everything that a tree does not concern is row for row as it was', async () => {
  const path = place()
  await playedLibrary(path)
  bringToTrees(path)
  const also = new Database(path)
  also.run("UPDATE adventures SET story_summary = 'So far the tide.' WHERE id = 1")
  also.close()
  const before = rowsIn(path)
  const server = await startServer({ dbPath: path })
  await server.stop()
  expect(rowsIn(path)).toEqual(before)
})

test('memories of a passage that was edited there are out of date', async () => {
  const path = place()
  await playedLibrary(path)
  bringToTrees(path)
  const also = new Database(path)
  also.run(
    "UPDATE actions SET text = CAST(text || ' It rains.' AS BLOB) WHERE adventure_id = 1 AND depth = 2 AND live",
  )
  also.close()
  const server = await startServer({ dbPath: path })
  const { memories, actions } = (await server.get('/api/adventures/1/export?format=json')).body
  expect(actions[2].text).toEndWith(' It rains.')
  expect(memories.map(({ text, stale }: { text: string; stale: boolean }) => [text, stale])).toEqual([
    ['What was in passage 0.', false],
    ['What was in passage 2.', true],
    ['Written by hand.', false],
  ])
  await server.stop()
})

test('what was played there before it came back is another branch of its story', async () => {
  const path = place()
  await playedLibrary(path)
  const first = await startServer({ dbPath: path })
  const told = await actionsOf(first, 1)
  await first.post('/api/adventures/1/family', { action_id: told[2].id, name: 'The reef' })
  await first.stop()
  bringToTrees(path)
  playOnInTree(path, 1, 2, 'A gull lands on the reef.')
  const server = await startServer({ dbPath: path })
  expect(await (await server.ask('/')).text()).toContain('1 other branch of them')
  const branches = (await server.get('/api/adventures/1/family')).body
  const texts = async (id: number) => (await actionsOf(server, id)).map(({ text }: { text: string }) => text)
  const lines = await Promise.all(branches.map(({ id }: { id: number }) => texts(id)))
  const before = told.map(({ text }: { text: string }) => text)
  expect(lines).toEqual([[...before.slice(0, 3), 'A gull lands on the reef.'], before.slice(0, 3), before])
  expect(branches.map(({ branched_from }: { branched_from: number | null }) => branched_from)).toEqual([
    null,
    1,
    1,
  ])
  for (const { id } of branches)
    expect((await server.get(`/api/adventures/${id}/audit`)).body).toMatchObject({ ok: true, findings: [] })
  await server.stop()
  expect(await findingsIn(path)).toEqual([])
})

test('a branch that was played on there has its name', async () => {
  const path = place()
  await playedLibrary(path)
  const first = await startServer({ dbPath: path })
  const [, , { id: action_id }] = await actionsOf(first, 1)
  const { id } = (await first.post('/api/adventures/1/family', { action_id, name: 'The reef' })).body
  await first.stop()
  bringToTrees(path)
  playOnInTree(path, id, 1, 'A gull lands on the reef.')
  const server = await startServer({ dbPath: path })
  const branches: { id: number; branch_name: string }[] = (await server.get('/api/adventures/1/family')).body
  expect(branches.find((branch) => branch.id === id)?.branch_name).toBe('The reef')
  await server.stop()
})

test('a converted story is read, played on, retried and switched on each of its branches', async () => {
  const path = place()
  leaveTrees(path)
  const also = new Database(path)
  also.run(`UPDATE settings SET endpoint_url = '${endpoint.url}', model = 'test-model'`)
  also.close()
  const server = await startServer({ dbPath: path })
  const page = await (await server.ask('/')).text()
  expect(page).toContain(
    'This library of the earlier release was converted: 2 stories, 1 other branch of them',
  )
  const map = await (await server.ask('/adventures/1/branches')).text()
  expect(map).toContain('Passage 1.2')

  const branch = (await server.get('/api/adventures')).body.find(
    ({ title }: { title: string }) => title === 'Story 1: Passage 1.2',
  ).id
  const last = (await actionsOf(server, branch)).at(-1)
  expect(last).toMatchObject({ variant_count: 3, variant_index: 2 })
  await server.post(`/api/adventures/${branch}/actions/${last.id}/variant`, { index: 0 })
  expect((await server.get(`/api/adventures/${branch}/world-state`)).body.state.player).toEqual({ hp: 3 })
  for (const id of [1, branch, 2]) {
    const before = (await actionsOf(server, id)).length
    await playTurn(server, id, { type: 'do', text: 'look around' })
    await retryTurn(server, id)
    const actions = await actionsOf(server, id)
    expect(actions).toHaveLength(before + 2)
    expect(actions.at(-1)).toMatchObject({ text: 'A door opens.', variant_count: 2 })
    expect((await server.get(`/api/adventures/${id}/audit`)).body).toMatchObject({ ok: true, findings: [] })
  }
  await server.stop()
  expect(await findingsIn(path)).toEqual([])
})

async function actionsOf(server: TestServer, id: number) {
  return (await server.get(`/api/adventures/${id}/actions?limit=100`)).body.actions
}
