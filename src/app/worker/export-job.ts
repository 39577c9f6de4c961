import { openSnapshot } from '../../db/library/open-snapshot.ts'
import { inChunks } from '../../lib/chunks.ts'
import { writeFile } from '../files/write-file.ts'
import type { FileHost, WorkerJobs } from './worker-job.ts'

/** Bytes that are sent at once. */
const CHUNK = 256 * 1024

/** Writes a file chunk by chunk, each when the service has taken the last one. */
export async function exportFile(
  { path, wanted, at }: WorkerJobs['export']['given'],
  host: FileHost,
): Promise<null> {
  using library = openSnapshot(path)
  const pieces = await writeFile(library.reader, wanted, at)
  for (const chunk of inChunks(pieces, CHUNK)) await host.send(chunk)
  return null
}
