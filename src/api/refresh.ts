import { Type } from '@sinclair/typebox'
import { adventureView } from '../app/adventures.ts'
import { answersOf, changeAnswers } from '../app/answers.ts'
import { copyAdventure } from '../app/adventure/copy-adventure.ts'
import type { Deps } from '../app/deps.ts'
import { applyRefresh, refreshPlan } from '../app/adventure/refresh.ts'
import { answers } from '../domain/placeholder.ts'
import { refreshChoices } from '../domain/refresh/plan.ts'
import { jsonRoutes, sent } from '../http/body.ts'
import { adventureOut, answersOut, idParams, refreshPlanOut } from './shapes.ts'

const example = { placeholders: { 'Your name': 'Mira' }, skip: ['field:authors_note'] }

/** What a story has to do with its scenario once it runs, and copies of it. */
export const refreshApi = (deps: Deps) => {
  const { reader } = deps.library
  return jsonRoutes('/api/adventures/:id', 'Adventures')
    .get('/refresh', ({ params }) => refreshPlan(reader, params.id), {
      params: idParams(),
      response: refreshPlanOut(),
      detail: { summary: 'What would change if the adventure took over its scenario as it is now' },
    })
    .post(
      '/refresh',
      ({ params, body }) => {
        applyRefresh(deps, params.id, body ?? {})
        return adventureView(reader, params.id)
      },
      {
        params: idParams(),
        ...sent(Type.Optional(refreshChoices({ examples: [example] }))),
        response: adventureOut(),
        detail: {
          summary: 'Take over the scenario as it is now',
          description:
            'Without a body everything in the plan is taken. The opening, the title, the summary, the player’s own cards and every live value that is still defined stay.',
        },
      },
    )
    .get('/placeholders', ({ params }) => answersOf(reader, params.id), {
      params: idParams(),
      response: answersOut(),
      detail: { summary: 'The answers of an adventure, and what its scenario asks' },
    })
    .put('/placeholders', ({ params, body }) => changeAnswers(deps, params.id, body.placeholders), {
      params: idParams(),
      ...sent(
        Type.Object({ placeholders: answers() }, { examples: [{ placeholders: { 'Your name': 'Mira' } }] }),
      ),
      response: answersOut(),
      detail: { summary: 'Change some answers; texts are filled anew by a refresh' },
    })
    .post(
      '/copy',
      ({ params, body, set }) => {
        set.status = 201
        return adventureView(reader, copyAdventure(deps, params.id, body?.up_to ?? null))
      },
      {
        params: idParams(),
        ...sent(
          Type.Optional(
            Type.Object(
              {
                up_to: Type.Optional(
                  Type.Union([Type.Integer(), Type.Null()], {
                    description: 'The id of the last action to copy; null for the whole story',
                  }),
                ),
              },
              { examples: [{ up_to: null }] },
            ),
          ),
        ),
        response: { 201: adventureOut() },
        detail: {
          summary: 'Start a new adventure from an action of this one, with its world as it was then',
        },
      },
    )
}
