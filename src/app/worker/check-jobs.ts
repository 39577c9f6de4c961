import { checkFile, openBeside, openLibrary } from '../../db/library/open.ts'
import { repairRows } from '../../db/library/repair.ts'
import { LibraryRefused, refusingWithReason } from '../../db/library-refused.ts'
import type { WorkerJobs } from './worker-job.ts'

/** Checks a library. Closing one that is not being served notes that it is sound, so that the service opens it at once. */
export function checkLibrary({
  path,
  isServed,
}: WorkerJobs['check library']['given']): WorkerJobs['check library']['result'] {
  try {
    if (isServed) refusingWithReason(`${path} was not opened.`, () => checkFile(path))
    else openLibrary(path).close()
    return null
  } catch (error) {
    if (error instanceof LibraryRefused) return error.message
    throw error
  }
}

export function repairLibrary({
  path,
}: WorkerJobs['repair library']['given']): WorkerJobs['repair library']['result'] {
  using library = openBeside(path)
  return library.writeDurably(repairRows)
}
