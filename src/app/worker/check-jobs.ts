import { openReadOnly } from '../../db/connections.ts'
import { openLibrary } from '../../db/library/open.ts'
import { isIntact } from '../../db/library/trial-copy.ts'
import { LibraryRefused } from '../../db/library-refused.ts'
import type { WorkerJobs } from './worker-job.ts'

/** Opens a library that is not served, with all checks, and closes it: the service then opens it as it was left. */
export function openOnce({
  path,
}: WorkerJobs['open library']['given']): WorkerJobs['open library']['result'] {
  try {
    openLibrary(path).close()
    return null
  } catch (error) {
    if (error instanceof LibraryRefused) return error.message
    throw error
  }
}

export function checkLibrary({
  path,
}: WorkerJobs['check library']['given']): WorkerJobs['check library']['result'] {
  using db = openReadOnly(path)
  return isIntact(db)
}
