import { Type } from '@sinclair/typebox'
import type { App } from '../app/app.ts'
import { jsonRoutes } from '../http/body.ts'
import { ok } from './responses.ts'

const Health = Type.Object({
  ok: Type.Boolean(),
  turns: Type.Object({
    accepted: Type.Integer(),
    failed: Type.Record(Type.String(), Type.Integer(), { description: 'By error code' }),
  }),
})

export const healthApi = (app: App) =>
  jsonRoutes('/api/health', 'Health').get('', () => ({ ok: true, turns: app.turnCounts.read() }), {
    response: ok(Health),
    detail: { summary: 'Health check' },
  })
