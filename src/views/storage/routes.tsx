import type { App } from '../../app/app.ts'
import { listAdventures } from '../../db/tables/adventure-list.ts'
import { StoryError } from '../../domain/errors.ts'
import { asStoryError } from '../../http/problem.ts'
import { NotFoundPage } from '../error-pages.tsx'
import { flashFrom } from '../flash.tsx'
import { formRoutes } from '../form-routes.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { pageHtml } from '../layout.tsx'
import { htmlResponse, pageResponse, seeOther } from '../respond.tsx'
import { storageUrl } from '../urls.ts'
import { BackupPage, RestoringPage, SavedCopyPage } from './backup.tsx'
import { QuitPage } from './quit.tsx'
import { StoragePage } from './storage.tsx'

/** Seconds until the page of a restore goes on: by then the service restarts, and its address says so. */
const RESTART = 2

export const storageRoutes = (app: App) =>
  formRoutes('')
    .get('/storage', async ({ query, request }) => {
      const report = await app.storageReport(request.signal)
      return pageResponse(<StoragePage report={report} did={flashFrom(query)} />)
    })
    .get('/storage/:backup', async ({ params, request }) =>
      pageResponse(await backupPage(app, params.backup, request.signal)),
    )
    .post('/storage/:backup/restore', async ({ params, request }) => {
      try {
        await app.restoreBackup(params.backup, request.signal)
        return htmlResponse(pageHtml(<RestoringPage />), 200, { Refresh: `${RESTART}; url=${storageUrl()}` })
      } catch (error) {
        const { message } = asStoryError(error, 'a restore')
        return pageResponse(await backupPage(app, params.backup, request.signal, message), 422)
      }
    })
    .post('/storage/:backup/delete', async ({ params, request }) => {
      await app.deleteBackup(params.backup)
      return seeOther(request, storageUrl(), 'deleted')
    })
    .post('/storage/save-open', () => pageResponse(<SavedCopyPage path={app.saveOpenLibrary()} />))
    .post('/storage/forget-prompts', async ({ request }) => {
      await app.forgetPrompts()
      return seeOther(request, storageUrl(), 'deleted')
    })
    .post('/quit', () => {
      app.quitService()
      return pageResponse(<QuitPage />)
    })

async function backupPage(app: App, name: string, signal: AbortSignal, notice?: Child): Promise<Markup> {
  const backup = app.listBackups().find((one) => one.name === name)
  if (!backup) return <NotFoundPage sentence="There is no such backup." />
  const contents = await app.previewBackup(name, signal).catch((error: unknown) => {
    if (error instanceof StoryError && error.code === 'import_refused') return error.message
    throw error
  })
  return (
    <BackupPage
      backup={backup}
      contents={contents}
      storiesNow={listAdventures(app.reader).length}
      canRestore={app.canRestore()}
      now={app.now()}
      notice={notice}
    />
  )
}
