import type { LibrarySize } from '../../db/checks/library-size.ts'
import { StoryError } from '../../domain/errors.ts'
import type { Deps } from '../deps.ts'
import { runInWorker } from '../worker/run-in-worker.ts'
import { type BackupFile, listBackups } from './restore.ts'

/** The place of the library, the disk space that it takes, and its backups. */
export interface StorageReport {
  path: string
  size: LibrarySize
  backups: BackupFile[]
  /** The result of the last restore, in a sentence; '' if there was none. */
  restored: string
}

/** Throws disconnected. */
export async function storageReport(deps: Deps, signal: AbortSignal): Promise<StorageReport> {
  const { library, control, closing } = deps
  const { path } = library
  return {
    path,
    size: await runInWorker('library size', { path }, AbortSignal.any([signal, closing])),
    backups: listBackups(deps),
    restored: control?.restored ?? '',
  }
}

/** Deletes stored prompts, except those of the newest passages of each story. Throws disconnected. */
export async function forgetPrompts({ library, closing }: Deps): Promise<void> {
  using _ = library.shareWrites()
  await runInWorker('forget prompts', { path: library.path }, closing)
}

export function canRestore({ control }: Deps): boolean {
  return control !== null
}

export function canQuit({ control }: Deps): boolean {
  return control?.canQuit ?? false
}

/** Ends running turns and then the service, after the request was answered. Throws invalid where it cannot. */
export function quitService({ control }: Deps): void {
  if (!control?.canQuit)
    throw new StoryError(
      'invalid',
      'Inglenook cannot be stopped from its page here. Stop it where it was started.',
    )
  control.quit()
}

/** Conversions made when the library was opened, for the player; '' for none. */
export function conversionReport({ library }: Deps): string {
  return library.conversion
}
