import type { StoryBranch } from '../../domain/family/branch.ts'

/** What a branch is called where its story is known. */
export function branchLabel({
  branch_name,
  branched_from,
  title,
}: Pick<StoryBranch, 'branch_name' | 'branched_from' | 'title'>): string {
  if (branch_name !== '') return branch_name
  return branched_from === null ? 'First telling' : title
}
