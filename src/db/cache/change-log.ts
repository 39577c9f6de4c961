import type { Database } from 'bun:sqlite'

/** The tables whose changes are logged, with the columns that count: a memory that is used in a prompt does not change. */
const LOGGED = {
  memories: 'adventure_id, source_end, forgotten, stale',
  text_vectors: 'adventure_id, model, text_hash, vector',
  story_cards: 'adventure_id, type, name, keys, entry, notes, timing, position',
} as const

/** Changes that are kept. A reader that has missed older ones starts again. */
const KEPT = 20_000

export interface LogPosition {
  /** The number of times that other connections may have written anything. */
  epoch: number
  last: number
}

/** Rows of a story written by this connection. In temporary tables, to be undone with their transaction. */
export class ChangeLog {
  private version = 0
  private epoch = 0
  /** True while our workers write: only stories that nobody reads yet, or no longer. */
  isShared = false

  constructor(private readonly db: Database) {
    db.run(`CREATE TEMP TABLE changes (number INTEGER PRIMARY KEY, source TEXT, adventure_id INTEGER, id INTEGER);
      CREATE INDEX temp.changes_by_adventure ON changes (source, adventure_id, number)`)
    for (const [table, columns] of Object.entries(LOGGED))
      db.run(`
        CREATE TEMP TRIGGER ${table}_inserted AFTER INSERT ON main.${table} BEGIN ${logging(table, 'NEW')} END;
        CREATE TEMP TRIGGER ${table}_deleted AFTER DELETE ON main.${table} BEGIN ${logging(table, 'OLD')} END;
        CREATE TEMP TRIGGER ${table}_updated AFTER UPDATE OF ${columns} ON main.${table}
          BEGIN ${logging(table, 'OLD')} ${logging(table, 'NEW')} END`)
  }

  /** Null inside a transaction: what it has written may be undone. */
  position(): LogPosition | null {
    if (this.db.inTransaction) return null
    const { version, last } = this.db
      .query<{ version: number; last: number }, []>(
        'SELECT data_version AS version, (SELECT coalesce(max(number), 0) FROM temp.changes) AS last FROM pragma_data_version',
      )
      .get() ?? { version: 0, last: 0 }
    if (version !== this.version && !this.isShared) {
      this.version = version
      this.epoch++
    }
    return { epoch: this.epoch, last }
  }

  /** The ids of the rows of a story that have changed between two positions; null when they are not known any more. */
  between(
    before: LogPosition,
    now: LogPosition,
    source: keyof typeof LOGGED,
    adventureId: number,
  ): number[] | null {
    if (before.epoch !== now.epoch || now.last - before.last > KEPT) return null
    return this.db
      .query<{ id: number }, [string, number, number]>(
        'SELECT DISTINCT id FROM temp.changes WHERE source = ? AND adventure_id = ? AND number > ?',
      )
      .all(source, adventureId, before.last)
      .map(({ id }) => id)
  }
}

export type LoggedTable = keyof typeof LOGGED

function logging(table: string, row: 'OLD' | 'NEW'): string {
  return `INSERT INTO changes (source, adventure_id, id) VALUES ('${table}', ${row}.adventure_id, ${row}.id);
    DELETE FROM changes WHERE number <= (SELECT max(number) FROM changes) - ${KEPT};`
}
