import { Database, type SQLQueryBindings } from 'bun:sqlite'
import { StoryError } from '../domain/errors.ts'
import { codeOf } from './refused.ts'
import { storedTime } from './stored.ts'

/** What may stand in a column. Booleans are stored as 0 and 1. */
export type Value = string | number | boolean | null | Uint8Array

/** Told of each statement and of the rows that it gave. Tests count and weigh with it; nothing else listens. */
export type Watch = (sql: string, rows: readonly unknown[]) => void

/** Reading is free: every face may hold a Reader. */
export class Reader {
  constructor(
    protected readonly db: Database,
    protected readonly watch: Watch,
  ) {}

  get<Row>(sql: string, ...values: Value[]): Row | null {
    const row = refusing(() => this.db.query<Row, SQLQueryBindings[]>(sql).get(...values))
    this.watch(sql, row === null ? [] : [row])
    return row
  }

  all<Row>(sql: string, ...values: Value[]): Row[] {
    const rows = refusing(() => this.db.query<Row, SQLQueryBindings[]>(sql).all(...values))
    this.watch(sql, rows)
    return rows
  }
}

/** Writing has one door: a Writer exists only inside `Library.write`. */
export class Writer extends Reader {
  /** Runs one statement; gives the number of rows changed. */
  run(sql: string, ...values: Value[]): number {
    this.watch(sql, [])
    return this.db.query<unknown, SQLQueryBindings[]>(sql).run(...values).changes
  }

  /**
   * Inserts a row and gives its id. Columns that the file demands and the record does not name (inert ones of the
   * earlier release, ones of a stranger) get the neutral value of their type.
   */
  insert(table: string, record: Record<string, Value>): number {
    const row = { ...neutralValues(this.db, table), ...record }
    const columns = Object.keys(row)
    const sql = `INSERT INTO ${table} (${columns.map(quoted).join(', ')})
      VALUES (${columns.map(() => '?').join(', ')})`
    this.watch(sql, [])
    return Number(this.db.query<unknown, SQLQueryBindings[]>(sql).run(...Object.values(row)).lastInsertRowid)
  }

  /**
   * Copies rows of a table, whatever columns it has, with some of them replaced and ids of their own. `which` is SQL
   * behind WHERE; ids are given in its order. Gives the id of the last row.
   */
  copy(table: string, replaced: Record<string, Value>, which: string, ...values: Value[]): number {
    const kept = columnsOf(this.db, table)
      .map(({ name }) => name)
      .filter((name) => name !== 'id' && !Object.hasOwn(replaced, name))
      .map(quoted)
    const given = Object.keys(replaced)
    const sql = `INSERT INTO ${table} (${[...kept, ...given].join(', ')})
      SELECT ${[...kept, ...given.map(() => '?')].join(', ')} FROM ${table} WHERE ${which}`
    this.watch(sql, [])
    const { lastInsertRowid } = this.db
      .query<unknown, SQLQueryBindings[]>(sql)
      .run(...Object.values(replaced), ...values)
    return Number(lastInsertRowid)
  }

  /** Sets the named columns of one row. */
  update(table: string, id: number, record: Record<string, Value>): void {
    const columns = Object.keys(record)
    if (columns.length === 0) return
    const assignments = columns.map((name) => `${quoted(name)} = ?`).join(', ')
    this.run(`UPDATE ${table} SET ${assignments} WHERE id = ?`, ...Object.values(record), id)
  }
}

/** An open library file. `reader` reads the last committed state. */
export class Library {
  readonly reader: Reader
  private readonly writer: Writer

  constructor(
    readonly path: string,
    private readonly db: Database,
    /** Held for the life of the process: garbage collection would free the lock. */
    private readonly lock: Database,
    watch: Watch,
  ) {
    this.reader = new Reader(db, watch)
    this.writer = new Writer(db, watch)
  }

