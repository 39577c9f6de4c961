import { getAction } from '../db/actions.ts'
import { deleteBookmark, setBookmark } from '../db/tables/bookmarks.ts'
import type { Deps } from './deps.ts'

/** Marks a passage by a name, '' for none. Throws not_found. */
export function markPassage(deps: Deps, adventureId: number, actionId: number, name: string): void {
  getAction(deps.library.reader, adventureId, actionId)
  deps.library.write((tx) => setBookmark(tx, adventureId, actionId, name, deps.now()))
}

/** Takes the mark off a passage. Throws not_found. */
export function unmarkPassage(deps: Deps, adventureId: number, actionId: number): void {
  getAction(deps.library.reader, adventureId, actionId)
  deps.library.write((tx) => deleteBookmark(tx, actionId))
}
