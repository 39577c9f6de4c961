import { StoryError } from '../../domain/errors.ts'
import { printError, printProblem } from '../../lib/print.ts'
import type { Deps } from '../deps.ts'
import { runInWorker } from '../worker/run-in-worker.ts'

/** Checks a library that was opened as it had been left. If it is damaged, nothing more is written. */
export async function checkOpenLibrary({ library }: Deps, signal: AbortSignal): Promise<void> {
  if (!library.isUnchecked) return
  try {
    if (await runInWorker('check library', { path: library.path }, signal)) return
    library.stopWriting(new StoryError('library_damaged', DAMAGED))
    printProblem(DAMAGED)
  } catch (error) {
    if (!signal.aborted) printError('The library could not be checked', error)
  }
}

const DAMAGED =
  'The library file is damaged, perhaps by the disk, so nothing more is saved. Restore a backup under Settings, Storage and backups.'
