import { copyName, dailyCopy, dropCopy, placeForSending, pruneCopies, readOnce } from '../../db/copies.ts'
import { beside } from '../beside.ts'
import type { Deps } from '../deps.ts'

/** A copy of the whole library on its way out. */
export interface Backup {
  name: string
  bytes: ReadableStream<Uint8Array>
}

/**
 * Copies the whole library as one valid database, while turns run. The copy is gone from here once it was read. Throws
 * disconnected, storage_full, storage_failed.
 */
export async function backUp(deps: Deps, signal: AbortSignal): Promise<Backup> {
  const { path } = deps.library
  const target = placeForSending(path)
  await copyBeside(path, target, AbortSignal.any([signal, deps.closing]))
  return { name: copyName(path, deps.now()), bytes: readOnce(target) }
}

/**
 * Keeps a copy of this day beside the library, when it has changed since the last one, and the newest few of them. Throws
 * disconnected, storage_full, storage_failed.
 */
export async function keepDailyCopy(deps: Deps, signal: AbortSignal): Promise<void> {
  const { path } = deps.library
  const { target, isDue } = dailyCopy(path, deps.now())
  if (!isDue) return
  await copyBeside(path, target, signal)
  await pruneCopies(path, deps.now())
}

// A thread that is ended takes nothing away behind itself.
async function copyBeside(path: string, target: string, signal: AbortSignal): Promise<void> {
  try {
    await beside({ kind: 'copy', path, target }, signal)
  } catch (error) {
    await dropCopy(target)
    throw error
  }
}
