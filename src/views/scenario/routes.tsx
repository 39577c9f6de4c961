import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { coverFromBytes } from '../../app/scenario/covers.ts'
import { getScenario, listScenarios } from '../../db/tables/scenarios.ts'
import { type ConflictCheck, formUnchanged } from '../../domain/edit-conflict.ts'
import type { StoryError } from '../../domain/errors.ts'
import { scenarioFields } from '../../domain/scenario.ts'
import { validated } from '../../domain/validation.ts'
import { cardFilterFrom } from '../cards/card-filter.ts'
import { flashFrom } from '../flash.tsx'
import { formRoutes } from '../form-routes.ts'
import { libraryFilterFrom } from '../library/library-filter.ts'
import { ScenariosPage } from '../library/scenarios.tsx'
import {
  type FormFields,
  formResponse,
  htmlResponse,
  isFragment,
  pageOrNotFound,
  pageResponse,
  seeOther,
  seePanel,
} from '../respond.tsx'
import { autosaveResponse } from '../ui/autosave-form.tsx'
import { answersIn } from '../ui/placeholder-fields.ts'
import { EDITOR_TABS, type EditorTab, editorUrl } from '../urls.ts'
import { EditedTitle, EditorPage } from './editor.tsx'
import { greetingsIn, MoreGreetings } from './greetings.tsx'
import { PreviewAnswers, Previewed, type PreviewProps } from './preview.tsx'
import { ScenarioPage } from './scenario.tsx'
import { scenarioForm } from './scenario-fields.tsx'
import { editorProps, previewProps, scenarioProps } from './scenario-props.ts'

type Query = Record<string, string | undefined>

export const scenarioRoutes = (app: App) => {
  const refusedEditor =
    (id: number, tab: EditorTab, typed?: FormFields) => (notice: string, fault: StoryError) => (
      <EditorPage {...editorProps(app, id)} tab={tab} notice={notice} typed={typed} fault={fault} />
    )
  const refusedPage = (id: number) => (notice: string) => (
    <ScenarioPage {...scenarioProps(app, id)} notice={notice} />
  )
  return formRoutes('/scenarios')
    .get('', ({ query }) =>
      pageResponse(
        <ScenariosPage
          scenarios={listScenarios(app.reader)}
          filter={libraryFilterFrom(query)}
          did={flashFrom(query)}
        />,
      ),
    )
    .get('/:id', ({ id, query }) => {
      const tab = movedTab(query)
      if (tab) return seePanel(editorUrl(id, tab))
      return pageOrNotFound(() => <ScenarioPage {...scenarioProps(app, id)} did={flashFrom(query)} />)
    })
    .get('/:id/edit', ({ id, query }) =>
      pageOrNotFound(() => (
        <EditorPage
          {...editorProps(app, id)}
          tab={tabFrom(query.tab)}
          filter={cardFilterFrom(query)}
          did={flashFrom(query)}
        />
      )),
    )
    .post('', ({ fields, request }) =>
      formResponse(
        request,
        async () => {
          const { id } = await app.createScenario(validated(Type.Partial(scenarioFields()), fields))
          return seeOther(request, editorUrl(id, 'story'))
        },
        (notice) => <ScenariosPage scenarios={listScenarios(app.reader)} notice={notice} />,
      ),
    )
    .post('/:id', ({ id, fields, request }) =>
      autosaveResponse(request, fields, {
        form: () => scenarioForm(getScenario(app.reader, id)),
        write: (check) => writeTexts(app, id, fields, check),
        more: () => (
          <>
            <EditedTitle title={getScenario(app.reader, id).title} isOutOfBand />
            <MoreGreetings fields={fields} />
          </>
        ),
        page: refusedEditor(id, 'story', fields),
      }),
    )
    .post('/:id/cover', ({ id, fields, body, request }) =>
      formResponse(
        request,
        async () => {
          const image = fields.no_picture ? '' : await pictureIn(body)
          if (image !== null) app.changeCover(id, image, formUnchanged(['image'], fields.version))
          return seeOther(request, editorUrl(id, 'cover'), 'saved')
        },
        refusedEditor(id, 'cover'),
      ),
    )
    .post('/:id/preview', ({ id, fields, request }) =>
      formResponse(
        request,
        () => {
          const tried = { answers: answersIn(fields), line: fields.text?.trim() ?? '' }
          if (isFragment(request)) return previewedResponse(previewProps(app, id, tried))
          return pageResponse(<EditorPage {...editorProps(app, id, tried)} tab={tabFrom(fields.tab)} />)
        },
        refusedEditor(id, 'story'),
      ),
    )
    .post('/:id/duplicate', ({ id, request }) =>
      formResponse(
        request,
        () => seeOther(request, editorUrl(app.duplicateScenario(id), 'story'), 'duplicated'),
        refusedPage(id),
      ),
    )
    .post('/:id/delete', ({ id, request }) =>
      formResponse(
        request,
        () => {
          app.removeScenario(id)
          return seeOther(request, '/scenarios', 'deleted')
        },
        refusedPage(id),
      ),
    )
}

function tabFrom(name: string | undefined): EditorTab {
  return EDITOR_TABS.find((tab) => tab === name) ?? 'story'
}

/** The tab of an address from when both pages were one. */
function movedTab({ open, stats }: Query): EditorTab | null {
  if (stats !== undefined) return 'stats'
  return open === undefined ? null : tabFrom(open)
}

/** Sends the fields of the placeholders too, if the form has others. */
function previewedResponse(props: PreviewProps): Response {
  const isSame = JSON.stringify(Object.keys(props.answers)) === JSON.stringify(props.questions)
  return htmlResponse(
    <>
      <Previewed {...props} />
      {isSame ? null : <PreviewAnswers {...props} isOutOfBand />}
    </>,
  )
}

function writeTexts(app: App, id: number, fields: FormFields, check: ConflictCheck) {
  const greetings = 'greeting-0' in fields ? { greetings: greetingsIn(fields) } : {}
  return app.changeScenario(id, validated(Type.Partial(scenarioFields()), { ...fields, ...greetings }), check)
}

async function pictureIn(body: unknown): Promise<string | null> {
  const file = (body as { picture?: unknown } | undefined)?.picture
  if (!(file instanceof File) || file.size === 0) return null
  return coverFromBytes(new Uint8Array(await file.arrayBuffer()))
}
