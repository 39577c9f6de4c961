import { rescuePath } from '../../db/library/copies/names.ts'
import type { StoryError } from '../../domain/errors.ts'
import type { Deps } from '../deps.ts'

/** The reason why nothing is saved: library_moved, library_damaged or storage_full. Null while all is in order. */
export function libraryProblem({ library }: Deps): StoryError | null {
  return library.findProblem()
}

/** Writes everything that is open to a new file. Returns its path. Blocks until then. Throws storage_full. */
export function saveOpenLibrary({ library, now }: Deps): string {
  const target = rescuePath(library.path, now())
  library.saveCopy(target)
  return target
}
