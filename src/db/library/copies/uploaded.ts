import { mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { translatingErrors } from '../../storage-errors.ts'
import { deleteStored, type StoredFile } from '../../uploads/stored-file.ts'
import { copiesFolder, uploadedName } from './names.ts'

/** Moves an uploaded library to the copies of another one. Returns its name there. Throws storage_full. */
export async function keepAsCopy(stored: StoredFile, libraryPath: string, now: Date): Promise<string> {
  const name = uploadedName(libraryPath, now)
  const target = join(copiesFolder(libraryPath), name)
  translatingErrors(() => {
    mkdirSync(dirname(target), { recursive: true })
    renameSync(stored.path, target)
  })
  await deleteStored(stored)
  return name
}
