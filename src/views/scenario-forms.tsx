import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../app/deps.ts'
import { changeScenario, createScenario, removeScenario } from '../app/scenarios.ts'
import { type ScenarioFields, scenarioFields } from '../domain/scenario.ts'
import { validated } from '../domain/validation.ts'
import { type Fields, fieldsOf, formAnswer, idFrom, seeOther } from './answer.tsx'
import { ScenariosPage } from './library.tsx'
import { libraryProps, scenarioProps } from './library-props.ts'
import { ScenarioPage } from './scenario.tsx'

/** The forms with which scenarios are written. */
export const scenarioForms = (deps: Deps) =>
  new Elysia({ prefix: '/scenarios', detail: { hide: true } })
    .post('', ({ body, request }) =>
      formAnswer(
        request,
        async () => {
          const { id } = await createScenario(deps, validated(Type.Partial(scenarioFields()), fieldsOf(body)))
          return seeOther(request, `/scenarios/${id}`)
        },
        () => <ScenariosPage {...libraryProps(deps)} />,
      ),
    )
    .post('/:id', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const fields = fieldsOf(body)
      return formAnswer(
        request,
        async () => {
          await changeScenario(deps, id, await scenarioFrom(fields, body))
          return seeOther(request, `/scenarios/${id}`)
        },
        (notice) => <ScenarioPage {...scenarioProps(deps, id)} notice={notice} typed={fields} />,
      )
    })
    .post('/:id/delete', ({ params, request }) => {
      const id = idFrom(params.id)
      return formAnswer(
        request,
        () => {
          removeScenario(deps, id)
          return seeOther(request, '/scenarios')
        },
        (notice) => <ScenarioPage {...scenarioProps(deps, id)} notice={notice} />,
      )
    })

async function scenarioFrom(fields: Fields, body: unknown): Promise<Partial<ScenarioFields>> {
  const { stat_schema: _schema, image: _picture, ...texts } = fields
  const image = fields.no_picture ? '' : await pictureIn(body)
  return validated(Type.Partial(scenarioFields()), {
    ...texts,
    ...(image === null ? {} : { image }),
  })
}

async function pictureIn(body: unknown): Promise<string | null> {
  const file = (body as { picture?: unknown }).picture
  if (!(file instanceof File) || file.size === 0) return null
  return `data:${file.type};base64,${Buffer.from(await file.arrayBuffer()).toString('base64')}`
}
