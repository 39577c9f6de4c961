import type { Database, SQLQueryBindings } from 'bun:sqlite'
import { StoryError } from '../domain/errors.ts'
import { ChangeLog } from './cache/change-log.ts'
import type { ColumnValue } from './column-values.ts'
import { connect, dataVersionOf, SERVING_TIMEOUT, SHARING_TIMEOUT } from './connections.ts'
import { type Column, columnsOf, neutralValues, quoted, requiredColumns } from './declared-columns.ts'
import { exclusively } from './library/exclusively.ts'
import { stateOf } from './library/file-state.ts'
import type { LibraryLock } from './library/lock.ts'
import { isLockedError } from './library-refused.ts'
import { translatingErrors } from './storage-errors.ts'
import { withFittingCells } from './tolerant-rows.ts'

/** Called with each statement and the rows it returned. Only tests use it, to count queries and measure results. */
export type QueryWatch = (sql: string, rows: readonly unknown[]) => void

/** Read access. The API and the pages get nothing more. */
export class Reader {
  constructor(
    protected db: Database,
    protected readonly watch: QueryWatch,
    /** What was written since the library was opened; null for a connection that is not the service's own. */
    readonly changes: ChangeLog | null = null,
  ) {}

  /** Goes on with another connection to the same file. Only `Library` calls it. */
  follow(db: Database): void {
    this.db = db
    this.changes?.follow(db)
  }

  get<Row>(sql: string, ...values: ColumnValue[]): Row | null {
    const statement = this.db.query<Row, SQLQueryBindings[]>(sql)
    const row = translatingErrors(() => statement.get(...values))
    const rows = row === null ? [] : [row]
    withFittingCells(statement, rows)
    this.watch(sql, rows)
    return row
  }

  all<Row>(sql: string, ...values: ColumnValue[]): Row[] {
    const statement = this.db.query<Row, SQLQueryBindings[]>(sql)
    const rows = translatingErrors(() => statement.all(...values))
    withFittingCells(statement, rows)
    this.watch(sql, rows)
    return rows
  }

  /** The value of the first row, for a query of one column; null without a row. */
  value<Value>(sql: string, ...values: ColumnValue[]): Value | null {
    const row = this.get<Record<string, Value>>(sql, ...values)
    return row && (Object.values(row)[0] ?? null)
  }

  /** The values of all rows, for a query of one column. */
  column<Value>(sql: string, ...values: ColumnValue[]): Value[] {
    return this.all<Record<string, Value>>(sql, ...values).map((row) => Object.values(row)[0] as Value)
  }
}

/** Reads and writes inside a transaction. At run time only `Library.write` hands one out. */
class Writer extends Reader {
  /** By table. Tables get new required columns only when a library is opened, which takes a writer of its own. */
  private readonly required = new Map<string, readonly Column[]>()
  /** Statements, by table and columns. */
  private readonly insertions = new Map<string, string>()

  /** Runs one statement and returns the number of changed rows. */
  run(sql: string, ...values: ColumnValue[]): number {
    this.watch(sql, [])
    return this.db.query<unknown, SQLQueryBindings[]>(sql).run(...values).changes
  }

  /**
   * Inserts a row and returns its id. Required columns that the record does not name (unused ones of the earlier
   * release, ones added by other programs) get the neutral value of their type.
   */
  insert(table: string, record: Record<string, ColumnValue>): number {
    const row = { ...neutralValues(this.requiredColumns(table)), ...record }
    const sql = this.insertion(table, Object.keys(row))
    this.watch(sql, [])
    return Number(this.db.query<unknown, SQLQueryBindings[]>(sql).run(...Object.values(row)).lastInsertRowid)
  }

  // Building the statement again for each row of an import takes as long as running it.
  private insertion(table: string, columns: string[]): string {
    const key = `${table} ${columns}`
    const known = this.insertions.get(key)
    if (known !== undefined) return known
    const sql = `INSERT INTO ${table} (${columns.map(quoted).join(', ')})
      VALUES (${columns.map(() => '?').join(', ')})`
    this.insertions.set(key, sql)
    return sql
  }

  private requiredColumns(table: string): readonly Column[] {
    const columns = this.required.get(table) ?? requiredColumns(this.db, table)
    this.required.set(table, columns)
    return columns
  }

  /**
   * Copies rows of a table with all its columns, known or not. The copies get new ids, and the values in `replaced`.
   * `which` is the SQL after WHERE; its order decides the order of the new ids. Returns the id of the last copy.
   */
  copy(
    table: string,
    replaced: Record<string, ColumnValue>,
    which: string,
    ...values: ColumnValue[]
  ): number {
    const copied = columnsOf(this.db, table)
      .map(({ name }) => name)
      .filter((name) => name !== 'id' && !Object.hasOwn(replaced, name))
      .map(quoted)
    const assigned = Object.keys(replaced)
    const sql = `INSERT INTO ${table} (${[...copied, ...assigned].join(', ')})
      SELECT ${[...copied, ...assigned.map(() => '?')].join(', ')} FROM ${table} WHERE ${which}`
    this.watch(sql, [])
    const { lastInsertRowid } = this.db
      .query<unknown, SQLQueryBindings[]>(sql)
      .run(...Object.values(replaced), ...values)
    return Number(lastInsertRowid)
  }

  /** Sets the named columns of one row. */
  update(table: string, id: number, record: Record<string, ColumnValue>): void {
    const assignments = Object.keys(record).map((name) => `${quoted(name)} = ?`)
    if (assignments.length === 0) return
    this.run(`UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?`, ...Object.values(record), id)
  }
}

export type { Writer }

