import { Type } from '@sinclair/typebox'
import { markPassage, unmarkPassage } from '../app/bookmarks.ts'
import type { Deps } from '../app/deps.ts'
import { getAdventure } from '../db/tables/adventures.ts'
import { listBookmarks } from '../db/tables/bookmarks.ts'
import { LIMITS } from '../domain/limits.ts'
import { Text } from '../lib/text.ts'
import { jsonRoutes, sent } from '../http/body.ts'
import { actionParams, idParams } from './shapes.ts'

/** Bookmarks: the passages of a story that its reader marked. */
export const bookmarksApi = (deps: Deps) => {
  const { reader } = deps.library
  return jsonRoutes('/api/adventures/:id/bookmarks', 'Bookmarks')
    .get('', ({ params }) => listBookmarks(reader, getAdventure(reader, params.id).id), {
      params: idParams(),
      response: Type.Array(
        Type.Object({
          action_id: Type.Integer(),
          index: Type.Integer(),
          name: Type.String(),
          text: Type.String({ description: 'The beginning of the passage' }),
        }),
      ),
      detail: { summary: 'List the marked passages of a story, in its order' },
    })
    .put(
      '/:action',
      ({ params, body, set }) => {
        markPassage(deps, params.id, params.action, body.name ?? '')
        set.status = 204
      },
      {
        params: actionParams(),
        ...sent(
          Type.Object({ name: Type.Optional(Text(LIMITS.name)) }, { examples: [{ name: 'The lamp' }] }),
        ),
        detail: { summary: 'Mark a passage, or name its mark anew' },
      },
    )
    .delete(
      '/:action',
      ({ params, set }) => {
        unmarkPassage(deps, params.id, params.action)
        set.status = 204
      },
      { params: actionParams(), detail: { summary: 'Take the mark off a passage' } },
    )
}
