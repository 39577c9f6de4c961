import { openSnapshot } from '../../db/library/open-snapshot.ts'
import { inChunks } from '../../lib/bytes.ts'
import { writeFile } from '../files/write-file.ts'
import type { FileHost, WorkerJobs } from './worker-job.ts'

/** Bytes that are sent at once. */
const CHUNK = 256 * 1024

/** Writes a file chunk by chunk. The next one is made while the service takes the last one. */
export async function exportFile(
  { path, wanted, at }: WorkerJobs['export']['given'],
  host: FileHost,
): Promise<null> {
  using library = openSnapshot(path)
  const pieces = await writeFile(library.reader, wanted, at)
  let taken = Promise.resolve()
  for (const chunk of inChunks(pieces, CHUNK)) {
    await taken
    taken = host.send(chunk)
  }
  await taken
  return null
}
