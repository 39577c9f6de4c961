import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { coverFromBytes } from '../../app/scenario/covers.ts'
import { getScenario, listScenarios } from '../../db/tables/scenarios.ts'
import type { StoryError } from '../../domain/errors.ts'
import { scenarioFields } from '../../domain/scenario.ts'
import { validated } from '../../domain/validation.ts'
import { formRoutes } from '../../http/form.ts'
import { cardFilterFrom } from '../cards/card-filter.ts'
import { flashFrom } from '../flash.tsx'
import type { Child } from '../jsx/jsx-runtime.ts'
import { libraryFilterFrom } from '../library/library-filter.ts'
import { ScenariosPage } from '../library/scenarios.tsx'
import {
  type FormFields,
  fieldsOf,
  formResponse,
  htmlResponse,
  idFrom,
  isFragment,
  pageOrNotFound,
  pageResponse,
  seeOther,
} from '../respond.tsx'
import { autosavedFrom } from '../ui/autosave-field.tsx'
import { autosaveResponse } from '../ui/autosave-response.tsx'
import { answersIn } from '../ui/placeholder-fields.ts'
import { scenarioUrl } from '../urls.ts'
import { OpeningPreview, PlaceholderList, StartForm } from './placeholders.tsx'
import { type OpenPart, ScenarioPage } from './scenario.tsx'
import { SCENARIO_TEXTS } from './scenario-fields.tsx'
import { scenarioProps } from './scenario-props.ts'

type Query = Record<string, string | undefined>

/** The list of scenarios, a scenario's page, and the forms that edit it. */
export const scenarioRoutes = (app: App) => {
  const refusedPage =
    (id: number, open: OpenPart, typed?: FormFields) => (notice: string, fault: StoryError) => (
      <ScenarioPage {...scenarioProps(app, id)} open={open} notice={notice} typed={typed} fault={fault} />
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
    .get('/:id', ({ params, query }) =>
      pageOrNotFound(() => (
        <ScenarioPage
          {...scenarioProps(app, idFrom(params.id))}
          open={openPart(query)}
          filter={cardFilterFrom(query)}
          did={flashFrom(query)}
        />
      )),
    )
    .post('', ({ body, request }) =>
      formResponse(
        request,
        async () => {
          const { id } = await app.createScenario(validated(Type.Partial(scenarioFields()), fieldsOf(body)))
          return seeOther(request, scenarioUrl(id, 'texts'))
        },
        () => <ScenariosPage scenarios={listScenarios(app.reader)} />,
      ),
    )
    .post('/:id', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const fields = fieldsOf(body)
      const text = SCENARIO_TEXTS.find(({ name }) => name === fields.only)
      if (isFragment(request) && text) return autosaveText(app, id, fields, text)
      return formResponse(
        request,
        async () => {
          await writeTexts(app, id, fields)
          return seeOther(request, scenarioUrl(id, 'texts'), 'saved')
        },
        refusedPage(id, 'texts', fields),
      )
    })
    .post('/:id/cover', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const fields = fieldsOf(body)
      return formResponse(
        request,
        async () => {
          const image = fields.no_picture ? '' : await pictureIn(body)
          if (image !== null) app.changeCover(id, image, { image: fields['seen-image'] })
          return seeOther(request, scenarioUrl(id, 'cover'), 'saved')
        },
        refusedPage(id, 'cover'),
      )
    })
    .post('/:id/preview', ({ params, body, request }) => {
      const id = idFrom(params.id)
      return formResponse(
        request,
        () => {
          const props = scenarioProps(app, id)
          const sample = answersIn(fieldsOf(body))
          if (isFragment(request))
            return htmlResponse((<OpeningPreview opening={props.scenario.prompt} sample={sample} />).html)
          return pageResponse(<ScenarioPage {...props} open="questions" sample={sample} />)
        },
        refusedPage(id, 'questions'),
      )
    })
    .post('/:id/duplicate', ({ params, request }) => {
      const id = idFrom(params.id)
      return formResponse(
        request,
        () => seeOther(request, scenarioUrl(app.duplicateScenario(id), 'texts'), 'duplicated'),
        refusedPage(id, ''),
      )
    })
    .post('/:id/delete', ({ params, request }) => {
      const id = idFrom(params.id)
      return formResponse(
        request,
        () => {
          app.removeScenario(id)
          return seeOther(request, '/scenarios', 'deleted')
        },
        refusedPage(id, ''),
      )
    })
}

const PARTS: OpenPart[] = ['texts', 'cover', 'questions', 'stats', 'cards']

function openPart({ open, stats }: Query): OpenPart {
  if (stats !== undefined) return 'stats'
  return PARTS.find((part) => part === open) ?? ''
}

function writeTexts(app: App, id: number, fields: FormFields) {
  const { changed, seen } = autosavedFrom(fields, SCENARIO_TEXTS, scenarioFields())
  return app.changeScenario(id, validated(Type.Partial(scenarioFields()), changed), seen)
}

// Where the placeholders change with the text, the forms that ask for them are replaced too.
async function autosaveText(
  app: App,
  id: number,
  fields: FormFields,
  text: (typeof SCENARIO_TEXTS)[number],
): Promise<Response> {
  const placeholders = () => JSON.stringify(scenarioProps(app, id).placeholders)
  let before = ''
  return autosaveResponse(fields, {
    text,
    action: scenarioUrl(id),
    write: () => {
      before = placeholders()
      return writeTexts(app, id, fields)
    },
    stored: () => getScenario(app.reader, id)[text.name],
    more: () => (placeholders() === before ? null : placeholderForms(app, id)),
  })
}

function placeholderForms(app: App, id: number): Child {
  const { scenario, placeholders } = scenarioProps(app, id)
  return (
    <>
      <StartForm scenarioId={id} placeholders={placeholders} isOutOfBand />
      <PlaceholderList scenarioId={id} opening={scenario.prompt} placeholders={placeholders} isOutOfBand />
    </>
  )
}

async function pictureIn(body: unknown): Promise<string | null> {
  const file = (body as { picture?: unknown } | undefined)?.picture
  if (!(file instanceof File) || file.size === 0) return null
  return coverFromBytes(new Uint8Array(await file.arrayBuffer()))
}
