import { openSecondConnection } from '../../db/library/open.ts'
import { deleteSteps } from '../../db/stories/hidden.ts'
import { storyCopySteps } from '../adventure/copy-steps.ts'
import type { JobHost, JobProgress, WorkerJobs } from './worker-job.ts'
import { writeInPieces } from './write-in-pieces.ts'

/** Copies a story, hidden. Deletes what it has written if it fails. */
export async function copyStory(
  { path, ...request }: WorkerJobs['copy story']['given'],
  host: JobHost,
): Promise<number> {
  using library = openSecondConnection(path)
  const [progress, written]: [JobProgress, number[]] = [{ done: 0, total: 0 }, []]
  try {
    return await writeInPieces(library, storyCopySteps(library.reader, request, written), host, progress)
  } catch (error) {
    await writeInPieces(library, deleteSteps({ adventures: written, scenarios: [] }), host, progress)
    throw error
  }
}
