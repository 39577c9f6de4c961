import { chmodSync, statSync } from 'node:fs'
import { listCopies } from './copies/list.ts'

const SUFFIXES = ['', '-wal', '-shm', '-journal', '.lock']

/**
 * Makes a library, its copies and their journals readable by their owner alone, and returns how many of them were not. Leaves
 * folders as they are: they may hold other things too.
 */
export function makePrivate(path: string): number {
  const files = [path, ...listCopies(path).map(({ file }) => file)]
  return files.filter((file) => SUFFIXES.map((suffix) => wasMended(file + suffix)).includes(true)).length
}

// Some file systems have no modes, and ignore a change of them.
function wasMended(file: string): boolean {
  if (!isShared(file)) return false
  try {
    chmodSync(file, 0o600)
  } catch {
    return false
  }
  return !isShared(file)
}

function isShared(file: string): boolean {
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0
}
