import { Elysia } from 'elysia'
import { placeholderAnswers } from '../../app/adventure/placeholders.ts'
import { planVersion, refreshPlan } from '../../app/adventure/refresh.ts'
import type { App } from '../../app/app.ts'
import { getAdventure } from '../../db/tables/adventures.ts'
import { StoryError } from '../../domain/errors.ts'
import { type RefreshChoices, refreshChoices } from '../../domain/refresh/plan.ts'
import { matching, refuseUnknownKeys } from '../../domain/validation.ts'
import { objectFrom, textFrom } from '../../http/body.ts'
import { isForm, parseForm } from '../../http/form.ts'
import { flashFrom } from '../flash.tsx'
import { formRoutes } from '../form-routes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { plotPage } from '../panels/plot-page.tsx'
import {
  type FormFields,
  fieldsOf,
  formResponse,
  idFrom,
  isFragment,
  pageOrNotFound,
  seeOther,
} from '../respond.tsx'
import { changedAnswersIn } from '../ui/placeholder-fields.ts'
import { refreshUrl } from '../urls.ts'
import { NoScenarioPage, RefreshPage, type RefreshProps } from './refresh.tsx'

/**
 * The page that updates a story from its scenario. A program that uses the address gets what `api` responds to the same
 * request under `/api`.
 */
export const refreshRoutes = (app: App, api: (request: Request) => Promise<Response>) =>
  new Elysia({ detail: { hide: true } })
    .get('/adventures/:id/refresh', ({ params, query, request }) => {
      if (!wantsPage(request)) return api(underApi(request))
      return pageOrNotFound(() => refreshPage(app, idFrom(params.id), flashFrom(query)))
    })
    .post(
      '/adventures/:id/refresh',
      async ({ params, request }) => {
        if (!wantsPage(request)) return api(underApi(request))
        const id = idFrom(params.id)
        const fields = isForm(request) ? fieldsOf(await parseForm(request)) : {}
        return formResponse(
          request,
          async () => {
            const choices = isForm(request) ? choicesIn(app, id, fields) : await choicesSent(request)
            app.applyRefresh(id, choices, fields.version)
            return seeOther(request, refreshUrl(id), 'updated')
          },
          (notice) => <RefreshPage {...refreshProps(app, id)} notice={notice} typed={fields} />,
        )
      },
      // The body may be a form's or a program's; each reads it in its own way.
      { parse: 'none' },
    )
    .use(placeholderRoutes(app))

function refreshPage(app: App, id: number, did: string): Markup {
  try {
    return <RefreshPage {...refreshProps(app, id)} did={did} />
  } catch (error) {
    if (!(error instanceof StoryError) || error.code !== 'no_scenario') throw error
    return <NoScenarioPage adventure={getAdventure(app.reader, id)} sentence={error.message} />
  }
}

const placeholderRoutes = (app: App) =>
  formRoutes('/adventures/:id').post('/answers', ({ id, fields, request }) =>
    formResponse(
      request,
      () => {
        app.changePlaceholders(id, changedAnswersIn(fields, placeholderAnswers(app.reader, id).placeholders))
        return seeOther(request, refreshUrl(id))
      },
      (notice) => plotPage(app, id, { notice, typedAnswers: fields }),
    ),
  )

function refreshProps(app: App, adventureId: number): RefreshProps {
  const { reader } = app
  const plan = refreshPlan(reader, adventureId)
  const { questions, needed } = placeholderAnswers(reader, adventureId)
  return {
    adventure: getAdventure(reader, adventureId),
    plan,
    version: planVersion(plan),
    questions: questions.filter(({ name }) => needed.includes(name)),
  }
}

/** An unchecked box is not sent; a hidden field says that the form had it. */
function choicesIn(app: App, adventureId: number, fields: FormFields): RefreshChoices {
  const shown = Object.keys(fields).flatMap((name) =>
    name.startsWith('item:') ? [name.slice('item:'.length)] : [],
  )
  return {
    placeholders: changedAnswersIn(fields, placeholderAnswers(app.reader, adventureId).placeholders),
    skip: shown.filter((ref) => fields[`take:${ref}`] === undefined),
  }
}

/** The choices of a program that asks for a page in response. */
async function choicesSent(request: Request): Promise<RefreshChoices> {
  const text = textFrom(await request.bytes())
  const choices = text === '' ? {} : objectFrom(text)
  refuseUnknownKeys(refreshChoices(), choices)
  return matching(refreshChoices(), choices)
}

function wantsPage(request: Request): boolean {
  return isFragment(request) || isForm(request) || (request.headers.get('accept') ?? '').includes('text/html')
}

function underApi(request: Request): Request {
  const url = new URL(request.url)
  return new Request(new URL(`/api${url.pathname}`, url), request)
}
