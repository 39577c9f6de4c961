import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type FileRequest, writeFile } from '../../../src/app/files/write-file.ts'
import type { ColumnValue } from '../../../src/db/column-values.ts'
import { columnsOf, quoted } from '../../../src/db/declared-columns.ts'
import { UNUSED_TABLES } from '../../../src/db/library/declarations.ts'
import { allMigrations, inMemoryLibrary } from '../../../src/db/library/migrate.ts'
import { repair } from '../../../src/db/library/repair.ts'
import { StoryError } from '../../../src/domain/errors.ts'
import { WHOLE_STORY } from '../../../src/formats/book/passages.ts'
import { ADVENTURE_FORMATS, SCENARIO_FORMATS } from '../../../src/formats/file-name.ts'
import { isFullLane } from '../../support/depth.ts'
import { sayAndRecord, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { everyRoute, FORM_FIELDS, QUERIES, type RouteRequest } from '../../support/service/routes.ts'
import { startServer } from '../../support/service/server.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** What another program may have left in a cell, whatever the type of its column. */
const ODD: ColumnValue[] = [
  'soon',
  new Uint8Array([0xc3, 0xff, 0x00]),
  1e308,
  '',
  'NaN',
  -1,
  '[1, null, {}]',
  '{"a": [null]}',
]

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
endpoint.byDefault(sayAndRecord('The lamp burns low.', { 'player.warmth': -1 }))

/** The SQL that a request runs, by which it is known which columns it reads. */
let statements = new Set<string>()
const server = await startServer({ watch: (sql) => void statements.add(sql) })
const { library } = server.deps
library.reader.get('PRAGMA synchronous = OFF')
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
const routes = await everyRoute(server)
const tables = declaredTables()
fillEmptyTables()

const elsewhere = new Database(server.path)
elsewhere.run('PRAGMA synchronous = OFF')
elsewhere.run('PRAGMA busy_timeout = 5000')
const pristine = join(temporaryFolder(), 'pristine.db')
elsewhere.query('VACUUM INTO ?').run(pristine)
elsewhere.query('ATTACH ? AS pristine').run(pristine)

/** The tables that are read, with what they refer to. */
function declaredTables() {
  using db = inMemoryLibrary(allMigrations())
  const names = db
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'",
    )
    .all()
  const parents = db.query<{ column: string; table: string }, [string]>(
    'SELECT "from" AS "column", "table" FROM pragma_foreign_key_list(?)',
  )
  return names
    .filter(({ name }) => !name.startsWith('sqlite_') && !UNUSED_TABLES.has(name))
    .map(({ name }) => ({ name, columns: columnsOf(db, name), parents: parents.all(name) }))
}

/** Every table has a row that belongs to the story. */
function fillEmptyTables(): void {
  const ids: Record<string, number> = {
    users: 1,
    scenarios: idIn('/api/scenarios/:id'),
    adventures: idIn('/api/adventures/:id'),
    actions: Number(library.reader.get<{ id: number }>('SELECT max(id) AS id FROM actions')?.id),
  }
  library.write((tx) => {
    for (const { name, columns, parents } of tables) {
      if (tx.get(`SELECT 1 FROM ${name}`) !== null) continue
      // A text key names something: a preference, for example.
      const keys = columns
        .filter(({ pk, type }) => pk && type === 'TEXT')
        .map((column) => [column.name, 'theme'])
      const owners = parents.map(({ column, table }) => [column, ids[table] ?? null])
      tx.insert(name, Object.fromEntries([...keys, ...owners]))
    }
    tx.run('UPDATE bookmarks SET action_created_at = (SELECT created_at FROM actions WHERE id = action_id)')
  })
}

function idIn(route: string): number {
  return Number(
    routes
      .find((one) => one.route === route)
      ?.path.split('/')
      .at(-1),
  )
}

interface Job {
  name: string
  /** Returns what went wrong; '' if nothing did. */
  run(): Promise<string>
  /** What it ran in the library as it should be. */
  sql: string
}

async function learned(jobs: Omit<Job, 'sql'>[]): Promise<Job[]> {
  const known: Job[] = []
  for (const job of jobs) {
    statements = new Set()
    await job.run()
    known.push({ ...job, sql: [...statements].join('\n') })
    putBack()
  }
  return known
}

async function ask({ method, path, isApi, example }: RouteRequest, query = ''): Promise<Response> {
  if (method === 'GET' || method === 'HEAD')
    return server.ask(path + query, { method, headers: isApi ? {} : { Accept: 'text/html' } })
  const type = isApi ? 'application/json' : 'application/x-www-form-urlencoded'
  const body = isApi ? JSON.stringify(example ?? {}) : FORM_FIELDS
  return server.ask(path, { method, body, headers: { 'Content-Type': type } })
}

const isReading = ({ method }: RouteRequest) => method === 'GET'
// A backup copies the file and reads no cell; a worker writes an export, whose own functions are called below.
const isInWorker = ({ route }: RouteRequest) => /backup|\/export$/.test(route)

