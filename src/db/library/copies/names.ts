import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export function copiesFolder(path: string): string {
  return join(dirname(path), 'backups')
}

export function copyName(path: string, now: Date): string {
  return `${libraryName(path)}.copy-${timestampOf(now)}.db`
}

/** The path in a folder for a copy of a library that no file has yet. Adds "+" if two are made in the same second. */
export function newCopyPath(folder: string, path: string, kind: string, now: Date): string {
  const name = join(folder, `${libraryName(path)}.${kind}-${timestampOf(now)}`)
  for (let more = ''; ; more += '+') if (!existsSync(`${name}${more}.db`)) return `${name}${more}.db`
}

/** The path for a copy of a library whose file is gone: beside it, or above it if its folder is gone too. */
export function rescuePath(path: string, now: Date): string {
  let folder = dirname(path)
  while (!existsSync(folder)) folder = dirname(folder)
  return newCopyPath(folder, path, 'copy', now)
}

/** A time for file names: `20260301T100000`, UTC. */
function timestampOf(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d+Z/g, '')
}

export function libraryName(path: string): string {
  return basename(path, '.db')
}

/** The UTC date: `2026-03-01`. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

/** [] for a missing or unreadable folder, because a problem with copies must not stop a story. */
export function fileNamesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
