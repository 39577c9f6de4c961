import { Type } from '@sinclair/typebox'
import { PlaceholderAnswers, placeholderAnswers } from '../../app/adventure/placeholders.ts'
import { refreshPlan } from '../../app/adventure/refresh.ts'
import type { App } from '../../app/app.ts'
import { AdventureView } from '../../domain/adventure.ts'
import { RefreshPlan, refreshChoices } from '../../domain/refresh/plan.ts'
import { answersSchema } from '../../domain/text/placeholder.ts'
import { jsonBody, jsonRoutes } from '../../http/body.ts'
import { nullable } from '../../lib/typebox.ts'
import { idParams } from '../request-params.ts'
import { created, ERRORS, ok } from '../responses.ts'

const choices = () =>
  Type.Optional(
    refreshChoices({
      examples: [{ placeholders: { 'Your name': 'Mira' }, skip: ['field:authors_note'] }],
    }),
  )

const newAnswers = () =>
  Type.Object({ placeholders: answersSchema() }, { examples: [{ placeholders: { 'Your name': 'Mira' } }] })

const lastAction = nullable(
  Type.Integer({ description: 'The id of the last action to copy; null for the whole story' }),
)

const copyRange = () =>
  Type.Optional(Type.Object({ up_to: Type.Optional(lastAction) }, { examples: [{ up_to: null }] }))

export const refreshApi = (app: App) => {
  const { reader } = app
  return jsonRoutes('/api/adventures/:id', 'Adventures')
    .get('/refresh', ({ params }) => refreshPlan(reader, params.id), {
      params: idParams(),
      response: ok(RefreshPlan, 'no_scenario', ...ERRORS.find),
      detail: { summary: 'Preview what an update from the scenario would change' },
    })
    .post(
      '/refresh',
      ({ params, body }) => {
        app.applyRefresh(params.id, body ?? {})
        return app.adventureView(params.id)
      },
      {
        params: idParams(),
        ...jsonBody(choices()),
        response: ok(AdventureView, 'no_scenario', 'turn_in_progress', ...ERRORS.edit),
        detail: {
          summary: 'Update the adventure from its scenario',
          description:
            'Without a body the whole plan is applied. The opening, the title, the summary, the player’s own cards and every live value that is still defined stay as they are.',
        },
      },
    )
    .get('/placeholders', ({ params }) => placeholderAnswers(reader, params.id), {
      params: idParams(),
      response: ok(PlaceholderAnswers, ...ERRORS.find),
      detail: { summary: 'Get the placeholder answers of an adventure, and what its scenario asks' },
    })
    .put('/placeholders', ({ params, body }) => app.changePlaceholders(params.id, body.placeholders), {
      params: idParams(),
      ...jsonBody(newAnswers()),
      response: ok(PlaceholderAnswers, ...ERRORS.edit),
      detail: { summary: 'Change some answers; texts change with the next update from the scenario' },
    })
    .post(
      '/copy',
      async ({ params, body }) => {
        const last = body?.up_to ?? null
        const copy = await (last === null
          ? app.copyAdventure(params.id)
          : app.branchAdventure(params.id, { action_id: last }))
        return app.adventureView(copy)
      },
      {
        params: idParams(),
        ...jsonBody(copyRange()),
        ...created(AdventureView, 'turn_in_progress', ...ERRORS.edit),
        detail: { summary: 'Copy the adventure, or branch it from an action' },
      },
    )
}
