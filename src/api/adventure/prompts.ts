import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import type { PromptDetails } from '../../app/prompt/prompt-view.ts'
import { TriggeredCard } from '../../domain/prompt/lore-notes.ts'
import { PromptReading } from '../../domain/prompt/prompt-reading.ts'
import { jsonRoutes } from '../../http/body.ts'
import { documented, nullable } from '../../lib/typebox.ts'
import { actionParams, idParams } from '../request-params.ts'
import { FIND_ERRORS, ok } from '../responses.ts'
import { recalledMemories, recalledPassages } from './recall.ts'

/** Snapshots of older versions lack some keys, and have others. */
const Prompt = documented<PromptDetails>(
  Type.Object({
    sections: Type.Array(
      Type.Object({ label: Type.String(), role: Type.String(), text: Type.String(), tokens: Type.Integer() }),
      { description: 'The parts of the prompt with their cost' },
    ),
    messages: Type.Array(Type.Object({ role: Type.String(), text: Type.String() }), {
      description: 'The messages as they are sent to the model',
    }),
    tokens: Type.Object({
      total: Type.Integer(),
      budget: Type.Integer({ description: 'The context size, or that of the model if it is smaller' }),
      limit: Type.Integer({ description: 'What is left for the prompt after the reply' }),
      window: nullable(Type.Integer({ description: 'The context size that the server reports' })),
      window_from: Type.String(),
      method: Type.String({ description: '"estimate", "calibrated" or "exact"' }),
      plain: Type.Integer({ description: 'The uncalibrated estimate' }),
      fresh: Type.Integer({ description: 'Tokens that a caching server must process again' }),
    }),
    cards: Type.Array(TriggeredCard),
    memories: recalledMemories(),
    passages: recalledPassages(),
    history: Type.Object({ included: Type.Integer(), total: Type.Integer() }),
    epoch: Type.Optional(
      Type.Object(
        { start: nullable(Type.Integer()), reason: Type.String() },
        {
          description: 'Where the story in the prompt begins, and why',
        },
      ),
    ),
    shed: Type.Array(Type.String(), { description: 'What was left out because it did not fit' }),
    settings: Type.Object({
      model: Type.String(),
      api_mode: Type.String(),
      temperature: Type.Number(),
      max_output_tokens: Type.Integer(),
    }),
    usage: Type.Optional(
      nullable(
        Type.Object({
          prompt_tokens: nullable(Type.Integer()),
          cached_tokens: nullable(Type.Integer()),
          completion_tokens: nullable(Type.Integer()),
        }),
      ),
    ),
    reading: Type.Optional(PromptReading),
    timings: Type.Optional(
      Type.Object({ first: Type.Number(), total: Type.Number() }, { description: 'Milliseconds' }),
    ),
  }),
)

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
        response: ok(Prompt, 'prompt_too_large', ...FIND_ERRORS),
        detail: { summary: 'Get the prompt that the next turn would send' },
      },
    )
    .get('/actions/:action/context', ({ params }) => app.pastPrompt(params.id, params.action), {
      params: actionParams(),
      response: ok(Prompt, ...FIND_ERRORS),
      detail: { summary: 'Get the prompt that an action was generated from' },
    })
