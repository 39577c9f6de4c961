import { type Static, Type } from '@sinclair/typebox'
import type { Reader } from '../../db/database.ts'
import { insertBranch, listBranches, updateBranch } from '../../db/stories/branches.ts'
import { findNewest, getAction } from '../../db/tables/actions/list.ts'
import { getVariants } from '../../db/tables/actions/variants.ts'
import { getAdventure } from '../../db/tables/adventures.ts'
import { listBookmarks } from '../../db/tables/bookmarks.ts'
import { upsertDraft } from '../../db/tables/waiting-lines.ts'
import {
  type BranchFields,
  branchTitle,
  type StoryBranch,
  suggestedName,
} from '../../domain/family/branch.ts'
import { originOf } from '../../domain/family/branch-map.ts'
import { LIMITS } from '../../domain/limits.ts'
import { isBlank, Text } from '../../lib/text.ts'
import type { Deps } from '../deps.ts'
import { makeLive } from '../turn/edit-action.ts'
import { prepareCopy, storyToCopy } from './copy-adventure.ts'

export const newBranch = () =>
  Type.Object(
    {
      action_id: Type.Integer({ description: 'The last action that it shares' }),
      variant_index: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'The version with which it goes on; by default the current one',
        }),
      ),
      name: Type.Optional(Text(LIMITS.name)),
      line: Type.Optional(
        Text(LIMITS.line, { description: 'What the player writes there; it waits in the composer' }),
      ),
    },
    { examples: [{ action_id: 1, name: 'at the third tower' }] },
  )

type NewBranch = Static<ReturnType<typeof newBranch>>

/**
 * Makes a branch: an adventure that shares its beginning with another one, with state, memories, summary and bookmarks as
 * they were there. Returns its id. Throws not_found, no_such_variant, and turn_in_progress for a long story.
 */
export async function branchAdventure(
  deps: Deps,
  adventureId: number,
  { action_id, variant_index, name = '', line = '' }: NewBranch,
): Promise<number> {
  const { library } = deps
  const action = getAction(library.reader, adventureId, action_id)
  const { index } = action
  const { text } = getVariants(library.reader, action_id).variants[variant_index ?? -1] ?? action
  const bookmark = listBookmarks(library.reader, adventureId).find((one) => one.action_id === action_id)
  const chosen = [name.trim(), bookmark?.name ?? '', suggestedName(text)].find((one) => !isBlank(one)) ?? ''
  using _ = await storyToCopy(deps, adventureId)
  const copy = await prepareCopy(deps, adventureId, action_id)
  return library.write((tx) => {
    const id = copy(tx, (branch) => {
      const family = listBranches(tx, adventureId)
      const parent = family.find((one) => one.id === adventureId)
      const title = branchTitle(parent ?? { title: '', branch_name: '' }, chosen)
      insertBranch(tx, branch, { from: originOf(family, adventureId, index), at: index, name: chosen, title })
    })
    const newest = findNewest(tx, id)
    if (newest && variant_index !== undefined && variant_index !== newest.variant_index)
      makeLive(tx, newest, variant_index)
    if (line !== '') upsertDraft(tx, id, { type: 'do', text: line })
    return id
  })
}

/** The branches of a story, the oldest first; only itself in a story without branches. Throws not_found. */
export function branchesOf(reader: Reader, adventureId: number): StoryBranch[] {
  return listBranches(reader, getAdventure(reader, adventureId).id)
}

/** Throws not_found. */
export function changeBranch(deps: Deps, adventureId: number, fields: BranchFields): StoryBranch[] {
  getAdventure(deps.library.reader, adventureId)
  deps.library.write((tx) => updateBranch(tx, adventureId, fields))
  return listBranches(deps.library.reader, adventureId)
}
