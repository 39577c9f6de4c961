import type { App } from '../app/app.ts'
import type { ImportChoice } from '../app/files/import-choice.ts'
import { watchImport } from '../app/files/running-imports.ts'
import type { AnyUpload } from '../app/runtime/uploads.ts'
import { asStoryError, problemOf } from '../http/problem.ts'
import { EVENT_STREAM, formatEvent, streamResponse } from '../http/stream.ts'

/** Imports a file and streams its progress. The import goes on when the client leaves. */
export function importStream(app: App, request: Request, file: AnyUpload, choice: ImportChoice): Response {
  return streamResponse(
    request,
    EVENT_STREAM,
    () => importEvents(app, file, choice),
    (event) => formatEvent(JSON.stringify(event)),
  )
}

/** Milliseconds between two events about the progress. */
const PROGRESS_INTERVAL = 250

/** The progress of an import, then what came of it. */
async function* importEvents(app: App, file: AnyUpload, choice: ImportChoice) {
  const running = watchImport(choice, async (report) => {
    try {
      return await app.importFile(file, choice, report)
    } finally {
      await app.deleteUpload(file)
    }
  })
  const outcome = running.result.then(
    ({ preview, imported }) => ({ type: 'done', ...preview, ...imported }),
    (error: unknown) => ({ type: 'error', ...problemOf(asStoryError(error, 'an import')) }),
  )
  while (!running.isOver) {
    yield { type: 'progress', ...running.progress }
    await Promise.race([outcome, Bun.sleep(PROGRESS_INTERVAL)])
  }
  yield await outcome
}
