import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { LIMITS } from '../../domain/limits.ts'
import { jsonBody, jsonRoutes } from '../../http/body.ts'
import { Text } from '../../lib/text.ts'
import { nullable } from '../../lib/typebox.ts'
import { idParams } from '../request-params.ts'
import { BODY_ERRORS, FIND_ERRORS, ok } from '../responses.ts'

const reason = {
  isPast: Type.Optional(Type.Boolean({ description: 'A later memory says that it is no longer so' })),
  reason: Type.String({ description: '"told" or "already told"' }),
}
const terms = Type.Array(Type.String(), { description: 'The words that it shares with the line' })

/** Memories in a prompt, and why they are there. */
export const recalledMemories = () =>
  Type.Array(
    Type.Object({
      id: Type.Integer(),
      text: Type.String(),
      terms: Type.Optional(terms),
      via: Type.Optional(Type.String({ description: '"words", "vector", "both", "pinned" or "change"' })),
      ...reason,
    }),
  )

/** Passages that a prompt quotes, and why they are there. */
export const recalledPassages = () =>
  Type.Array(
    Type.Object({
      id: nullable(Type.Integer()),
      index: Type.Integer(),
      quote: Type.String(),
      terms,
      via: Type.Optional(Type.String({ description: '"words", "vector" or "both"' })),
      ...reason,
    }),
    { description: 'Earlier passages that the line speaks of' },
  )

const line = () =>
  Type.Object({ line: Text(LIMITS.line) }, { examples: [{ line: 'Where does the bell lie?' }] })

/** What a line would recall. */
export const recallApi = (app: App) =>
  jsonRoutes('/api/adventures/:id', 'Memories').post(
    '/recall',
    ({ params, body }) => app.tryRecall(params.id, body.line),
    {
      params: idParams(),
      ...jsonBody(line()),
      response: ok(
        Type.Object({ memories: recalledMemories(), passages: recalledPassages() }),
        'prompt_too_large',
        ...FIND_ERRORS,
        ...BODY_ERRORS,
      ),
      detail: { summary: 'Test what a turn with a line would recall, from where, and why' },
    },
  )
