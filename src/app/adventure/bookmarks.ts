import { getAction } from '../../db/tables/actions/list.ts'
import { deleteBookmark, upsertBookmark } from '../../db/tables/bookmarks.ts'
import type { Deps } from '../deps.ts'

/** Bookmarks a passage, or renames its bookmark; `name` may be ''. Throws not_found. */
export function addBookmark(deps: Deps, adventureId: number, actionId: number, name: string): void {
  getAction(deps.library.reader, adventureId, actionId)
  deps.library.write((tx) => upsertBookmark(tx, adventureId, { action_id: actionId, name }, deps.now()))
}

/** Throws not_found. */
export function removeBookmark(deps: Deps, adventureId: number, actionId: number): void {
  getAction(deps.library.reader, adventureId, actionId)
  deps.library.write((tx) => deleteBookmark(tx, actionId))
}
