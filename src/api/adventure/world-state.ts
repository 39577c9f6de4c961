import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { auditAdventure } from '../../app/adventure/audit.ts'
import { History, historyOf } from '../../app/adventure/history.ts'
import { Insights, insightsOf } from '../../app/adventure/insights.ts'
import { ManualChangeResult } from '../../app/adventure/world-state.ts'
import type { App } from '../../app/app.ts'
import { getAdventure, getWorld } from '../../db/tables/adventures.ts'
import { Audit } from '../../domain/world/audit/audit.ts'
import { hasStats } from '../../domain/world/state.ts'
import { jsonBody, jsonRoutes } from '../../http/body.ts'
import { nullable } from '../../lib/typebox.ts'
import { idParams } from '../request-params.ts'
import { ERRORS, ok } from '../responses.ts'

const NO_STATS: Audit = { ok: true, turns: 0, attempts: 0, judged_again: 0, findings: [], breaks: [] }

const World = Type.Object({
  state: Type.Record(Type.String(), Type.Unknown(), { description: 'The live values; empty without stats' }),
  schema: nullable(
    Type.Record(Type.String(), Type.Unknown(), { description: 'The stat schema; null without stats' }),
  ),
})

const values = () =>
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'New values by path. Numbers are absolute and only kept within their range.',
    examples: [{ 'player.stamina': 12, 'flags.gate_open': true }],
  })

export const worldStateApi = (app: App) => {
  const { reader } = app
  /** Throws not_found for a hidden story. */
  const visibleId = (id: number) => getAdventure(reader, id).id
  return jsonRoutes('/api/adventures/:id', 'Adventures')
    .get(
      '/world-state',
      ({ params }) => {
        const { state, schema } = getWorld(reader, visibleId(params.id))
        return { state, schema: hasStats(schema) ? schema : null }
      },
      {
        params: idParams(),
        response: ok(World, ...ERRORS.find),
        detail: { summary: 'Get the current world state of an adventure, and its schema' },
      },
    )
    .put('/world-state', ({ params, body }) => app.changeWorldState(params.id, body), {
      params: idParams(),
      ...jsonBody(values()),
      response: ok(ManualChangeResult, 'no_world_state', 'turn_in_progress', ...ERRORS.edit),
      detail: { summary: 'Set values of the world state; paths that are not sent stay as they are' },
    })
    .get('/insights', ({ params }) => insightsOf(reader, visibleId(params.id)), {
      params: idParams(),
      response: ok(Insights, ...ERRORS.find),
      detail: { summary: 'Get what recent turns proposed, what was accepted, and how each value changed' },
    })
    .get('/history', ({ params, query }) => historyOf(reader, visibleId(params.id), query.before), {
      params: idParams(),
      query: Type.Object({
        before: Type.Optional(t.Integer({ minimum: 0, description: 'The index of a passage' })),
      }),
      response: ok(History, 'invalid', ...ERRORS.find),
      detail: { summary: 'List the rolls, milestones, flags and large changes of an adventure' },
    })
    .get('/audit', async ({ params }) => (await auditAdventure(reader, visibleId(params.id))) ?? NO_STATS, {
      params: idParams(),
      response: ok(Audit, ...ERRORS.find),
      detail: { summary: 'Check every number of the story against its records' },
    })
}
