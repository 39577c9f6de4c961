import type { Library } from '../../db/library.ts'
import { assertRoomToImport } from '../../db/storage-errors.ts'
import { countSteps } from '../../db/stories/import-steps.ts'
import type { ImportPreview } from '../../domain/portable/import-preview.ts'
import { type AnyUpload, filesOf } from '../runtime/uploads.ts'
import type { JobHost } from '../worker/worker-job.ts'
import type { ImportChoice, ImportOutcome } from './import-choice.ts'
import { KnownContent } from './known-content.ts'
import { type PlannedFile, PlannedUpload } from './plan-import.ts'
import { writeImport } from './write-import.ts'

/** Bytes of imported files whose passages are indexed at once. Longer ones are shown before they can be found. */
const MAX_INDEXED = 256 * 1024

/** Rows that are written and indexed within 50 ms. */
const FEW_ROWS = 500

/** What is in an upload, and its plan if that is short; nothing is written. Throws import_refused. */
export async function previewUpload(
  library: Library,
  upload: AnyUpload,
): Promise<{ preview: ImportPreview; plan: PlannedFile | null }> {
  const planned = new PlannedUpload(upload, new KnownContent(library.reader))
  let last: PlannedFile | null = null
  for await (const file of planned.plans({ isPreview: true })) last = file
  const isShort = planned.count === 1 && last !== null && countRows(last.plan) <= FEW_ROWS
  return { preview: planned.preview(), plan: isShort ? last : null }
}

function countRows({ scenarios, adventures, story_cards }: PlannedFile['plan']): number {
  return countSteps(scenarios, adventures, true) + story_cards.length
}

/** Imports what was chosen of a short plan. Throws as writeImport. */
export async function importPlan(
  library: Library,
  plan: PlannedFile,
  choice: ImportChoice,
  run: { at: Date; host: JobHost },
): Promise<ImportOutcome & { unindexed: number }> {
  const files = { count: 1, plans: () => [plan] }
  return {
    preview: plan.preview,
    ...(await writeImport(library, files, choice, { ...run, leavesIndex: false })),
  }
}

/** Imports what was chosen of an upload. `unindexed` is how many passages are not in the search index. Throws as writeImport. */
export async function importUpload(
  library: Library,
  upload: AnyUpload,
  choice: ImportChoice,
  { at, host }: { at: Date; host: JobHost },
): Promise<ImportOutcome & { unindexed: number }> {
  const planned = new PlannedUpload(upload, new KnownContent(library.reader))
  const size = filesOf(upload).reduce((sum, file) => sum + sizeOf(file), 0)
  if (size > MAX_INDEXED) assertRoomToImport(library.path, size)
  const written = await writeImport(library, planned, choice, { at, host, leavesIndex: size > MAX_INDEXED })
  return { preview: planned.preview(), ...written }
}

function sizeOf(file: ReturnType<typeof filesOf>[number]): number {
  return 'path' in file ? file.to - file.from : file.bytes.length
}