const reading = await learned([
  ...routes
    .filter((route) => isReading(route) && !isInWorker(route))
    .flatMap((route) =>
      (QUERIES[route.route] ?? ['']).map((query) => ({
        name: `GET ${route.path}${query}`,
        run: async () => {
          const response = await ask(route, query)
          return internalError(response.status, await response.text())
        },
      })),
    ),
  ...exports().map((wanted) => ({
    name: `export of ${wanted.of} as ${wanted.format}`,
    run: () => exported(wanted),
  })),
  { name: 'the next start', run: async () => started() },
])

function exports(): FileRequest[] {
  const [story, scenario] = [idIn('/api/adventures/:id'), idIn('/api/scenarios/:id')]
  return [
    ...ADVENTURE_FORMATS.map((format) => ({
      of: 'adventure' as const,
      id: story,
      format,
      reading: WHOLE_STORY,
    })),
    ...SCENARIO_FORMATS.map((format) => ({ of: 'scenario' as const, id: scenario, format })),
  ]
}

async function exported(wanted: FileRequest): Promise<string> {
  try {
    await writeFile(library.reader, wanted, new Date(0))
    return ''
  } catch (error) {
    return error instanceof StoryError ? '' : String(error)
  }
}

function started(): string {
  statements.add(
    tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]).join(' '),
  )
  try {
    repair(elsewhere)
    return ''
  } catch (error) {
    return String(error)
  }
}

/** Makes every row have the value in a column; where that is not possible, one row. Returns whether any row has it. */
function spoil(table: string, column: string, value: ColumnValue): boolean {
  for (const which of ['', ` WHERE ${quoted(column)} IS (SELECT max(${quoted(column)}) FROM ${table})`])
    try {
      return elsewhere.query(`UPDATE ${table} SET ${quoted(column)} = ?${which}`).run(value).changes > 0
    } catch {}
  return false
}

function putBack(): void {
  elsewhere.transaction(() => {
    for (const { name } of tables) {
      elsewhere.run(`DELETE FROM main.${name}`)
      elsewhere.run(`INSERT INTO main.${name} SELECT * FROM pristine.${name}`)
    }
  })()
}

/** Changes when the service has written. */
const version = () => Object.values(elsewhere.query('PRAGMA data_version').get() ?? {})[0]

function internalError(status: number, text: string): string {
  return /Something went wrong in Inglenook/.test(text) || status === 500 ? `${status}` : ''
}

const words = (text: string) => new Set(text.match(/\w+|\*/g))
const reads = ({ sql }: Job, table: string, column: string) => {
  const known = words(sql)
  return known.has(table) && (known.has(column) || known.has('*'))
}

/** All values and jobs in the full lane; otherwise one value for each column, and a ninth of what reads it. */
async function wrongWith(jobs: Job[], table: string, column: string, i: number): Promise<string[]> {
  const wrong: string[] = []
  const readers = jobs.filter((one) => reads(one, table, column))
  for (const value of isFullLane ? ODD : [ODD[i % ODD.length] ?? null]) {
    let spoiledAt: unknown
    for (const job of isFullLane ? readers : readers.filter((_, at) => at % 9 === i % 9)) {
      if (spoiledAt !== version()) {
        if (!spoil(table, column, value)) break
        spoiledAt = version()
      }
      const what = await job.run()
      if (what !== '') wrong.push(`${table}.${column} = ${JSON.stringify(value)}: ${job.name} ${what}`)
    }
    putBack()
  }
  return wrong
}

describe('an odd value in', () => {
  for (const { name, columns } of tables)
    test(`${name} is read as nothing or as a default by every page, route, export and start`, async () => {
      const wrong: string[] = []
      for (const [i, column] of columns.entries())
        wrong.push(...(await wrongWith(reading, name, column.name, i)))
      expect(wrong).toEqual([])
    })
})

// Looking for servers asks every port of this machine. A window that was cut for suggestions stays cut if the model fails.
const writing = await learned(
  routes
    .filter(
      (route) => !isReading(route) && route.method !== 'HEAD' && !/detect|suggestions/.test(route.route),
    )
    .map((route) => ({
      name: `${route.method} ${route.path}`,
      run: async () => {
        const before = version()
        const response = await ask(route)
        const wrong = internalError(response.status, await response.text())
        // What a turn has begun is written after its response.
        await server.deps.locks.allFreed()
        await server.deps.recordings.allEnded()
        const wrote = version() !== before
        if (wrote) putBack()
        return wrote && (wrong !== '' || response.status >= 400) ? `${response.status}, and wrote` : wrong
      },
    })),
)

describe('with an odd value in', () => {
  for (const { name, columns } of tables)
    test(`${name} every route writes all or nothing`, async () => {
      const wrong: string[] = []
      for (const [i, column] of columns.entries())
        wrong.push(...(await wrongWith(writing, name, column.name, i)))
      expect(wrong).toEqual([])
    })
})
