import { StoryError } from '../../domain/errors.ts'
import type { ImportPreview } from '../../domain/portable/import-preview.ts'
import { hasZip } from '../../formats/zip/read-zip.ts'
import { isGzip } from '../../lib/bytes.ts'
import type { Deps } from '../deps.ts'
import type { AnyUpload } from '../runtime/uploads.ts'
import { runInWorker } from '../worker/run-in-worker.ts'
import type { JobHost, JobProgress, WorkerJobs } from '../worker/worker-job.ts'
import type { ImportChoice, ImportOutcome } from './import-choice.ts'
import type { PlannedFile } from './plan-import.ts'
import { type RunningImport, watchImport } from './running-imports.ts'
import { deleteUpload } from './stored-upload.ts'

/** Bytes of a file that is read within a few milliseconds. A larger one and an archive are read in a worker. */
const SMALL = 32 * 1024

/** The short plans of uploads that wait for their import. */
const plans = new WeakMap<AnyUpload, PlannedFile>()

/** What is in a file; nothing is written. Throws import_refused. */
export async function previewImport(deps: Deps, file: AnyUpload): Promise<ImportPreview> {
  const { preview, plan } = await run(deps, 'preview', { path: deps.library.path, file })
  if (plan) plans.set(file, plan)
  return preview
}

/** Imports what was chosen of a file, while turns run. Throws import_refused, invalid, not_found, storage_full. */
export async function importFile(
  deps: Deps,
  file: AnyUpload,
  choice: ImportChoice = {},
  onProgress: (progress: JobProgress) => void = () => {},
): Promise<ImportOutcome> {
  const given = { path: deps.library.path, file, choice, at: deps.now() }
  const plan = plans.get(file)
  const { unindexed, ...result } = plan
    ? await writePlan(deps, plan, choice)
    : await run(deps, 'import', given, onProgress)
  deps.indexing.start(deps, unindexed)
  return result
}

/** Starts the import of an upload. A second request for it gets the one that runs. Throws import_refused. */
export function startImport(deps: Deps, key: string, choice: ImportChoice): RunningImport<ImportOutcome> {
  const known = deps.imports.find(key)
  const file = deps.uploads.take(key)
  if (known && (!known.isOver || file === null)) return known
  if (file === null) throw new StoryError('import_refused', 'The upload has expired. Choose the file again.')
  const running = watchImport(choice, async (report) => {
    try {
      const outcome = await importFile(deps, file, choice, report)
      await deleteUpload(deps, file)
      return outcome
    } catch (error) {
      deps.uploads.put(key, file)
      throw error
    }
  })
  deps.imports.keep(key, running)
  return running
}

async function writePlan({ library, now }: Deps, plan: PlannedFile, choice: ImportChoice) {
  const { importPlan } = await import('./import-upload.ts')
  return importPlan(library, plan, choice, { at: now(), host: hostHere() })
}

/** For a job in this thread: it lets others run before each write. */
const hostHere = (report: JobHost['report'] = () => {}): JobHost => ({ mayWrite: () => Bun.sleep(0), report })

// The code that reads files is loaded with the first of them.
async function run<Name extends 'preview' | 'import'>(
  { library, closing }: Deps,
  name: Name,
  given: WorkerJobs[Name]['given'] & { file: AnyUpload },
  onProgress: (progress: JobProgress) => void = () => {},
): Promise<WorkerJobs[Name]['result']> {
  if ('bytes' in given.file && given.file.bytes.length <= SMALL && !isPacked(given.file.bytes))
    return (await import('../worker/jobs.ts')).JOBS[name](given, hostHere(onProgress))
  using _ = library.shareWrites()
  return await runInWorker(name, given, closing, onProgress)
}

/** Whether a small file may become a large one when it is unpacked. A zip archive may follow a picture. */
function isPacked(bytes: Uint8Array): boolean {
  return isGzip(bytes) || hasZip(bytes)
}
