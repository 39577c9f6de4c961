import { deleteCopy, downloadPath, streamAndDelete } from '../../db/library/copies/copy.ts'
import { dailyCopy, deleteOldCopies } from '../../db/library/copies/daily.ts'
import { copyName } from '../../db/library/copies/names.ts'
import type { Deps } from '../deps.ts'
import { runInWorker } from '../worker/run-in-worker.ts'

/** A copy of the whole library to download. */
interface Backup {
  name: string
  bytes: ReadableStream<Uint8Array>
}

/**
 * Copies the whole library as one valid database while turns run. The copy is deleted once it was sent. Throws
 * library_moved, disconnected, storage_full, storage_failed.
 */
export async function backUp(deps: Deps, signal: AbortSignal): Promise<Backup> {
  const { path } = deps.library
  const target = downloadPath(path)
  deps.library.assertInPlace()
  await copyBeside(path, target, AbortSignal.any([signal, deps.closing]))
  return { name: copyName(path, deps.now()), bytes: streamAndDelete(target) }
}

/**
 * Makes today's backup next to the library if it has changed since the last one, and deletes old ones. Throws
 * library_moved, disconnected, storage_full, storage_failed.
 */
export async function keepDailyCopy(deps: Deps, signal: AbortSignal): Promise<void> {
  const { path } = deps.library
  const { target, isDue } = dailyCopy(path, deps.now())
  if (!isDue) return
  deps.library.assertInPlace()
  await copyBeside(path, target, signal)
  await deleteOldCopies(path, deps.now())
}

// A terminated worker does not clean up after itself.
async function copyBeside(path: string, target: string, signal: AbortSignal): Promise<void> {
  try {
    await runInWorker('copy', { path, target }, signal)
  } catch (error) {
    await deleteCopy(target)
    throw error
  }
}
