import type { Database } from 'bun:sqlite'
import { StoryError } from '../domain/errors.ts'
import { ChangeLog } from './cache/change-log.ts'
import { dataVersionOf, SERVING_TIMEOUT, SHARING_TIMEOUT } from './connections.ts'
import { type QueryWatch, Reader, type Writer, writerFor } from './database.ts'
import { writeCopyOrNone } from './library/copies/copy.ts'
import { type OpenFile, stateOf } from './library/file-state.ts'
import type { LibraryLock } from './library/lock.ts'
import { translatingErrors } from './storage-errors.ts'

/** An open library file. `reader` sees the last committed state. */
export class Library {
  readonly reader: Reader
  private readonly writer: Writer
  private sharing = 0
  unindexed: number
  afterWrite = () => {}
  private isOurs = false
  /** The state of the file after our last checkpoint; '' when another program has written to it. */
  private fileState = ''

  constructor(
    readonly path: string,
    private readonly db: Database,
    private readonly file: OpenFile,
    watch: QueryWatch,
    /** Null for a second connection of the process. */
    private readonly opened: OpenedLibrary | null,
    /** Reason for which nothing is written as long as the library is open. */
    private problem: StoryError | null = null,
  ) {
    if (opened) this.fileState = stateOf(path)
    this.unindexed = opened?.unindexed ?? 0
    this.reader = new Reader(db, watch, opened && new ChangeLog(db))
    this.writer = writerFor(db, watch)
  }

  /** Null if everything is in order. */
  findProblem(): StoryError | null {
    return this.problem ?? this.findMove()
  }

  private findMove(): StoryError | null {
    return this.file.isInPlace() ? null : new StoryError('library_moved', MOVED)
  }

  /** Throws library_moved while the path leads to another file. Call it before another connection is opened. */
  assertInPlace(): void {
    const move = this.findMove()
    if (move) throw move
  }

  /** Throws library_moved, library_damaged or storage_full while nothing can be written. */
  assertInOrder(): void {
    const problem = this.findProblem()
    if (problem) throw problem
  }

  stopWriting(problem: StoryError): void {
    this.problem = problem
  }

  /** True if the file was opened as a service had left it, and not checked. */
  get isUnchecked(): boolean {
    return this.opened?.isUnchecked ?? false
  }

  /** Receipt for the player; '' for none. */
  get conversion(): string {
    return this.opened?.conversion ?? ''
  }

  /**
   * The only way to write: a transaction that stores all of `work` or nothing. `work` must be synchronous, because an
   * async function would be committed at its first `await`; the type rejects one. Throws library_busy, storage_full,
   * library_moved, library_damaged.
   */
  write<T>(work: (tx: Writer) => T extends PromiseLike<unknown> ? never : T): T {
    this.assertInOrder()
    const transaction = this.db.transaction(() => {
      const result = work(this.writer) as T
      // Right before the commit: what goes to another file than that of the path would be confirmed and lost.
      this.assertInOrder()
      return result
    })
    const result = translatingErrors(() => transaction.immediate())
    this.afterWrite()
    return result
  }

  /** Writes all that is open to a new file, complete. The library's own file may be gone. */
  saveCopy(target: string): void {
    translatingErrors(() => writeCopyOrNone(this.db, target))
  }

  /** Waits for the disk, too. Only a connection of {@link connectForWorker} needs this. */
  writeDurably<T>(work: (tx: Writer) => T extends PromiseLike<unknown> ? never : T): T {
    if (this.opened !== null) return this.write(work)
    this.db.run('PRAGMA synchronous = FULL')
    try {
      return this.write(work)
    } finally {
      this.db.run('PRAGMA synchronous = NORMAL')
    }
  }

  /** Waits for a worker's writes instead of failing. Dispose of it after the worker. Throws like {@link assertInOrder}. */
  shareWrites(): Disposable {
    this.assertInOrder()
    this.share(1)
    return { [Symbol.dispose]: () => this.share(-1) }
  }

  // What is written while a worker of ours writes counts as ours.
  private share(change: 1 | -1): void {
    if (this.sharing === 0) this.isOurs = this.isUntouched()
    this.sharing += change
    this.setTimeout()
    if (this.sharing === 0 && this.isOurs && this.opened) {
      this.opened.dataVersion = dataVersionOf(this.db)
      this.fileState = stateOf(this.path)
    }
    if (this.reader.changes) this.reader.changes.isShared = this.sharing > 0
  }

  /** True if only this connection, and our workers, have written since the library was opened. */
  private isUntouched(): boolean {
    return dataVersionOf(this.db) === this.opened?.dataVersion && stateOf(this.path) === this.fileState
  }

  private setTimeout(milliseconds = this.sharing > 0 ? SHARING_TIMEOUT : SERVING_TIMEOUT): void {
    this.db.run(`PRAGMA busy_timeout = ${milliseconds}`)
  }

  /** Empties the journal, because people copy the file alone. Does not wait for readers. */
  checkpoint(): void {
    if (this.problem !== null) return
    this.setTimeout(0)
    const isUntouched = this.opened !== null && stateOf(this.path) === this.fileState
    this.fileState = ''
    try {
      this.db.run('PRAGMA wal_checkpoint(TRUNCATE)')
      if (isUntouched) this.fileState = stateOf(this.path)
    } finally {
      this.setTimeout()
    }
  }

  /** Notes the state of the file if nobody but this connection has written since the library was checked. */
  close(): void {
    const { opened } = this
    let state = ''
    try {
      if (opened) this.checkpoint()
      const isInOrder =
        this.findProblem() === null && this.unindexed === 0 && opened?.isComplete(this.reader) === true
      if (isInOrder && this.isUntouched()) state = this.fileState
    } finally {
      this.db.close()
      opened?.lock.closeWith(state)
    }
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

interface OpenedLibrary {
  /** Referenced for the life of the process, because garbage collection would release the lock. */
  lock: LibraryLock
  isUnchecked: boolean
  unindexed: number
  dataVersion: number
  /** True if nothing is hidden that the next start would delete. */
  isComplete: (reader: Reader) => boolean
  conversion: string
}

const MOVED =
  'The library file was moved, replaced or deleted while Inglenook is running, so nothing is saved. Put it back where it was, or save what is open as a copy.'
