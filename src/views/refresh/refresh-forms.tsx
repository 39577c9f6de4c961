import { Elysia } from 'elysia'
import { answersOf, changeAnswers } from '../../app/answers.ts'
import { copyAdventure } from '../../app/adventure/copy-adventure.ts'
import type { Deps } from '../../app/deps.ts'
import { applyRefresh, markOfPlan, refreshPlan } from '../../app/adventure/refresh.ts'
import { getAdventure } from '../../db/tables/adventures.ts'
import { StoryError } from '../../domain/errors.ts'
import { type RefreshChoices, refreshChoices } from '../../domain/refresh/plan.ts'
import { validated } from '../../domain/validation.ts'
import { objectFrom, textFrom } from '../../http/body.ts'
import { formFields, formRoutes, isForm } from '../../http/form.ts'
import { type Fields, fieldsOf, formAnswer, idFrom, isFragment, pageOrNothing, seeOther } from '../respond.tsx'
import { answersAnew } from '../asked.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Plot } from '../panels/plot.tsx'
import { PlayPage } from '../play/play.tsx'
import { playProps, plotProps } from '../play/play-props.ts'
import { NoScenarioPage, RefreshPage, type RefreshProps } from './refresh.tsx'

/**
 * What a story has to do with its scenario once it runs. A program that asks for a refresh here gets what `api`
 * answers to the same request under `/api` (specification 4, which names these paths without the prefix).
 */
export const refreshForms = (deps: Deps, api: (request: Request) => Promise<Response>) =>
  new Elysia({ prefix: '/adventures/:id', detail: { hide: true } })
    .get('/refresh', ({ params, query, request }) => {
      if (!wantsPage(request)) return api(underApi(request))
      const done = query.done === undefined ? undefined : { copy: idFrom(query.copy) }
      return pageOrNothing(() => refreshPage(deps, idFrom(params.id), done))
    })
    .post(
      '/refresh',
      async ({ params, request }) => {
        if (!wantsPage(request)) return api(underApi(request))
        const id = idFrom(params.id)
        const fields = isForm(request) ? fieldsOf(await formFields(request)) : {}
        return formAnswer(
          request,
          async () => {
            const choices = isForm(request) ? choicesIn(deps, id, fields) : await choicesSent(request)
            const copy = applyRefresh(deps, id, choices, fields.seen)
            return seeOther(
              request,
              `/adventures/${id}/refresh?done=1${copy === null ? '' : `&copy=${copy}`}`,
            )
          },
          (notice) => <RefreshPage {...refreshProps(deps, id)} notice={notice} typed={fields} />,
        )
      },
      // The body may be a form's or a program's, and is read by whoever answers.
      { parse: 'none' },
    )

function refreshPage(deps: Deps, id: number, done: RefreshProps['done']): Markup {
  try {
    return <RefreshPage {...refreshProps(deps, id)} done={done} />
  } catch (error) {
    if (!(error instanceof StoryError) || error.code !== 'no_scenario') throw error
    return <NoScenarioPage adventure={getAdventure(deps.library.reader, id)} sentence={error.message} />
  }
}

/** The answers of a story to what its scenario asks, and copies of it. */
export const answerForms = (deps: Deps) =>
  formRoutes('/adventures/:id')
    .post('/answers', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const fields = fieldsOf(body)
      return formAnswer(
        request,
        () => {
          changeAnswers(deps, id, answersAnew(fields, answersOf(deps.library.reader, id).placeholders))
          return seeOther(request, `/adventures/${id}/refresh`)
        },
        (notice) =>
          fields.seen === undefined ? (
            <PlayPage
              {...playProps(deps, id)}
              notice={notice}
              panelName="plot"
              panel={<Plot {...plotProps(deps, id)} typedAnswers={fields} />}
            />
          ) : (
            <RefreshPage {...refreshProps(deps, id)} notice={notice} typed={fields} />
          ),
      )
    })
    .post('/copy', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const { up_to } = fieldsOf(body)
      return formAnswer(
        request,
        () => {
          const copy = copyAdventure(deps, id, up_to === undefined ? null : idFrom(up_to))
          return seeOther(request, `/adventures/${copy}#tools`, 'copied')
        },
        (notice) => <PlayPage {...playProps(deps, id)} notice={notice} />,
      )
    })

function refreshProps(deps: Deps, adventureId: number): RefreshProps {
  const { reader } = deps.library
  const plan = refreshPlan(reader, adventureId)
  const { questions, needed } = answersOf(reader, adventureId)
  return {
    adventure: getAdventure(reader, adventureId),
    plan,
    mark: markOfPlan(plan),
    questions: questions.filter(({ name }) => needed.includes(name)),
  }
}

/** What the form of the page says. A box that is not ticked is not sent; the field beside it says that it was there. */
function choicesIn(deps: Deps, adventureId: number, fields: Fields): RefreshChoices {
  const shown = Object.keys(fields).flatMap((name) =>
    name.startsWith('item:') ? [name.slice('item:'.length)] : [],
  )
  return {
    placeholders: answersAnew(fields, answersOf(deps.library.reader, adventureId).placeholders),
    skip: shown.filter((ref) => fields[`take:${ref}`] === undefined),
    keep_copy: fields.keep_copy === '1',
  }
}

/** What a program says that wants a page for an answer. */
async function choicesSent(request: Request): Promise<RefreshChoices> {
  const text = textFrom(await request.bytes())
  return validated(refreshChoices(), text === '' ? {} : objectFrom(text))
}

function wantsPage(request: Request): boolean {
  return isFragment(request) || isForm(request) || (request.headers.get('accept') ?? '').includes('text/html')
}

function underApi(request: Request): Request {
  const url = new URL(request.url)
  return new Request(new URL(`/api${url.pathname}`, url), request)
}
