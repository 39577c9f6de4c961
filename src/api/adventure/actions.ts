import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import type { App } from '../../app/app.ts'
import { actionEdit, listVariants } from '../../app/turn/edit-action.ts'
import { listActions } from '../../db/tables/actions/list.ts'
import { ActionPage, ActionView } from '../../domain/action.ts'
import { MAX_PAGE_SIZE, PAGE_SIZE } from '../../domain/limits.ts'
import { VariantView } from '../../domain/variant.ts'
import { jsonBody, jsonRoutes } from '../../http/body.ts'
import { actionParams, idParams, pageLimit } from '../request-params.ts'
import { ERRORS, ok } from '../responses.ts'

const choice = () => Type.Object({ index: Type.Integer({ minimum: 0 }) }, { examples: [{ index: 0 }] })

export const actionsApi = (app: App) => {
  const { reader } = app
  return jsonRoutes('/api/adventures/:id/actions', 'Adventures')
    .get('', ({ params, query }) => listActions(reader, params.id, pageSize(query.limit), query.before_id), {
      params: idParams(),
      query: Type.Object({
        before_id: Type.Optional(t.Integer()),
        limit: pageLimit(PAGE_SIZE, MAX_PAGE_SIZE),
      }),
      response: ok(ActionPage, ...ERRORS.find),
      detail: { summary: 'Get a page of actions: the newest, or those before a given one' },
    })
    .patch('/:action', ({ params, body }) => app.editAction(params.id, params.action, body), {
      params: actionParams(),
      ...jsonBody(actionEdit()),
      response: ok(ActionView, 'turn_in_progress', 'changed_elsewhere', ...ERRORS.edit),
      detail: { summary: 'Edit an action together with its live variant, or hide it from the narrator' },
    })
    .get('/:action/variants', ({ params }) => listVariants(reader, params.id, params.action), {
      params: actionParams(),
      response: ok(Type.Array(VariantView), ...ERRORS.find),
      detail: { summary: 'List all variants of an action' },
    })
    .post('/:action/variant', ({ params, body }) => app.switchVariant(params.id, params.action, body.index), {
      params: actionParams(),
      ...jsonBody(choice()),
      response: ok(ActionView, 'no_such_variant', 'not_last', 'turn_in_progress', ...ERRORS.edit),
      detail: { summary: 'Switch the newest narration to another variant' },
    })
}

function pageSize(limit = PAGE_SIZE): number {
  return Math.min(MAX_PAGE_SIZE, Math.max(1, limit))
}
