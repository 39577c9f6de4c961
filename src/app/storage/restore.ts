import type { LibraryContents } from '../../db/library/copies/contents.ts'
import { deleteFile, keepAsCopy } from '../../db/library/copies/copy.ts'
import { type LibraryCopy, listCopies } from '../../db/library/copies/list.ts'
import { newPreviewFolder } from '../../db/library/copies/unfinished.ts'
import { storeFile } from '../../db/stored-file.ts'
import { StoryError } from '../../domain/errors.ts'
import { commandLine } from '../../lib/project.ts'
import type { Deps } from '../deps.ts'
import type { StoredUpload, Upload } from '../runtime/uploads.ts'
import { runInWorker } from '../worker/run-in-worker.ts'

/** A backup of the library on this machine, as lists show it. Its name tells it from the others. */
export type BackupFile = Omit<LibraryCopy, 'file'>

/** All backups in the backup folder and next to the library, the most recent content first. */
export function listBackups({ library }: Deps): BackupFile[] {
  return listCopies(library.path).map(({ file: _, ...backup }) => backup)
}

/** Checks a backup as a restore does, and returns its content. Throws not_found, import_refused, disconnected. */
export async function previewBackup(
  { library, closing }: Deps,
  name: string,
  signal: AbortSignal,
): Promise<LibraryContents> {
  const { file } = copyOf(library.path, name)
  const folder = newPreviewFolder(library.path)
  try {
    return await runInWorker('preview copy', { file, folder }, AbortSignal.any([signal, closing]))
  } finally {
    await deleteFile(folder)
  }
}

/**
 * Checks a backup, then has the service stop, restore it and start again. The library as it is now is copied first. Throws
 * not_found, import_refused, disconnected; invalid where the service cannot start itself again.
 */
export async function restoreBackup(deps: Deps, name: string, signal: AbortSignal): Promise<void> {
  const { library, control } = deps
  await previewBackup(deps, name, signal)
  if (control === null)
    throw new StoryError(
      'invalid',
      `Stop Inglenook and restore this backup with ${commandLine(`restore ${name}`)}.`,
    )
  control.restore(copyOf(library.path, name).file)
}

/** Keeps an uploaded library as a backup, for the player to look at and to restore. Returns its name. Throws storage_full. */
export async function addBackup({ library, now }: Deps, upload: Upload | StoredUpload): Promise<string> {
  const stored = 'path' in upload ? upload : await storeFile(library.path, once(upload.bytes))
  return keepAsCopy(stored, library.path, now())
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Throws not_found. */
export async function deleteBackup({ library }: Deps, name: string): Promise<void> {
  await deleteFile(copyOf(library.path, name).file)
}

function copyOf(path: string, name: string): LibraryCopy {
  const copy = listCopies(path).find((one) => one.name === name)
  if (!copy) throw new StoryError('not_found', 'There is no such backup.')
  return copy
}
