import type { App } from '../../app/app.ts'
import { PromptDetails } from '../../app/prompt/prompt-view.ts'
import { jsonRoutes } from '../../http/body.ts'
import { actionParams, idParams } from '../request-params.ts'
import { ERRORS, ok } from '../responses.ts'

/** The prompts of a story, as the model sees them. */
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
