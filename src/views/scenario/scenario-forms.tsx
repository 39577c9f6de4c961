import { Type } from '@sinclair/typebox'
import type { Deps } from '../../app/deps.ts'
import { duplicateScenario } from '../../app/scenario/duplicate-scenario.ts'
import { coverFromBytes } from '../../app/scenario/covers.ts'
import { changeCover, changeScenario, createScenario, removeScenario } from '../../app/scenarios.ts'
import { getScenario, listScenarios } from '../../db/tables/scenarios.ts'
import type { StoryError } from '../../domain/errors.ts'
import { scenarioFields } from '../../domain/scenario.ts'
import { validated } from '../../domain/validation.ts'
import { formRoutes } from '../../http/form.ts'
import {
  type Fields,
  fieldsOf,
  formAnswer,
  htmlAnswer,
  idFrom,
  isFragment,
  pageAnswer,
  seeOther,
} from '../respond.tsx'
import { answersIn } from '../asked.ts'
import type { Child } from '../jsx/jsx-runtime.ts'
import { keptAnswer } from '../kept-answer.tsx'
import { keptFrom } from '../kept-field.tsx'
import { ScenariosPage } from '../library/library.tsx'
import { scenarioProps } from '../library/library-props.ts'
import { BeginForm, Preview, Questions } from './questions.tsx'
import { type OpenPart, ScenarioPage } from './scenario.tsx'
import { SCENARIO_TEXTS } from './scenario-fields.tsx'

/** The forms with which scenarios are written. */
export const scenarioForms = (deps: Deps) => {
  const refusedPage = (id: number, open: OpenPart, typed?: Fields) => (notice: string, fault: StoryError) => (
    <ScenarioPage {...scenarioProps(deps, id)} open={open} notice={notice} typed={typed} fault={fault} />
  )
  return formRoutes('/scenarios')
    .post('', ({ body, request }) =>
      formAnswer(
        request,
        async () => {
          const { id } = await createScenario(deps, validated(Type.Partial(scenarioFields()), fieldsOf(body)))
          return seeOther(request, pathOf(id, 'texts'))
        },
        () => <ScenariosPage scenarios={listScenarios(deps.library.reader)} />,
      ),
    )
    .post('/:id', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const fields = fieldsOf(body)
      const text = SCENARIO_TEXTS.find(({ name }) => name === fields.only)
      if (isFragment(request) && text) return textAnswer(deps, id, fields, text)
      return formAnswer(
        request,
        async () => {
          await writeTexts(deps, id, fields)
          return seeOther(request, pathOf(id, 'texts'), 'saved')
        },
        refusedPage(id, 'texts', fields),
      )
    })
    .post('/:id/cover', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const fields = fieldsOf(body)
      return formAnswer(
        request,
        async () => {
          const image = fields.no_picture ? '' : await pictureIn(body)
          if (image !== null) changeCover(deps, id, image, { image: fields['seen-image'] })
          return seeOther(request, pathOf(id, 'cover'), 'saved')
        },
        refusedPage(id, 'cover'),
      )
    })
    .post('/:id/preview', ({ params, body, request }) => {
      const id = idFrom(params.id)
      return formAnswer(
        request,
        () => {
          const props = scenarioProps(deps, id)
          const sample = answersIn(fieldsOf(body))
          if (isFragment(request))
            return htmlAnswer((<Preview opening={props.scenario.prompt} sample={sample} />).html)
          return pageAnswer(<ScenarioPage {...props} open="questions" sample={sample} />)
        },
        refusedPage(id, 'questions'),
      )
    })
    .post('/:id/duplicate', ({ params, request }) => {
      const id = idFrom(params.id)
      return formAnswer(
        request,
        () => seeOther(request, pathOf(duplicateScenario(deps, id), 'texts'), 'duplicated'),
        refusedPage(id, ''),
      )
    })
    .post('/:id/delete', ({ params, request }) => {
      const id = idFrom(params.id)
      return formAnswer(
        request,
        () => {
          removeScenario(deps, id)
          return seeOther(request, '/scenarios', 'deleted')
        },
        refusedPage(id, ''),
      )
    })
}

function pathOf(id: number, open: OpenPart): string {
  return `/scenarios/${id}?open=${open}#part-${open}`
}

function writeTexts(deps: Deps, id: number, fields: Fields) {
  const { changed, seen } = keptFrom(fields, SCENARIO_TEXTS)
  return changeScenario(deps, id, validated(Type.Partial(scenarioFields()), changed), seen)
}

// One text was typed. Where it asks something else now, the ways into the story ask it too.
async function textAnswer(
  deps: Deps,
  id: number,
  fields: Fields,
  text: (typeof SCENARIO_TEXTS)[number],
): Promise<Response> {
  const asked = () => scenarioProps(deps, id).questions
  let before = ''
  return keptAnswer(fields, {
    text,
    action: `/scenarios/${id}`,
    write: () => {
      before = JSON.stringify(asked())
      return writeTexts(deps, id, fields)
    },
    stored: () => getScenario(deps.library.reader, id)[text.name],
    more: () => (JSON.stringify(asked()) === before ? null : asksAnew(deps, id)),
  })
}

function asksAnew(deps: Deps, id: number): Child {
  const { scenario, questions } = scenarioProps(deps, id)
  return (
    <>
      <BeginForm scenarioId={id} questions={questions.map(({ name }) => name)} isBeside />
      <Questions scenarioId={id} opening={scenario.prompt} questions={questions} isBeside />
    </>
  )
}

async function pictureIn(body: unknown): Promise<string | null> {
  const file = (body as { picture?: unknown } | undefined)?.picture
  if (!(file instanceof File) || file.size === 0) return null
  return coverFromBytes(new Uint8Array(await file.arrayBuffer()))
}
