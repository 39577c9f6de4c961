import { Database } from 'bun:sqlite'
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
  utimesSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Milliseconds that a copy waits for another program. */
const PATIENCE = 5_000

/** Copies of the days that are kept. */
const KEPT = 5

/** Writes a whole copy of a library as one valid database; it is on the disk when this returns. */
export function copyInto(db: Database, target: string): void {
  db.query('VACUUM INTO ?').run(target)
  settle(target)
}

/** Waits until a file is on the disk. */
export function settle(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

/**
 * Copies a library, which a service may be using, to a place where nothing is yet. What is there under the name itself is
 * always whole, and bears the time of the library's last change. Blocks for as long as it takes: a second for some hundred
 * megabytes.
 */
export function copyLibrary(path: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  const unfinished = unfinishedOf(target)
  dropUnfinished(target)
  const changed = new Date(changedAt(path))
  // Not a connection that can only read: the last one that may write takes its journal away again.
  using db = new Database(path, { readwrite: true, create: false })
  try {
    db.run(`PRAGMA busy_timeout = ${PATIENCE}`)
    copyInto(db, unfinished)
    utimesSync(unfinished, changed, changed)
    renameSync(unfinished, target)
  } finally {
    dropUnfinished(target)
  }
}

// With the journal that SQLite keeps beside what it writes.
function dropUnfinished(target: string): void {
  for (const suffix of ['', '-journal']) rmSync(unfinishedOf(target) + suffix, { force: true })
}

/** Clears a copy away that nobody waits for any more. Only when whoever made it has ended. */
export async function dropCopy(target: string): Promise<void> {
  for (const file of [target, unfinishedOf(target), `${unfinishedOf(target)}-journal`]) await removeFile(file)
}

// Turns go on meanwhile: to free what a large file takes can last longer than to tell a sentence.
async function removeFile(file: string): Promise<void> {
  if (existsSync(file)) await rm(file, { force: true })
}

// Two programs may copy to the same name at once.
function unfinishedOf(target: string): string {
  return `${target}.${process.pid}.unfinished`
}

/** Where the copies of a library are kept. */
export function copiesFolder(path: string): string {
  return join(dirname(path), 'backups')
}

/** The copy of a day, and whether it is due: the library has changed since the last one, and there is none of that day. */
export function dailyCopy(path: string, now: Date): { target: string; isDue: boolean } {
  const target = join(copiesFolder(path), `${nameOf(path)}.${dayOf(now)}.db`)
  const last = dailyCopies(path, now).at(-1)
  // Another time than the copy's is a change, an earlier one too: clocks are set back.
  const isChanged = last === undefined || changedAt(path) !== timeOf(last)
  return { target, isDue: !existsSync(target) && isChanged }
}

/** Deletes all copies of days but the newest few. Other files are left alone. */
export async function pruneCopies(path: string, now: Date): Promise<void> {
  for (const copy of dailyCopies(path, now).slice(0, -KEPT)) await removeFile(copy)
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

/** The day of a moment, UTC: `2026-03-01`. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

/**
 * The copies of days, the oldest first. Those of days to come were made while a clock was ahead: they count as older than
 * all others, or they would be the newest for years.
 */
function dailyCopies(path: string, now: Date): string[] {
  const folder = copiesFolder(path)
  const start = `${nameOf(path)}.`
  const today = `${start}${dayOf(now)}.db`
  const names = namesIn(folder)
    .filter((name) => name.startsWith(start) && /^\d{4}-\d\d-\d\d\.db$/.test(name.slice(start.length)))
    .sort()
  return [...names.filter((name) => name > today), ...names.filter((name) => name <= today)].map((name) =>
    join(folder, name),
  )
}

/** A copy that is kept. `at` is when the library was changed last before it was made. */
export interface KeptCopy {
  file: string
  at: Date
}

/** All copies of a library where they are usually kept, the one with the newest words first. */
export function listCopies(path: string): KeptCopy[] {
  const start = `${nameOf(path)}.`
  return [copiesFolder(path), dirname(path)]
    .flatMap((folder) => namesIn(folder).map((name) => join(folder, name)))
    .filter((file) => basename(file).startsWith(start) && COPY.test(basename(file).slice(start.length)))
    .map((file) => ({ file, at: new Date(timeOf(file)) }))
    .sort((one, other) => other.at.getTime() - one.at.getTime())
}

const COPY = /^(\d{4}-\d\d-\d\d|copy-\w+|before-[\w-]+\+*)\.db$/

/** Copies of people that were broken off, or are being made at this moment. */
export function unfinishedCopies(path: string): string[] {
  const folder = copiesFolder(path)
  return namesIn(folder)
    .filter((name) => name.startsWith(`${nameOf(path)}.`) && /\.unfinished$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => !leftHalfDone(path).includes(file))
}

/** Nothing where there is no folder, or none that can be read: stories are more than copies. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** When the library was last written, its journal included; whole milliseconds. */
function changedAt(path: string): number {
  const journal = `${path}-wal`
  const written = existsSync(journal) && statSync(journal).size > 0 ? timeOf(journal) : 0
  return Math.max(timeOf(path), written)
}

function timeOf(file: string): number {
  return Math.floor(statSync(file).mtimeMs)
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
        await removeFile(copy)
        controller.close()
      },
      async cancel() {
        await reader.cancel()
        await removeFile(copy)
      },
    },
    { highWaterMark: 0 },
  )
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
  for (const half of leftHalfDone(path)) rmSync(half, { recursive: true, force: true })
}

/** What a program that was killed has left half done, and the next start clears away. */
export function leftHalfDone(path: string): string[] {
  const beside = [judgingFolder(path), restoringFolder(path), `${path}.new`, `${path}.new-journal`].filter(
    existsSync,
  )
  const folder = copiesFolder(path)
  const start = `${nameOf(path)}.`
  const copies = namesIn(folder).filter(
    (name) => name.startsWith(start) && HALF_DONE.test(name.slice(start.length)),
  )
  return [...beside, ...copies.map((name) => join(folder, name))]
}

// Not those of people: they are made without the lock.
const HALF_DONE = /^sending-|^\d{4}-\d\d-\d\d\.db\.(.*\.)?unfinished(-journal)?$/
