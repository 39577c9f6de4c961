import type { App } from '../../app/app.ts'
import type { ImportOutcome } from '../../app/files/import-choice.ts'
import type { KeptPlan } from '../../app/files/kept-plans.ts'
import type { RunningImport } from '../../app/files/running-imports.ts'
import { isLibrary } from '../../app/files/stored-upload.ts'
import type { AnyUpload, StoredUpload, Upload } from '../../app/runtime/uploads.ts'
import { listScenarios } from '../../db/tables/scenarios.ts'
import { StoryError } from '../../domain/errors.ts'
import type { NamedOwner } from '../../domain/story-card.ts'
import { type FilesForm, parseFilesForm, parseForm } from '../../http/form.ts'
import { statusOf } from '../../http/problem.ts'
import { expectMachine } from '../../http/visitor.ts'
import { formRoutes } from '../form-routes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { LibraryPage } from '../library/library.tsx'
import { libraryProps } from '../library/library-props.ts'
import {
  type FormFields,
  fieldsOf,
  formResponse,
  idFrom,
  isFragment,
  pageResponse,
  seeOther,
} from '../respond.tsx'
import { EditorPage } from '../scenario/editor.tsx'
import { editorProps } from '../scenario/scenario-props.ts'
import { editorUrl, scenarioUrl, storageUrl, storyEndUrl } from '../urls.ts'
import {
  ImportPreviewPage,
  type ImportPreviewProps,
  ImportProgressPage,
  ImportResultPage,
} from './import.tsx'

export const importRoutes = (app: App) => {
  const previewPage = async (key: string, plan: KeptPlan, shown: ShownPreview): Promise<Markup> => (
    <ImportPreviewPage
      found={await app.previewPlan(plan, ownerOf(shown.owner))}
      scenarios={listScenarios(app.reader)}
      uploadId={key}
      name={plan.name}
      {...shown}
    />
  )
  const addBackup = async (library: Upload | StoredUpload): Promise<string> => {
    try {
      expectMachine()
      return await app.addBackup(library)
    } catch (error) {
      await app.deleteUpload(library)
      throw error
    }
  }
  /** A refused import shows its preview again, while its plan is kept. */
  const outcome = async (request: Request, uploadId: string, owner: number): Promise<Response> => {
    const running = app.imports.find(uploadId)
    if (running === null) {
      const plan = app.plans.find(uploadId)
      return plan === null
        ? seeOther(request, '/')
        : pageResponse(await previewPage(uploadId, plan, { owner }))
    }
    try {
      return await outcomeResponse(request, uploadId, running, owner)
    } catch (error) {
      const plan = app.plans.find(uploadId)
      if (!(error instanceof StoryError) || plan === null || isFragment(request)) throw error
      const shown = { owner, choice: running.choice, notice: error.message }
      return pageResponse(await previewPage(uploadId, plan, shown), statusOf(error))
    }
  }
  const back = (owner: number, pasted?: string) => (notice: string) =>
    owner === 0 ? (
      <LibraryPage {...libraryProps(app)} notice={notice} pasted={pasted} />
    ) : (
      <EditorPage {...editorProps(app, owner)} tab="cards" notice={notice} pasted={pasted} />
    )
  return formRoutes('/import', (request) =>
    request.url.endsWith('/apply') ? parseForm(request) : parseFiles(app, request),
  )
    .post('', ({ body, request }) => {
      const form = body as FilesForm<StoredUpload>
      const { owner: of, text } = fieldsOf(form.fields)
      const owner = idFrom(of)
      return formResponse(
        request,
        async () => {
          const upload = uploadIn(form)
          if (isLibrary(upload)) return seeOther(request, storageUrl(await addBackup(upload)))
          const { key, plan } = await app.keepImport(upload)
          return pageResponse(await previewPage(key, plan, { owner }))
        },
        back(owner, text),
      )
    })
    .post('/apply', ({ fields, request }) => {
      const { held: uploadId = '' } = fields
      const owner = idFrom(fields.owner)
      return formResponse(
        request,
        async () => {
          const running = app.startImport(uploadId, {
            scenarios: chosenIn(fields, 'scenarios'),
            adventures: chosenIn(fields, 'adventures'),
            owner: ownerOf(owner),
            duplicates: fields.duplicates === 'replace' ? 'replace' : 'skip',
          })
          await Promise.race([running.result.catch(() => {}), Bun.sleep(PATIENCE)])
          return outcome(request, uploadId, owner)
        },
        back(owner),
      )
    })
    .get('/:upload', ({ params, query, request }) => {
      const owner = idFrom(query.owner)
      return formResponse(request, () => outcome(request, params.upload, owner), back(owner))
    })
}

function ownerOf(scenarioId: number): NamedOwner | undefined {
  return scenarioId === 0 ? undefined : { scenario_id: scenarioId }
}

type ShownPreview = Pick<ImportPreviewProps, 'owner' | 'choice' | 'notice'>

/** Milliseconds until a page with the progress is shown. */
const PATIENCE = 700

/** Throws what the import throws. */
async function outcomeResponse(
  request: Request,
  uploadId: string,
  { isOver, result, progress }: RunningImport<ImportOutcome>,
  owner: number,
): Promise<Response> {
  const address = `/import/${uploadId}${owner === 0 ? '' : `?owner=${owner}`}`
  if (!isOver && request.method === 'POST') return seeOther(request, address)
  if (!isOver) return pageResponse(<ImportProgressPage {...progress} address={address} />)
  const outcome = await result
  const { preview, imported } = outcome
  const { adventure_ids, scenario_ids } = imported
  const isOwnPage = request.method === 'GET' && !isFragment(request)
  if (preview.rejected_files.length > 0)
    return isOwnPage ? pageResponse(<ImportResultPage {...outcome} />) : seeOther(request, address)
  if (preview.kind === 'files') return seeOther(request, '/', 'imported')
  const [story] = adventure_ids
  if (story !== undefined) return seeOther(request, storyEndUrl(story), 'imported')
  const [scenario] = scenario_ids
  const to = scenario === undefined ? editorUrl(owner, 'cards') : scenarioUrl(scenario)
  return seeOther(request, to, 'imported')
}

function parseFiles(app: App, request: Request): Promise<FilesForm<StoredUpload>> {
  return parseFilesForm(request, { store: app.storeUpload, discard: app.deleteUpload })
}

// A chosen file wins over pasted text.
function uploadIn({ fields = {}, files = [] }: Partial<FilesForm<StoredUpload>>): AnyUpload {
  const [first, second] = files
  if (first && second) return { name: `${files.length} files`, files }
  if (first) return first
  const { text = '' } = fields
  if (text.trim() !== '') return { name: '', bytes: new TextEncoder().encode(text) }
  throw new StoryError('import_refused', 'Choose a file or paste its contents first.')
}

function chosenIn(fields: FormFields, name: string): number[] {
  return Object.keys(fields)
    .map((field) => new RegExp(`^${name}\\.(\\d{1,9})$`).exec(field)?.[1])
    .filter((position) => position !== undefined)
    .map(Number)
}
