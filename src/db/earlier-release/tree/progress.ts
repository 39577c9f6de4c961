import type { ColumnValue } from '../../column-values.ts'
import type { Writer } from '../../database.ts'
import { countPassages, rememberedUpTo, type TreeMemory } from './memories.ts'
import type { Tree, TreeColumns, TreeNode, TreeStory } from './read-tree.ts'
import type { Line } from './write-line.ts'

interface Progress {
  line: Line
  end: TreeNode | null
  /** The memories that are not on the line. */
  others: readonly TreeMemory[]
  tree: Tree
  story: TreeStory
  columns: TreeColumns
}

/** Stores what a line says of its world, and how far it was remembered and summarized. */
export function updateProgress(tx: Writer, progress: Progress): void {
  const { line, end, columns } = progress
  const isCopy = line.from !== line.to
  if (columns.cursors || isCopy) tx.update('adventures', line.to, cursorsOf(tx, progress))
  if (isCopy && end !== null && columns.world_state_after)
    tx.run(
      `UPDATE adventures SET world_mark = NULL, world_state = coalesce(
         (SELECT nullif(world_state_after, 'null') FROM actions WHERE id = ?), world_state) WHERE id = ?`,
      end.id,
      line.to,
    )
}

function cursorsOf(
  tx: Writer,
  { line, others, tree, story, columns }: Progress,
): Record<string, ColumnValue> {
  const positions = new Map(line.path.map((node, position) => [node, position]))
  const coveredTo = (branch: number | null, depth: number | null) => {
    let node = tree.nodeAt(branch, depth ?? -1)
    while (node !== null && !positions.has(node)) node = node.parent
    return node === null ? 0 : (positions.get(node) ?? 0) + 1
  }
  const { memory_cursor_branch_id: remembered, summary_cursor_branch_id: summarized } = story
  if (!columns.cursors) return { memory_cursor: 0, summary_cursor: 0 }
  const memories = rememberedUpTo(coveredTo(remembered, story.memory_cursor_depth), line.path, others)
  const summary = coveredTo(summarized, story.summary_cursor_depth)
  const isCopy = line.from !== line.to
  const isOfAnother = isCopy && summarized !== null && !isWhole(summarized, story, tree, positions)
  return {
    memory_cursor: countPassages(tx, memories),
    summary_cursor: isOfAnother ? 0 : countPassages(tx, summary),
    // It tells what is not told on this line.
    ...(isOfAnother ? { story_summary: '' } : {}),
  }
}

/** Whether the last node that was summarized is on a line. */
function isWhole(
  branch: number,
  { summary_cursor_depth }: TreeStory,
  tree: Tree,
  positions: ReadonlyMap<TreeNode, number>,
): boolean {
  const node = tree.nodeAt(branch, summary_cursor_depth ?? -1)
  return node === null || positions.has(node)
}
