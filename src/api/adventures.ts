import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import {
  adventureView,
  beginAdventure,
  changeAdventure,
  removeAdventure,
  shelveAdventure,
} from '../app/adventures.ts'
import { auditAdventure } from '../app/audit.ts'
import { nextContext, pastContext } from '../app/context.ts'
import type { Deps } from '../app/deps.ts'
import { insightsOf } from '../app/insights.ts'
import { editAction, listVariants, switchVariant } from '../app/turn/edit-action.ts'
import { changeWorld } from '../app/world-state.ts'
import { listActions } from '../db/actions.ts'
import { getWorld, listAdventures } from '../db/tables/adventures.ts'
import { adventureFields } from '../domain/adventure.ts'
import { seenFrom } from '../domain/changed-elsewhere.ts'
import { LIMITS, LONGEST_PAGE, PAGE } from '../domain/limits.ts'
import { answers } from '../domain/placeholder.ts'
import { Text } from '../lib/text.ts'
import { hasStats } from '../domain/world/state.ts'
import { jsonRoutes, sent } from '../http/body.ts'
import {
  actionOut,
  actionPage,
  actionParams,
  adventureListItem,
  adventureOut,
  idParams,
  shelf,
  variantOut,
  wasFields,
} from './shapes.ts'

const beginning = () =>
  Type.Object(
    {
      scenario_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
      title: Type.Optional(Text(LIMITS.name)),
      placeholders: Type.Optional(answers()),
    },
    { examples: [{ title: 'A blank page' }] },
  )

const NOTHING_COUNTED = { ok: true, turns: 0, attempts: 0, judged_again: 0, findings: [], breaks: [] }

/** Adventures: stories in progress. */
export const adventuresApi = (deps: Deps) => {
  const { reader } = deps.library
  const shown = (id: number) => adventureView(reader, id)
  return jsonRoutes('/api/adventures', 'Adventures')
    .get('', () => listAdventures(reader), {
      response: Type.Array(adventureListItem()),
      detail: { summary: 'List adventures, the one played last first' },
    })
    .post(
      '',
      ({ body, set }) => {
        set.status = 201
        return shown(beginAdventure(deps, body))
      },
      { ...sent(beginning()), response: { 201: adventureOut() }, detail: { summary: 'Begin an adventure' } },
    )
    .get('/:id', ({ params }) => shown(params.id), {
      params: idParams(),
      response: adventureOut(),
      detail: { summary: 'Read an adventure with its newest actions' },
    })
    .put(
      '/:id/shelf',
      ({ params, body, set }) => {
        shelveAdventure(deps, params.id, body.shelf)
        set.status = 204
      },
      {
        params: idParams(),
        ...sent(Type.Object({ shelf: shelf() }, { examples: [{ shelf: 'pinned' }] })),
        detail: { summary: 'Pin a story, archive it, or put it back among the others' },
      },
    )
    .patch(
      '/:id',
      ({ params, body: { was, ...changed } }) => {
        changeAdventure(deps, params.id, changed, seenFrom(was))
        return shown(params.id)
      },
      {
        params: idParams(),
        ...sent(
          Type.Composite([Type.Partial(adventureFields()), wasFields()], {
            examples: [{ authors_note: 'Slow, and full of weather.' }],
          }),
        ),
        response: adventureOut(),
        detail: { summary: 'Change the given fields of an adventure' },
      },
    )
    .delete(
      '/:id',
      ({ params, set }) => {
        removeAdventure(deps, params.id)
        set.status = 204
      },
      { params: idParams(), detail: { summary: 'Delete an adventure and all that belongs to it' } },
    )
    .get(
      '/:id/world-state',
      ({ params }) => {
        const { state, schema } = getWorld(reader, params.id)
        return { state, schema: hasStats(schema) ? schema : null }
      },
      { params: idParams(), detail: { summary: 'The live world of an adventure, and its schema' } },
    )
    .put('/:id/world-state', ({ params, body }) => changeWorld(deps, params.id, body), {
      params: idParams(),
      ...sent(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Values by their path. Numbers are absolute here and only kept inside their range.',
          examples: [{ 'player.stamina': 12, 'flags.gate_open': true }],
        }),
      ),
      detail: { summary: 'Set values of the world by hand; only the paths that are sent' },
    })
    .get('/:id/insights', ({ params }) => insightsOf(reader, params.id), {
      params: idParams(),
      detail: { summary: 'What the last turns proposed, what was made of it, and how each value moved' },
    })
    .get('/:id/audit', async ({ params }) => (await auditAdventure(reader, params.id)) ?? NOTHING_COUNTED, {
      params: idParams(),
      detail: { summary: 'Check every number of the story against its records' },
    })
    .get('/:id/context', ({ params }) => nextContext(deps, params.id), {
      params: idParams(),
      detail: { summary: 'The prompt that the next turn would send' },
    })
    .get(
      '/:id/actions',
      ({ params, query }) => listActions(reader, params.id, pageSize(query.limit), query.before_id),
      {
        params: idParams(),
        query: Type.Object({ before_id: Type.Optional(t.Integer()), limit: Type.Optional(t.Integer()) }),
        response: actionPage(),
        detail: { summary: 'A page of actions: the newest, or those before one' },
      },
    )
    .patch('/:id/actions/:action', ({ params, body }) => editAction(deps, params.id, params.action, body), {
      params: actionParams(),
      ...sent(
        Type.Object(
          { text: Text(LIMITS.line), variant_index: Type.Optional(Type.Integer({ minimum: 0 })) },
          { examples: [{ text: 'The door is not locked.' }] },
        ),
      ),
      response: actionOut(),
      detail: { summary: 'Rewrite an action and its live attempt' },
    })
    .get('/:id/actions/:action/variants', ({ params }) => listVariants(reader, params.id, params.action), {
      params: actionParams(),
      response: Type.Array(variantOut()),
      detail: { summary: 'All attempts at an action' },
    })
    .post(
      '/:id/actions/:action/variant',
      ({ params, body }) => switchVariant(deps, params.id, params.action, body.index),
      {
        params: actionParams(),
        ...sent(Type.Object({ index: Type.Integer({ minimum: 0 }) }, { examples: [{ index: 0 }] })),
        response: actionOut(),
        detail: { summary: 'Make another attempt at the newest narration the live one' },
      },
    )
    .get('/:id/actions/:action/context', ({ params }) => pastContext(deps, params.id, params.action), {
      params: actionParams(),
      detail: { summary: 'The prompt that an action was told from' },
    })
}

function pageSize(asked = PAGE): number {
  return Math.min(LONGEST_PAGE, Math.max(1, asked))
}
