import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { getAdventure } from '../../db/tables/adventures.ts'
import { listBookmarks } from '../../db/tables/bookmarks.ts'
import { Bookmark } from '../../domain/bookmark.ts'
import { LIMITS } from '../../domain/limits.ts'
import { jsonBody, jsonRoutes } from '../../http/body.ts'
import { Text } from '../../lib/text.ts'
import { actionParams, idParams } from '../request-params.ts'
import { ERRORS, noContent, ok } from '../responses.ts'

const named = () =>
  Type.Object({ name: Type.Optional(Text(LIMITS.name)) }, { examples: [{ name: 'The lamp' }] })

export const bookmarksApi = (app: App) => {
  const { reader } = app
  return jsonRoutes('/api/adventures/:id/bookmarks', 'Bookmarks')
    .get('', ({ params }) => listBookmarks(reader, getAdventure(reader, params.id).id), {
      params: idParams(),
      response: ok(Type.Array(Bookmark), ...ERRORS.find),
      detail: { summary: 'List the bookmarks of a story, in story order' },
    })
    .put('/:action', ({ params, body }) => app.addBookmark(params.id, params.action, body.name ?? ''), {
      params: actionParams(),
      ...jsonBody(named()),
      ...noContent('Bookmark a passage, or rename its bookmark', ...ERRORS.edit),
    })
    .delete('/:action', ({ params }) => app.removeBookmark(params.id, params.action), {
      params: actionParams(),
      ...noContent('Remove the bookmark of a passage', ...ERRORS.change),
    })
}
