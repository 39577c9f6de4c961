import { librarySize } from '../../db/checks/library-size.ts'
import { copyLibrary } from '../../db/library/copies/copy.ts'
import { openSecondConnection } from '../../db/library/open.ts'
import { previewCopy, restoreLibrary } from '../../db/library/restore.ts'
import { describeError, LibraryRefused } from '../../db/library-refused.ts'
import { listOutdated } from '../../db/search/story-index.ts'
import { translatingErrors } from '../../db/storage-errors.ts'
import { forgetPromptSteps } from '../../db/stories/forget-prompts.ts'
import { deleteSteps } from '../../db/stories/hidden.ts'
import { StoryError } from '../../domain/errors.ts'
import { planUpload } from '../files/plan-upload.ts'
import { writeImport } from '../files/write-import.ts'
import type { JobHost, JobName, WorkerJobs } from './worker-job.ts'
import { indexSteps, writeInPieces } from './write-in-pieces.ts'

type Job<Name extends JobName> = (
  given: WorkerJobs[Name]['given'],
  host: JobHost,
) => Promise<WorkerJobs[Name]['result']>

/** The long jobs, as they run in a worker. Code that needs few of these imports is in files beside this one. */
export const JOBS: {
  [Name in Exclude<JobName, 'export' | 'open library' | 'check library' | 'copy story'>]: Job<Name>
} = {
  copy: async ({ path, target }) => {
    copyOrSay(path, target)
    return null
  },
  'preview copy': async ({ file, folder }) => {
    try {
      return previewCopy(file, folder)
    } catch (error) {
      throw new StoryError('import_refused', `This backup cannot be restored. ${describeError(error)}`)
    }
  },
  restore: async ({ path, file, at }) => {
    try {
      return { kept: restoreLibrary(path, file, at) }
    } catch (error) {
      if (error instanceof LibraryRefused) return { refused: error.message }
      throw error
    }
  },
  'forget prompts': async ({ path }, host) => {
    using library = openSecondConnection(path)
    await writeInPieces(library, forgetPromptSteps(library.reader), host, { done: 0, total: 0 })
    return null
  },
  'library size': async ({ path }) => librarySize(path),
  index: async ({ path }, host) => {
    using library = openSecondConnection(path)
    const rows = listOutdated(library.reader)
    await writeInPieces(library, indexSteps(rows), host, { done: 0, total: rows.length })
    return null
  },
  'delete stories': async ({ path, adventures }, host) => {
    using library = openSecondConnection(path)
    const steps = deleteSteps({ adventures, scenarios: [] })
    await writeInPieces(library, steps, host, { done: 0, total: 0 })
    return null
  },
  'plan import': async ({ path, file }) => {
    using library = openSecondConnection(path)
    return await planUpload(library, file)
  },
  import: async ({ path, plan, choice, at }, host) => {
    using library = openSecondConnection(path)
    return await writeImport(library, plan, choice, { at, host })
  },
}

function copyOrSay(path: string, target: string): void {
  try {
    translatingErrors(() => copyLibrary(path, target))
  } catch (error) {
    if (error instanceof StoryError) throw error
    throw new StoryError('storage_failed', `The library was not copied. ${describeError(error)}`)
  }
}