/** A small part of a long write. */
export type Step = (tx: Writer) => void

/** A writer for a transaction that the caller has begun: for opening, upgrading and testing a file. */
export function writerFor(db: Database): Writer {
  return new Writer(db, () => {})
}

/** An open library file. `reader` sees the last committed state. */
export class Library {
  readonly reader: Reader
  private readonly writer: Writer
  private sharing = 0
  /** The state of the file after our last checkpoint; '' when another program has written to it. */
  private fileState = ''

  constructor(
    readonly path: string,
    private db: Database,
    watch: QueryWatch,
    /** Null for a second connection of the process. */
    private readonly opened: OpenedLibrary | null,
    private granted: 'read' | 'wait' | 'write' = 'write',
  ) {
    if (opened) this.fileState = stateOf(path)
    this.reader = new Reader(db, watch, opened && new ChangeLog(db))
    this.writer = new Writer(db, watch)
  }

  /** Nothing is written before the library was found sound: see {@link takeOver}. */
  get isWritable(): boolean {
    return this.granted === 'write'
  }

  /** What was converted when the library was opened, for the player; '' for nothing. */
  get conversion(): string {
    return this.opened?.conversion ?? ''
  }

  /** Rows that the search index lacked when the library was opened. */
  get unindexed(): number {
    return this.opened?.unindexed ?? 0
  }

  /**
   * The only way to write: a transaction that stores all of `work` or nothing. `work` must be synchronous, because an
   * async function would be committed at its first `await`; the type rejects one. Throws library_busy, storage_full.
   */
  write<T>(work: (tx: Writer) => T extends PromiseLike<unknown> ? never : T): T {
    if (!this.isWritable) throw new StoryError('library_busy', BEING_CHECKED)
    return translatingErrors(() => this.db.transaction(() => work(this.writer) as T).immediate())
  }

  /**
   * Opens the file for writing, once it was found sound; {@link allowWrites} follows. Returns false while another program
   * has the file open.
   */
  takeOver(): boolean {
    try {
      if (this.granted === 'read') this.follow(connect(this.path, 0))
      this.granted = 'wait'
      this.setTimeout(0)
      exclusively(this.db, () => this.db.transaction(() => {}).exclusive())
    } catch (error) {
      if (isLockedError(error)) return false
      throw error
    } finally {
      this.setTimeout()
    }
    if (this.opened) this.opened.dataVersion = dataVersionOf(this.db)
    return true
  }

  /** Everything was put right, except for rows that the search index lacks. */
  allowWrites(unindexed: number): void {
    if (this.opened) this.opened.unindexed = unindexed
    this.granted = 'write'
  }

  /** The file was not found sound after all: the next start checks it before it serves anything. */
  distrust(): void {
    this.opened?.lock.noteSound('')
  }

  private follow(db: Database): void {
    this.db.close()
    this.db = db
    this.reader.follow(db)
    this.writer.follow(db)
  }

  /**
   * `write`, and then all that was written before is on the disk. Only a connection of {@link connectBeside} needs it: the
   * others wait for the disk at each write.
   */
  writeDurably<T>(work: (tx: Writer) => T extends PromiseLike<unknown> ? never : T): T {
    if (this.opened !== null) return this.write(work)
    this.db.run('PRAGMA synchronous = FULL')
    try {
      return this.write(work)
    } finally {
      this.db.run('PRAGMA synchronous = NORMAL')
    }
  }

  /**
   * While a worker of ours writes to the library, in short transactions: this connection waits for it instead of failing
   * as it does for another program. Dispose of it when the worker has ended.
   */
  shareWrites(): Disposable {
    this.share(1)
    return { [Symbol.dispose]: () => this.share(-1) }
  }

  private share(change: 1 | -1): void {
    this.sharing += change
    this.setTimeout()
    if (this.reader.changes) this.reader.changes.isShared = this.sharing > 0
  }

  private setTimeout(milliseconds = this.sharing > 0 ? SHARING_TIMEOUT : SERVING_TIMEOUT): void {
    this.db.run(`PRAGMA busy_timeout = ${milliseconds}`)
  }

  /**
   * Moves the write-ahead journal into the file, because people copy the file alone. While another connection is
   * reading, it moves what it can and does not wait.
   */
  checkpoint(): void {
    this.setTimeout(0)
    const isOurs = this.opened !== null && stateOf(this.path) === this.fileState
    this.fileState = ''
    try {
      this.db.run('PRAGMA wal_checkpoint(TRUNCATE)')
      if (isOurs) this.fileState = stateOf(this.path)
    } finally {
      this.setTimeout()
    }
  }

  /** Notes the state of the file if nobody but this connection has written since the library was checked. */
  close(): void {
    const { opened } = this
    let state = ''
    try {
      if (opened && this.granted !== 'read') this.checkpoint()
      const isInOrder =
        this.isWritable &&
        opened?.unindexed === 0 &&
        opened.isComplete(this.reader) &&
        dataVersionOf(this.db) === opened.dataVersion
      if (isInOrder && stateOf(this.path) === this.fileState) state = this.fileState
    } finally {
      this.db.close()
      opened?.lock.closeWith(state)
    }
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/** What is known of a library since it was opened and checked. */
interface OpenedLibrary {
  /** Referenced for the life of the process, because garbage collection would release the lock. */
  lock: LibraryLock
  unindexed: number
  dataVersion: number
  /** Whether nothing is hidden that the next start would delete. */
  isComplete: (reader: Reader) => boolean
  conversion: string
}

const BEING_CHECKED =
  'Your library is being checked, because it was not closed properly or another program has written to it. You can read meanwhile. Try again in a moment.'
