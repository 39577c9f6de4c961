import type { Database, SQLQueryBindings } from 'bun:sqlite'
import type { ChangeLog } from './cache/change-log.ts'
import type { ColumnValue } from './column-values.ts'
import { type Column, columnsOf, neutralValues, quoted, requiredColumns } from './declared-columns.ts'
import { translatingErrors } from './storage-errors.ts'
import { withFittingCells } from './tolerant-rows.ts'

/** Lets tests count queries and measure results. */
export type QueryWatch = (sql: string, rows: readonly unknown[]) => void

/** Read access. The API and the pages get nothing more. */
export class Reader {
  constructor(
    protected readonly db: Database,
    protected readonly watch: QueryWatch,
    /** Null for a connection that is not the service's own. */
    readonly changes: ChangeLog | null = null,
  ) {}

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

  column<Value>(sql: string, ...values: ColumnValue[]): Value[] {
    return this.all<Record<string, Value>>(sql, ...values).map((row) => Object.values(row)[0] as Value)
  }
}

/** Reads and writes inside a transaction. At run time only `Library.write` hands one out. */
class Writer extends Reader {
  /** By table. Tables get new required columns only when a library is opened, which takes a writer of its own. */
  private readonly required = new Map<string, readonly Column[]>()
  private readonly insertions = new Map<string, string>()

  /** Returns the number of changed rows. */
  run(sql: string, ...values: ColumnValue[]): number {
    this.watch(sql, [])
    return this.db.query<unknown, SQLQueryBindings[]>(sql).run(...values).changes
  }

  /** Returns the id. Required columns that the record does not name get the neutral value of their type. */
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

  update(table: string, id: number, record: Record<string, ColumnValue>): void {
    const assignments = Object.keys(record).map((name) => `${quoted(name)} = ?`)
    if (assignments.length === 0) return
    this.run(`UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?`, ...Object.values(record), id)
  }
}

export type { Writer }

export type Step = (tx: Writer) => void

/** For a transaction that the caller has begun. */
export function writerFor(db: Database, watch: QueryWatch = () => {}): Writer {
  return new Writer(db, watch)
}

/** `work` returns the last row of a chunk; null where there are no more. */
export function* chunkSteps<Place>(
  first: Place,
  work: (tx: Writer, after: Place) => Place | null,
): Generator<Step, void> {
  let after: Place | null = first
  while (after !== null) {
    const from: Place = after
    yield (tx) => {
      after = work(tx, from)
    }
  }
}
