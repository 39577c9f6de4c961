import type { Database } from 'bun:sqlite'
import { StoryError } from '../domain/errors.ts'
import { ChangeLog } from './cache/change-log.ts'
import { connect, dataVersionOf, SERVING_TIMEOUT, SHARING_TIMEOUT } from './connections.ts'
import { type QueryWatch, Reader, type Writer, writerFor } from './database.ts'
import { exclusively } from './library/exclusively.ts'
import { stateOf } from './library/file-state.ts'
import type { LibraryLock } from './library/lock.ts'
import { isLockedError } from './library-refused.ts'
import { translatingErrors } from './storage-errors.ts'

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
    this.writer = writerFor(db, watch)
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

  /** Notes that the file was not sound after all: the next start checks it before it serves anything. */
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
   * Writes, and makes sure that everything written so far is on the disk. Only a connection of {@link connectBeside} needs
   * this: the others wait for the disk at each write.
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

/** The state of a library that was opened and checked. */
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
