import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { hasVectors } from '../../../src/db/search/text-vectors.ts'
import { isFullLane } from '../../support/depth.ts'
import { json, say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startServer, type TestServer } from '../../support/service/server.ts'

const NO_COST = { rows: 0, bytes: 0 }
/** Rows and bytes that were read, by statement. */
const read = new Map<string, Cost>()
const watch = (sql: string, rows: readonly unknown[]) => {
  const known = read.get(sql) ?? NO_COST
  const bytes = rows.reduce<number>((sum, row) => sum + bytesOf(row), 0)
  read.set(sql, { rows: known.rows + rows.length, bytes: known.bytes + bytes })
}
const server = await startServer({ watch })
/** Five characters per token of the whole window, and as much again for everything but the story. */
const BYTES_OF_A_WINDOW = 16_384 * 5 * 2

interface Cost {
  rows: number
  bytes: number
}

/** The bytes in a row: eight per number, the length of text and blobs. */
function bytesOf(row: unknown): number {
  return Object.values(row as object).reduce<number>((sum, value) => {
    if (typeof value === 'string') return sum + Buffer.byteLength(value)
    return sum + (value instanceof Uint8Array ? value.byteLength : 8)
  }, 0)
}

/** A story of so many actions of realistic length. */
async function storyOf(server: TestServer, actions: number): Promise<number> {
  const { id } = (await server.post('/api/adventures', { scenario_id: 1 })).body
  server.deps.library.write((tx) => {
    for (let index = 1; index < actions; index++)
      tx.run(
        `INSERT INTO actions (adventure_id, "index", type, text, variants, variant_count, context_snapshot, world_state_before, created_at)
         VALUES (?, ?, ?, ?, ?, 1, ?, ?, '2026-01-01 00:00:00.000000')`,
        id,
        index,
        index % 2 ? 'do' : 'ai',
        `Passage ${String(index).padStart(6, '0')}. ${'The road goes on and on. '.repeat(35)}`,
        JSON.stringify([{ text: 'x'.repeat(4000) }]),
        new Uint8Array(4000),
        '{}',
      )
    tx.run('UPDATE adventures SET action_count = ? WHERE id = ?', actions, id)
  })
  return id
}

async function costOf(operation: () => Promise<unknown>): Promise<Cost & { statements: string[] }> {
  read.clear()
  await operation()
  return { ...added([...read.values()]), statements: [...read.keys()] }
}

function added(costs: readonly Cost[]): Cost {
  return costs.reduce(
    (sum, { rows, bytes }) => ({ rows: sum.rows + rows, bytes: sum.bytes + bytes }),
    NO_COST,
  )
}

const short = await storyOf(server, 101)
const long = await storyOf(server, 10_001)
const within = (one: number, other: number) =>
  expect(Math.abs(one - other) / Math.max(one, other)).toBeLessThanOrEqual(0.1)

const operations: [name: string, operation: (id: number) => Promise<unknown>][] = [
  ['the play page', (id) => server.ask(`/adventures/${id}`)],
  ['its contents', (id) => server.ask(`/adventures/${id}?panel=contents`)],
  ['the story by the API', (id) => server.get(`/api/adventures/${id}`)],
  [
    'a turn',
    async (id) =>
      (
        await server.ask(`/api/adventures/${id}/actions`, {
          method: 'POST',
          body: '{"type":"do","text":"wait"}',
          headers: { 'Content-Type': 'application/json' },
        })
      ).text(),
  ],
  ['a retry', async (id) => (await server.ask(`/api/adventures/${id}/retry`, { method: 'POST' })).text()],
  ['an undo', (id) => server.post(`/api/adventures/${id}/undo`)],
]

/** What a turn reads, as the mean over two epochs of a story, that is over two cuts of its window. */
async function meanOverEpochs(server: TestServer, id: number): Promise<Cost> {
  const opened = () =>
    server.deps.library.reader.get<{ at: number }>(
      'SELECT epoch_start AS at FROM adventures WHERE id = ?',
      id,
    )?.at
  const epochs: Cost[][] = [[]]
  while (epochs.length < 4) {
    const before = opened()
    const { rows, bytes } = await costOf(() => playTurn(server, id, { type: 'do', text: 'wait' }))
    if (opened() !== before) epochs.push([])
    epochs.at(-1)?.push({ rows, bytes })
  }
  const whole = epochs.slice(1, -1).flat()
  const { rows, bytes } = added(whole)
  return { rows: rows / whole.length, bytes: bytes / whole.length }
}

