import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copiesFolder, fileNamesIn, libraryName } from './names.ts'

export function trialFolder(path: string): string {
  return `${path}.judged`
}

export function restoringFolder(path: string): string {
  return `${path}.restoring`
}

export function newPreviewFolder(path: string): string {
  return join(previewsFolder(path), crypto.randomUUID())
}

function previewsFolder(path: string): string {
  return `${path}.previews`
}

/** For uploads that are too large for memory. */
export function uploadsFolder(path: string): string {
  return `${path}.uploads`
}

/** Deletes what a killed program left unfinished. The caller must hold the lock of the library. */
export function clearUnfinished(path: string): void {
  for (const file of unfinishedWork(path)) rmSync(file, { recursive: true, force: true })
}

/** The next start deletes them. */
function unfinishedWork(path: string): string[] {
  const adjacent = [
    trialFolder(path),
    restoringFolder(path),
    previewsFolder(path),
    uploadsFolder(path),
    `${path}.new`,
    `${path}.new-journal`,
  ].filter(existsSync)
  const folder = copiesFolder(path)
  const start = `${libraryName(path)}.`
  const copies = fileNamesIn(folder).filter(
    (name) => name.startsWith(start) && UNFINISHED_COPY.test(name.slice(start.length)),
  )
  const journals = fileNamesIn(dirname(path))
    .filter((name) => name.startsWith(start) && KEPT_JOURNAL.test(name.slice(start.length)))
    .map((name) => join(dirname(path), name))
    .filter((file) => !existsSync(file.replace(/-[a-z]+$/, '')))
  return [...adjacent, ...journals, ...copies.map((name) => join(folder, name))]
}

// Of an original that was not yet kept when the program was killed: its journals come first.
const KEPT_JOURNAL = /^before-branches-\w+\+*\.db-(wal|journal)$/

// Copies that a person requests are not among them: they are made without the lock.
const UNFINISHED_COPY = /^sending-|^\d{4}-\d\d-\d\d\.db\.(.*\.)?unfinished(-journal)?$/

/** Copies requested by a person that were interrupted or are still being made. */
export function unfinishedCopies(path: string): string[] {
  const folder = copiesFolder(path)
  return fileNamesIn(folder)
    .filter((name) => name.startsWith(`${libraryName(path)}.`) && /\.unfinished$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => !unfinishedWork(path).includes(file))
}
