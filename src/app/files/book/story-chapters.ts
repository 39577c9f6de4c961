import type { Reader } from '../../../db/database.ts'
import { listChapters } from '../../../db/search/chapters.ts'
import type { StoredActions } from '../../../db/stories/stored-actions.ts'
import { listBookmarks } from '../../../db/tables/bookmarks.ts'
import type { BookChapter } from '../../../formats/book/chapters.ts'
import { isBlank } from '../../../lib/text.ts'

/** The chapters of a story, in its order: its headings, and its named bookmarks where no heading stands. */
export function storyChapters(
  reader: Reader,
  adventureId: number,
  { indexes }: StoredActions,
): BookChapter[] {
  const headings = listChapters(reader, adventureId).map((chapter) => ({ ...chapter, isHeading: true }))
  const headed = new Set(headings.map(({ action_id }) => action_id))
  const bookmarks = listBookmarks(reader, adventureId)
    .filter(({ action_id, name }) => !isBlank(name) && !headed.has(action_id))
    .map((bookmark) => ({ ...bookmark, isHeading: false }))
  return [...headings, ...bookmarks]
    .map(({ index, name, isHeading }) => ({ index: indexes?.indexOf(index) ?? index, name, isHeading }))
    .sort((one, other) => one.index - other.index)
}
