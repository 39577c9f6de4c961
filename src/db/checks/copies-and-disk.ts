import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { commandLine } from '../../lib/project.ts'
import { openImmutable } from '../connections.ts'
import { assertWritableLibrary } from '../earlier-release/validate.ts'
import { type LibraryCopy, listCopies } from '../library/copies/list.ts'
import { copiesFolder } from '../library/copies/names.ts'
import { unfinishedCopies } from '../library/copies/unfinished.ts'
import { assertHarmless } from '../library/declarations.ts'
import { isIntact } from '../library/trial-copy.ts'
import { LibraryRefused } from '../library-refused.ts'
import { type FreeSpace, freeSpaceOf } from '../storage-errors.ts'
import type { DoctorFinding } from './check.ts'

export interface Surroundings {
  copies: LibraryCopy[]
  findings: DoctorFinding[]
}

/** `size` is the size of a copy in bytes. */
export function checkSurroundings(
  path: string,
  size: number,
  freeSpace: FreeSpace = freeSpaceOf,
): Surroundings {
  const copies = listCopies(path)
  return {
    copies,
    findings: [
      ...unfinishedCopies(path).map((file) => ({
        check: 'interrupted copy',
        what: `${basename(file)} is an incomplete copy`,
        advice: 'Delete it, unless a backup is running right now.',
      })),
      ...checkNewestCopy(copies[0]),
      ...checkBackupFolder(path, size, freeSpace),
    ],
  }
}

function checkNewestCopy(newest: LibraryCopy | undefined): DoctorFinding[] {
  const reason = newest ? whyUnusable(newest.file) : null
  if (!newest || reason === null) return []
  return [
    {
      check: 'newest copy',
      what: `the newest copy, ${basename(newest.file)}, cannot be restored: ${reason}`,
      advice: `Make a new backup: ${commandLine('backup')}.`,
    },
  ]
}

function whyUnusable(file: string): string | null {
  try {
    using db = openImmutable(file)
    assertHarmless(db)
    assertWritableLibrary(db)
    return isIntact(db) ? null : 'It is damaged'
  } catch (error) {
    return error instanceof LibraryRefused
      ? error.message.replace(/\.$/, '')
      : 'It is damaged or not a database'
  }
}

function checkBackupFolder(path: string, size: number, freeSpace: FreeSpace): DoctorFinding[] {
  const folder = copiesFolder(path)
  const finding = (what: string, advice: string) => [{ check: 'backup folder', what, advice }]
  // The folder is created with the first copy.
  const existing = existsSync(folder) ? folder : dirname(folder)
  if (!statSync(existing).isDirectory())
    return finding(`${folder} is not a folder, so no backups can be made`, 'Rename or move that file.')
  try {
    accessSync(existing, constants.W_OK)
  } catch {
    return finding(`${existing} is not writable, so no backups can be made`, 'Change its permissions.')
  }
  if (freeSpace(existing) >= size) return []
  return finding(
    'there is not enough disk space for another backup',
    `Free some space, or save the backup elsewhere: ${commandLine('backup FILE')}.`,
  )
}
