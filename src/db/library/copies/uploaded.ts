import { mkdirSync, renameSync } from 'node:fs'
import { basename } from 'node:path'
import { translatingErrors } from '../../storage-errors.ts'
import { deleteStored, type StoredFile } from '../../uploads/stored-file.ts'
import { copiesFolder, newCopyPath } from './names.ts'

/** Moves an uploaded library to the copies of another one. Returns its name there. Throws storage_full. */
export async function keepAsCopy(stored: StoredFile, libraryPath: string, now: Date): Promise<string> {
  const folder = copiesFolder(libraryPath)
  const target = newCopyPath(folder, libraryPath, 'uploaded', now)
  translatingErrors(() => {
    mkdirSync(folder, { recursive: true })
    renameSync(stored.path, target)
  })
  await deleteStored(stored)
  return basename(target)
}