  /**
   * The one door: all of `work` is stored, or nothing. It must be synchronous: an async function would be
   * committed at its first wait, so it does not compile. Throws library_busy, storage_full.
   */
  write<T>(work: (tx: Writer) => T extends PromiseLike<unknown> ? never : T): T {
    return refusing(() => this.db.transaction(() => work(this.writer) as T).immediate())
  }

  /**
   * Moves the journal into the file itself, because people copy the file. While somebody reads it, as much as can be is
   * moved and nobody waits.
   */
  checkpoint(): void {
    this.db.run('PRAGMA busy_timeout = 0')
    try {
      this.db.run('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      this.db.run(`PRAGMA busy_timeout = ${SERVING}`)
    }
  }

  close(): void {
    try {
      this.checkpoint()
    } finally {
      this.db.close()
      this.lock.close()
    }
  }
}

/** Milliseconds that the serving connection waits for another program. */
export const SERVING = 100

/** What every connection that writes is given. */
export const GUARDED = ['synchronous = FULL', 'foreign_keys = ON', 'trusted_schema = OFF'] as const

/** Opens a connection with the pragmas in the order that matters: the patience before what needs it. */
export function connect(path: string, patience: number): Database {
  return connected(path, patience, ['journal_mode = WAL', ...GUARDED])
}

/** The same, in the journal mode in which the file was left: not a byte of it is changed yet. */
export function connectAsLeft(path: string, patience: number): Database {
  return connected(path, patience, GUARDED)
}

function connected(path: string, patience: number, pragmas: readonly string[]): Database {
  const db = new Database(path, { create: true, readwrite: true, strict: true })
  db.run(`PRAGMA busy_timeout = ${patience}`)
  for (const pragma of pragmas) db.run(`PRAGMA ${pragma}`)
  return db
}

/** A name as it stands in SQL. Other programs name their tables and columns as they like. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The columns of a table, as the file declares them. */
export function columnsOf(db: Database, table: string): Column[] {
  return db
    .query<Column, [string]>('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)')
    .all(table)
}

export function hasColumn(db: Database, table: string, column: string): boolean {
  return columnsOf(db, table).some(({ name }) => name === column)
}

export interface Column {
  name: string
  type: string
  notnull: number
  dflt_value: string | null
  pk: number
}

/** What fills a column that must not be empty, by its declared type; undefined where nothing is sure to fit. */
export function neutralValue(type: string): Value | undefined {
  if (/DATE|TIME/i.test(type)) return storedTime(new Date())
  if (/JSON/i.test(type)) return '{}'
  if (/CHAR|TEXT|CLOB/i.test(type)) return ''
  if (/INT|BOOL|REAL|FLOA|DOUB|NUM|DEC/i.test(type)) return 0
  return /BLOB/i.test(type) ? new Uint8Array() : undefined
}

function neutralValues(db: Database, table: string): Record<string, Value> {
  const demanded = columnsOf(db, table).filter(
    ({ notnull, dflt_value, pk }) => notnull && dflt_value === null && !pk,
  )
  return Object.fromEntries(demanded.map(({ name, type }) => [name, neutralValue(type) ?? '']))
}

/** Does something with a library, and throws library_busy or storage_full for a fault that the player can mend. */
export function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw refusal(error)
  }
}

/** Whether another program holds what was asked for. */
export function isHeld(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))
}

function refusal(error: unknown): unknown {
  const code = codeOf(error)
  if (isHeld(error))
    return new StoryError('library_busy', 'Another program holds the library file. Try again in a moment.')
  if (/^(SQLITE_FULL|ENOSPC)/.test(code))
    return new StoryError('storage_full', 'The disk is full. Nothing was changed; make room and try again.')
  // A quota, the largest file that a disk takes, one that became read-only: SQLite does not tell them from a bad disk.
  if (/^(SQLITE_(IOERR|READONLY|CANTOPEN)|EDQUOT|EFBIG|EIO|EROFS|EACCES|EPERM)/.test(code))
    return new StoryError(
      'storage_full',
      'The library could not be written: its disk is full, failing, or only to be read. Nothing was changed; see to the disk and try again.',
    )
  return error
}
