import type { Database } from 'bun:sqlite'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { connectBeside } from './beside.ts'

/** Copies of the days that are kept. */
const KEPT = 5

/** Writes a whole copy of a library as one valid database; it is on the disk when this returns. */
export function copyInto(db: Database, target: string): void {
  db.query('VACUUM INTO ?').run(target)
  settle(target)
}

/** Waits until a file is on the disk. */
export function settle(file: string): void {
  const open = openSync(file, 'r+')
  fsyncSync(open)
  closeSync(open)
}

/**
 * Copies a library, which a service may be using, to a place where nothing is yet. What is there under the name itself is
 * always whole. Blocks for as long as it takes: a second for some hundred megabytes.
 */
export function copyLibrary(path: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  const unfinished = unfinishedOf(target)
  dropUnfinished(target)
  using db = connectBeside(path)
  try {
    copyInto(db, unfinished)
    renameSync(unfinished, target)
  } finally {
    dropUnfinished(target)
  }
}

/** Where the copies of a library are kept. */
export function copiesFolder(path: string): string {
  return join(dirname(path), 'backups')
}

/** The copy of a day, and whether it is due: the library has changed since the last one, and there is none of that day. */
export function dailyCopy(path: string, now: Date): { target: string; isDue: boolean } {
  const target = join(copiesFolder(path), `${nameOf(path)}.${now.toISOString().slice(0, 10)}.db`)
  const last = dailyCopies(path).at(-1)
  return { target, isDue: !existsSync(target) && (last === undefined || changedAt(path) > timeOf(last)) }
}

/** Deletes all copies of days but the newest few. Other files are left alone. */
export function pruneCopies(path: string): void {
  for (const copy of dailyCopies(path).slice(0, -KEPT)) rmSync(copy, { force: true })
}

/** The name for a copy that a person asks for. */
export function copyName(path: string, now: Date): string {
  return `${nameOf(path)}.copy-${stamp(now)}.db`
}

/** A moment as it stands in names of files: `20260301T100000`, UTC. */
export function stamp(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d+Z/g, '')
}

/** The name of a library without its ending. */
export function nameOf(path: string): string {
  return basename(path, '.db')
}

// The names end in the day, so that they sort by it.
function dailyCopies(path: string): string[] {
  const folder = copiesFolder(path)
  if (!existsSync(folder)) return []
  const start = `${nameOf(path)}.`
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && /^\d{4}-\d\d-\d\d\.db$/.test(name.slice(start.length)))
    .sort()
    .map((name) => join(folder, name))
}

/** When the library was last written, its journal included; milliseconds. */
function changedAt(path: string): number {
  const journal = `${path}-wal`
  const written = existsSync(journal) && statSync(journal).size > 0 ? timeOf(journal) : 0
  return Math.max(timeOf(path), written)
}

function timeOf(file: string): number {
  return statSync(file).mtimeMs
}

/** A place for a copy that is only made to be sent. */
export function placeForSending(path: string): string {
  return join(copiesFolder(path), `${nameOf(path)}.sending-${crypto.randomUUID()}.db`)
}

/** The bytes of a copy, which is deleted when they were read or nobody wants them any more. */
export function readOnce(copy: string): ReadableStream<Uint8Array> {
  const reader = Bun.file(copy).stream().getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        // Turns go on between two pieces.
        await new Promise((resolve) => setImmediate(resolve))
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        rmSync(copy, { force: true })
        controller.close()
      },
      async cancel() {
        await reader.cancel()
        rmSync(copy, { force: true })
      },
    },
    { highWaterMark: 0 },
  )
}

/** Takes away a copy that nobody wants any more, finished or not. */
export function dropCopy(target: string): void {
  rmSync(target, { force: true })
  dropUnfinished(target)
}

// With the journal that SQLite keeps beside what it writes.
function dropUnfinished(target: string): void {
  for (const suffix of ['', '-journal']) rmSync(unfinishedOf(target) + suffix, { force: true })
}

/** Folders beside a library in which work is done that must be whole before it counts. */
export function judgingFolder(path: string): string {
  return `${path}.judged`
}
export function restoringFolder(path: string): string {
  return `${path}.restoring`
}

/** Clears away what a program that was killed has left half done. Only for who holds the lock of the library. */
export function clearUnfinished(path: string): void {
  for (const left of [`${path}.new`, `${path}.new-journal`, judgingFolder(path), restoringFolder(path)])
    rmSync(left, { recursive: true, force: true })
  const folder = copiesFolder(path)
  if (!existsSync(folder)) return
  const start = `${nameOf(path)}.`
  for (const name of readdirSync(folder))
    if (name.startsWith(start) && UNFINISHED.test(name.slice(start.length)))
      rmSync(join(folder, name), { force: true })
}

const UNFINISHED = /^sending-|\.db\.unfinished(-journal)?$/

function unfinishedOf(target: string): string {
  return `${target}.unfinished`
}
