import type { Reader } from '../../../db/database.ts'
import { listBranches } from '../../../db/stories/branches.ts'
import { type ActionParts, BranchActions, StoredActions } from '../../../db/stories/stored-actions.ts'
import { branchLabel } from '../../../domain/family/branch.ts'
import { type Lane, lanesOf } from '../../../domain/family/branch-map.ts'
import type { BookChapter } from '../../../formats/book/chapters.ts'
import { countBelow } from '../../../lib/numbers.ts'
import { storyChapters } from './story-chapters.ts'

/** The contents of a book of all branches, in place of the actions and the chapters of one. */
interface BranchContents {
  title: string
  actions: BranchActions
  /** Each branch is a chapter, with its own inside. */
  chapters: BookChapter[]
}

/** All branches of a story in the order of their map. Shared passages appear once, in the parent. */
export function branchContents(reader: Reader, id: number, parts: ActionParts): BranchContents {
  const lanes = lanesOf(listBranches(reader, id))
  const chapters: BookChapter[] = []
  const own = lanes.map((lane) => ownActions(reader, lane, parts))
  let start = 0
  for (const [row, { actions, first }] of own.entries()) {
    const lane = lanes[row] as Lane
    const { branch } = lane
    chapters.push({
      index: start,
      name: branchLabel(branch),
      isHeading: false,
      branch: { lane, origin: originOf(lane, lanes) },
    })
    for (const chapter of storyChapters(reader, branch.id, actions))
      if (chapter.index > first) chapters.push({ ...chapter, index: start + chapter.index - first })
    start += actions.length - first
  }
  const title = `${lanes[0]?.branch.title ?? ''}: all branches`
  return { title, actions: new BranchActions(own), chapters }
}

function ownActions(reader: Reader, { branch, parentRow }: Lane, parts: ActionParts) {
  const actions = new StoredActions(reader, branch.id, parts)
  const index = parentRow === null ? 0 : (branch.branched_at ?? -1) + 1
  const first = actions.indexes ? countBelow(actions.indexes, index) : index
  return { actions, first: Math.min(first, actions.length) }
}

function originOf({ branch, parentRow }: Lane, lanes: readonly Lane[]): string {
  const parent = parentRow === null ? undefined : lanes[parentRow]
  if (parent === undefined) return ''
  const shared = branch.branched_at ?? -1
  return shared < 0
    ? `Begins in place of “${branchLabel(parent.branch)}”.`
    : `Goes on from “${branchLabel(parent.branch)}” after passage ${shared}.`
}
