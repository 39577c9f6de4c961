import { Type } from '@sinclair/typebox'
import type { Deps } from '../app/deps.ts'
import { jsonRoutes } from '../http/body.ts'

/** Whether the service is alive, and how turns have ended since it started. */
export const healthApi = (deps: Deps) =>
  jsonRoutes('/api/health', 'Health').get('', () => ({ ok: true, turns: deps.tally.read() }), {
    response: Type.Object({
      ok: Type.Boolean(),
      turns: Type.Object({ accepted: Type.Integer(), failed: Type.Record(Type.String(), Type.Integer()) }),
    }),
    detail: { summary: 'Sign of life' },
  })
