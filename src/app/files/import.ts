import { deleteStored } from '../../db/stored-file.ts'
import { StoryError } from '../../domain/errors.ts'
import type { ImportPreview } from '../../domain/portable/import-preview.ts'
import type { NamedOwner } from '../../domain/story-card.ts'
import { hasZip } from '../../formats/zip/read-zip.ts'
import { isGzip } from '../../lib/bytes.ts'
import type { Deps } from '../deps.ts'
import { type AnyUpload, filesOf } from '../runtime/uploads.ts'
import { runInWorker } from '../worker/run-in-worker.ts'
import type { JobHost, JobProgress } from '../worker/worker-job.ts'
import type { ImportChoice, ImportOutcome } from './import-choice.ts'
import { deletePlan, type KeptPlan } from './kept-plans.ts'
import { type RunningImport, watchImport } from './running-imports.ts'

/** Bytes of a file that is read within a few milliseconds. A larger one and an archive are read in a worker. */
const SMALL = 32 * 1024

/** Previews a file, which is deleted; nothing is written. Throws as previewPlan. */
export async function previewImport(deps: Deps, file: AnyUpload, owner?: NamedOwner): Promise<ImportPreview> {
  const plan = await planImport(deps, file)
  try {
    return await previewPlan(deps, plan, owner)
  } finally {
    await deletePlan(plan)
  }
}

/** Previews a plan for the owner of its cards. Throws import_refused, and invalid or not_found for an owner that is none. */
export async function previewPlan(
  { library }: Deps,
  plan: KeptPlan,
  owner?: NamedOwner,
): Promise<ImportPreview> {
  const { compareLooseCards } = await import('./loose-cards.ts')
  return (await compareLooseCards(library.reader, plan, owner)).preview
}

/** Reads a file, which is deleted, and keeps its plan under a key. Throws import_refused. */
export async function keepImport(deps: Deps, file: AnyUpload): Promise<{ key: string; plan: KeptPlan }> {
  const plan = await planImport(deps, file)
  return { key: deps.plans.add(plan), plan }
}

/** Imports the chosen parts of a file, which is deleted. Throws as writeImport. */
export async function importFile(
  deps: Deps,
  file: AnyUpload,
  choice: ImportChoice = {},
  onProgress: (progress: JobProgress) => void = () => {},
): Promise<ImportOutcome> {
  const plan = await planImport(deps, file)
  try {
    return await importPlan(deps, plan, choice, onProgress)
  } finally {
    await deletePlan(plan)
  }
}

/** Starts the import of a kept plan. A second request for it gets the one that runs. Throws import_refused. */
export function startImport(deps: Deps, key: string, choice: ImportChoice): RunningImport<ImportOutcome> {
  const known = deps.imports.find(key)
  const plan = deps.plans.take(key)
  if (known && (!known.isOver || plan === null)) return known
  if (plan === null) throw new StoryError('import_refused', 'The upload has expired. Choose the file again.')
  const running = watchImport(choice, async (report) => {
    try {
      const outcome = await importPlan(deps, plan, choice, report)
      await deletePlan(plan)
      return outcome
    } catch (error) {
      deps.plans.put(key, plan)
      throw error
    }
  })
  deps.imports.keep(key, running)
  return running
}

async function planImport({ library, closing }: Deps, file: AnyUpload): Promise<KeptPlan> {
  let plan: KeptPlan | null = null
  try {
    plan = await readUpload()
    return plan
  } finally {
    await deleteRead(file, plan)
  }

  // The code that reads files is loaded with the first of them.
  async function readUpload(): Promise<KeptPlan> {
    if ('bytes' in file && file.bytes.length <= SMALL && !isPacked(file.bytes))
      return (await import('./plan-upload.ts')).planUpload(library, file)
    return await runInWorker('plan import', { path: library.path, file }, closing)
  }
}

/** Deletes the files of an upload. A plan takes over those with stories that it reads again. */
async function deleteRead(file: AnyUpload, plan: KeptPlan | null): Promise<void> {
  const stories = plan?.parts.filter((part) => typeof part !== 'number') ?? []
  for (const one of filesOf(file))
    if ('path' in one && stories.some(({ path }) => path.startsWith(one.path))) plan?.uploads.push(one)
    else if ('path' in one) await deleteStored(one)
}

// A short import is written here: starting a worker takes longer.
async function importPlan(
  deps: Deps,
  plan: KeptPlan,
  choice: ImportChoice,
  onProgress: (progress: JobProgress) => void,
): Promise<ImportOutcome> {
  const { library, closing } = deps
  const { isShort, writeImport } = await import('./write-import.ts')
  const at = deps.now()
  if (isShort(plan)) return await writeImport(library, plan, choice, { at, host: NO_HOST })
  using _ = library.shareWrites()
  const given = { path: library.path, plan, choice, at }
  const { unindexed, ...outcome } = await runInWorker('import', given, closing, onProgress)
  deps.indexing.start(deps, unindexed)
  return outcome
}

const NO_HOST: JobHost = { mayWrite: async () => {}, report: () => {} }

/** True if a small file may become a large one when it is unpacked. A zip archive may follow a picture. */
function isPacked(bytes: Uint8Array): boolean {
  return isGzip(bytes) || hasZip(bytes)
}
