import { plansIn } from '../../../src/app/files/file-plans.ts'
import type { KeptPlan } from '../../../src/app/files/kept-plans.ts'
import { planUpload } from '../../../src/app/files/plan-upload.ts'
import type { AnyUpload } from '../../../src/app/runtime/uploads.ts'
import type { Library } from '../../../src/db/library.ts'
import { bytesOfValue, storeFile } from '../../../src/db/stored-file.ts'
import { countSteps } from '../../../src/db/stories/import-steps.ts'
import { previewOf } from '../../../src/domain/portable/import-preview.ts'
import type { ImportPlan } from '../../../src/domain/portable/portable.ts'
import { openLibrary } from '../library/open.ts'
import { temporaryFolder } from '../temporary.ts'

/** A plan as it is kept for an import, for a library that has none of it. */
export async function planned(library: Library, plan: ImportPlan): Promise<KeptPlan> {
  const none = { hasScenario: () => false, hasAdventure: () => false }
  const bytes = bytesOfValue(plan)
  async function* chunks() {
    yield bytes
  }
  return {
    name: '',
    preview: previewOf(plan, none),
    plans: await storeFile(library.path, chunks()),
    parts: [bytes.length],
    rows: countSteps(plan.scenarios, plan.adventures),
    uploads: [],
  }
}

/** Reads an upload as an import does: its preview, and the additions of each file. */
export async function readUpload(upload: AnyUpload) {
  using library = openLibrary(`${temporaryFolder()}/library.db`)
  const plan = await planUpload(library, upload)
  return { preview: plan.preview, files: await Array.fromAsync(plansIn(plan)) }
}
