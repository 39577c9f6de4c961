import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { PromptDetails, RecallTrial } from '../../app/prompt/prompt-view.ts'
import { LIMITS } from '../../domain/limits.ts'
import { jsonBody, jsonRoutes } from '../../http/body.ts'
import { Text } from '../../lib/text.ts'
import { actionParams, idParams } from '../request-params.ts'
import { ERRORS, ok } from '../responses.ts'

export const promptsApi = (app: App) =>
  jsonRoutes('/api/adventures/:id', 'Adventures')
    .get(
      '/context',
      async ({ params }) => {
        await app.prepareNextPrompt(params.id)
        return app.nextPrompt(params.id)
      },
      {
        params: idParams(),
        response: ok(PromptDetails, 'prompt_too_large', ...ERRORS.find),
        detail: { summary: 'Get the prompt that the next turn would send' },
      },
    )
    .get('/actions/:action/context', ({ params }) => app.pastPrompt(params.id, params.action), {
      params: actionParams(),
      response: ok(PromptDetails, ...ERRORS.find),
      detail: { summary: 'Get the prompt that an action was generated from' },
    })

const line = () =>
  Type.Object({ line: Text(LIMITS.line) }, { examples: [{ line: 'Where does the bell lie?' }] })

export const recallApi = (app: App) =>
  jsonRoutes('/api/adventures/:id', 'Memories').post(
    '/recall',
    ({ params, body }) => app.tryRecall(params.id, body.line),
    {
      params: idParams(),
      ...jsonBody(line()),
      response: ok(RecallTrial, 'prompt_too_large', ...ERRORS.find, ...ERRORS.body),
      detail: { summary: 'Test what a turn with a line would recall, from where, and why' },
    },
  )