describe('the amount read does not grow with the story', () => {
  for (const [name, operation] of operations)
    test(name, async () => {
      const few = await costOf(() => operation(short))
      const many = await costOf(() => operation(long))
      expect(few.rows).toBeGreaterThan(1)
      within(few.rows, many.rows)
      within(few.bytes, many.bytes)
      expect(many.statements.filter(scansActions)).toEqual([])
    })

  test('by a turn, as the mean over whole epochs', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(say('The road goes on and on. '.repeat(35)))
    const played = await startServer({ watch })
    await played.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
    const means: Cost[] = []
    for (const actions of [1_001, 10_001, ...(isFullLane ? [100_001] : [])])
      means.push(await meanOverEpochs(played, await storyOf(played, actions)))
    for (const [what, bound] of [
      ['rows', 200],
      ['bytes', BYTES_OF_A_WINDOW],
    ] as const) {
      const values = means.map((mean) => mean[what])
      const [least, most] = [Math.min(...values), Math.max(...values)]
      expect([values, (most - least) / most < 0.05, most < bound]).toEqual([values, true, true])
    }
  })

  test('nor does the size of the play page', async () => {
    const [few, many] = await Promise.all(
      [short, long].map(async (id) => (await (await server.ask(`/adventures/${id}`)).text()).length),
    )
    within(few ?? 0, many ?? 0)
    expect(many).toBeLessThan(200_000)
  })

  test('the page of insights reads few passages', async () => {
    const id = await storyOf(server, 1_000)
    const { rows, statements } = await costOf(async () => {
      await server.ask(`/adventures/${id}/insights`)
    })
    expect(rows).toBeLessThan(500)
    expect(statements.filter(scansActions)).toEqual([])
  })

  test('a list reads no column that grows with versions, prompts or pictures', async () => {
    const { statements } = await costOf(async () => {
      await server.get('/api/adventures')
      await server.get('/api/scenarios')
      await server.ask('/')
      await server.get(`/api/adventures/${long}`)
      await server.get(`/api/adventures/${long}/actions`)
      await server.ask(`/adventures/${long}`)
    })
    const heavy = /context_snapshot|\bvariants\b|world_state_before|raw_output|embedding_blob|\bimage\b/
    expect(statements.length).toBeGreaterThan(5)
    // One passage by its id is no list.
    const lists = statements.filter((sql) => !/WHERE id = \?$/.test(sql.trim()))
    expect(lists.filter((sql) => heavy.test(sql))).toEqual([])
  })
})

test('no statement of a turn is prepared a second time', async () => {
  const { statements } = await costOf(async () => {
    for (const [, operation] of operations) await operation(short)
  })
  expect(statements.length).toBeGreaterThan(40)
  expect(statements.length).toBeLessThan(Database.MAX_QUERY_CACHE_SIZE)
})

test('memories are looked up by their ids, not among all of a story', async () => {
  const { id } = (await server.post('/api/adventures', { scenario_id: 1 })).body
  await server.post(`/api/adventures/${id}/memories`, { text: 'The lamp of Ilse stands in the cellar.' })
  const turn = () => playTurn(server, id, { type: 'do', text: 'take the lamp of Ilse' })
  await turn()
  const { statements } = await costOf(turn)
  const lookups = statements.filter((sql) => /FROM memories\b[\s\S]*\bid IN \(/.test(sql))
  expect(lookups.length).toBeGreaterThan(1)
  expect(lookups.filter((sql) => plan(sql).some((step) => step.includes('memories_by_adventure')))).toEqual(
    [],
  )
})

test('whether a story has vectors of a model is looked up, not searched for among all', async () => {
  const { statements } = await costOf(async () => hasVectors(server.deps.library.reader, 1, 'other'))
  expect(statements.map((sql) => plan(sql).join())).toEqual([
    expect.stringContaining('text_vectors_by_adventure'),
  ])
})

test('making a memory reads no forgotten one', async () => {
  await using endpoint = await startEndpoint()
  endpoint.byDefault(say('Ilse keeps the lamp in the cellar.'))
  endpoint.embedWith((exchange) => {
    const texts = exchange.request.body?.input ?? []
    return json(200, { data: texts.map((_, index) => ({ index, embedding: [1, 0] })) })(exchange)
  })
  const played = await startServer({ watch, idleDelay: 1 })
  const model = { endpoint_url: endpoint.url, model: 'test-model', embedding_model: 'e' }
  await played.send('PUT', '/api/settings', model)
  const id = await storyOf(played, 41)
  const forgotten = 3_000
  played.deps.library.write((tx) => {
    for (let index = 0; index < forgotten; index++)
      tx.run(
        `INSERT INTO memories (adventure_id, text, forgotten, created_at)
           VALUES (?, 'x', 1, '2026-01-01 00:00:00.000000')`,
        id,
      )
  })
  read.clear()
  played.deps.idle.wake(id)
  await played.deps.idle.ended()
  const memories = [...read].filter(([sql]) => /\bmemories\b/.test(sql))
  expect(memories.length).toBeGreaterThan(5)
  expect(added(memories.map(([, cost]) => cost)).rows).toBeLessThan(forgotten / 10)
  expect((await played.get(`/api/adventures/${id}/memories`)).body.length).toBeGreaterThan(forgotten)
})

/** Whether SQLite would scan all actions for a statement. */
function scansActions(sql: string): boolean {
  if (!/^\s*(SELECT|UPDATE|DELETE)/.test(sql)) return false
  return plan(sql).some((step) => /SCAN (actions|n)\b|SCAN memories|SCAN prompt_parts/.test(step))
}

/** The steps that SQLite would take. */
function plan(sql: string): string[] {
  using db = new Database(server.path, { readonly: true })
  const query = db.query<{ detail: string }, number[]>(`EXPLAIN QUERY PLAN ${sql}`)
  return query.all(...Array.from({ length: query.paramsCount }, () => 1)).map(({ detail }) => detail)
}

test('a statement that scans all actions would be noticed', () => {
  expect(scansActions('SELECT count(*) FROM actions WHERE text = ?')).toBe(true)
})
