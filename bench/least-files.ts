import { Database } from 'bun:sqlite'

const COLUMNS = ['type', 'text', 'world_state_before', 'world_delta', 'variants', 'created_at'] as const
type Row = Record<(typeof COLUMNS)[number], string | null>

/** The least program that could export the actions of a library and import a file of them, without a check of anything. */
export function serveLeast(dbPath: string) {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: async (request) =>
      request.method === 'POST'
        ? new Response(String(imported(dbPath, await request.text())))
        : new Response(exported(dbPath)),
  })
}

function exported(dbPath: string): string {
  using db = new Database(dbPath, { readonly: true })
  const rows = db.query<Row, []>(
    `SELECT ${COLUMNS.join(', ')} FROM actions WHERE adventure_id = 1 ORDER BY id`,
  )
  return rows
    .all()
    .map((row) => JSON.stringify(row))
    .join('\n')
}

function imported(dbPath: string, file: string): number {
  const { actions } = JSON.parse(file) as { actions: Record<string, unknown>[] }
  using db = new Database(`${dbPath}.least`)
  db.run('PRAGMA journal_mode = WAL')
  db.run(`CREATE TABLE IF NOT EXISTS actions (${COLUMNS.join(', ')})`)
  const insert = db.query(`INSERT INTO actions VALUES (${COLUMNS.map(() => '?').join(', ')})`)
  db.transaction(() => {
    for (const action of actions) insert.run(...COLUMNS.map((name) => stored(action[name])))
  })()
  return actions.length
}

function stored(value: unknown): string | null {
  return typeof value === 'string' || value == null ? (value ?? null) : JSON.stringify(value)
}
