import type { Library } from '../../db/library.ts'
import { assertRoomToImport } from '../../db/storage-errors.ts'
import type { ImportPreview } from '../../domain/portable/import-preview.ts'
import { type AnyUpload, filesOf } from '../runtime/uploads.ts'
import type { JobHost } from '../worker/worker-job.ts'
import type { ImportChoice, ImportOutcome } from './import-choice.ts'
import { KnownContent } from './known-content.ts'
import { PlannedUpload } from './plan-import.ts'
import { writeImport } from './write-import.ts'

/** Bytes of imported files whose passages are indexed at once. Longer ones are shown before they can be found. */
const MAX_INDEXED = 256 * 1024

/** What is in an upload; nothing is written. Throws import_refused. */
export async function previewUpload(library: Library, upload: AnyUpload): Promise<ImportPreview> {
  const planned = new PlannedUpload(upload, new KnownContent(library.reader))
  for await (const _ of planned.plans({ isPreview: true }));
  return planned.preview()
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
