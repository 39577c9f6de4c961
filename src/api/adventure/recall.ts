import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { RecallTrial } from '../../app/prompt/prompt-view.ts'
import { LIMITS } from '../../domain/limits.ts'
import { jsonBody, jsonRoutes } from '../../http/body.ts'
import { Text } from '../../lib/text.ts'
import { idParams } from '../request-params.ts'
import { ERRORS, ok } from '../responses.ts'

const line = () =>
  Type.Object({ line: Text(LIMITS.line) }, { examples: [{ line: 'Where does the bell lie?' }] })

/** The test of what a line would recall. */
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
