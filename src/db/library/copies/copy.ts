import { Database } from 'bun:sqlite'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { translatingErrors } from '../../storage-errors.ts'
import { deleteStored, type StoredFile } from '../../stored-file.ts'
import { copiesFolder, libraryName, newCopyPath } from './names.ts'

/** Milliseconds to wait for another program's lock. */
const LOCK_TIMEOUT = 5_000

/** Writes a complete copy of a library as one valid database, and flushes it to disk. */
export function writeCopy(db: Database, target: string): void {
  db.query('VACUUM INTO ?').run(target)
  syncToDisk(target)
}

/** The same, and leaves no file if it fails. */
export function writeCopyOrNone(db: Database, target: string): void {
  try {
    writeCopy(db, target)
  } catch (error) {
    for (const suffix of ['', '-journal']) rmSync(target + suffix, { force: true })
    throw error
  }
}

export function syncToDisk(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

/**
 * Copies a library, which a service may be using, to a path that must not exist yet. A file of that name is always
 * complete: the copy is renamed when it is done, and gets the modification time of the library. Blocks until then, about
 * one second per few hundred megabytes.
 */
export function copyLibrary(path: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  const unfinished = unfinishedOf(target)
  deleteUnfinished(target)
  const changed = new Date(changedAt(path))
  // Read-write, because only such a connection removes the journal files again when it is the last to close.
  using db = new Database(path, { readwrite: true, create: false })
  try {
    db.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT}`)
    writeCopy(db, unfinished)
    utimesSync(unfinished, changed, changed)
    renameSync(unfinished, target)
  } finally {
    deleteUnfinished(target)
  }
}

/** Last write to the library or its journal, in whole milliseconds. */
export function changedAt(path: string): number {
  const journal = `${path}-wal`
  const journalTime = existsSync(journal) && statSync(journal).size > 0 ? modifiedAt(journal) : 0
  return Math.max(modifiedAt(path), journalTime)
}

export function modifiedAt(file: string): number {
  return Math.floor(statSync(file).mtimeMs)
}

// Together with the journal that SQLite keeps while it writes.
function deleteUnfinished(target: string): void {
  for (const suffix of ['', '-journal']) rmSync(unfinishedOf(target) + suffix, { force: true })
}

/** The thread that made it must have ended. */
export async function deleteCopy(target: string): Promise<void> {
  for (const file of [target, unfinishedOf(target), `${unfinishedOf(target)}-journal`]) await deleteFile(file)
}

// Asynchronous because turns are running: freeing the space of a large file can take noticeable time.
// A folder is deleted with what is in it.
export async function deleteFile(file: string): Promise<void> {
  if (existsSync(file)) await rm(file, { force: true, recursive: true })
}

// With the process id, because two programs may copy to the same target at once.
function unfinishedOf(target: string): string {
  return `${target}.${process.pid}.unfinished`
}

/** Moves an uploaded library to the copies of another one. Returns its name there. Throws storage_full. */
export async function keepAsCopy(stored: StoredFile, libraryPath: string, now: Date): Promise<string> {
  const folder = copiesFolder(libraryPath)
  const target = newCopyPath(folder, libraryPath, 'uploaded', now)
  translatingErrors(() => {
    mkdirSync(folder, { recursive: true })
    renameSync(stored.path, target)
  })
  await deleteStored(stored)
  return basename(target)
}

export function downloadPath(path: string): string {
  return join(copiesFolder(path), `${libraryName(path)}.sending-${crypto.randomUUID()}.db`)
}

export function streamAndDelete(copy: string): ReadableStream<Uint8Array> {
  const reader = Bun.file(copy).stream().getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        // Gives other requests a turn between two chunks.
        await new Promise((resolve) => setImmediate(resolve))
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        await deleteFile(copy)
        controller.close()
      },
      async cancel() {
        await reader.cancel()
        await deleteFile(copy)
      },
    },
    { highWaterMark: 0 },
  )
}
