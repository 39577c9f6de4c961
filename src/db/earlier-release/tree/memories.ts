import type { BranchPart } from '../../../domain/family/lineage.ts'
import { countBelow } from '../../../lib/numbers.ts'
import type { Writer } from '../../database.ts'
import { BLANKS } from '../../tables/actions/passages.ts'
import type { TreeNode } from './read-tree.ts'

/** A memory, known from a depth of a branch on. */
export interface TreeMemory {
  id: number
  branch: number
  depth: number
  /** The depths of its passages; null for one that the player wrote. */
  source_start: number | null
  source_end: number | null
}

/** The memories of an adventure. Those of old versions that the player wrote have no depth: they count from the beginning on. */
export function listTreeMemories(
  tx: Writer,
  adventureId: number,
  known: (branch: number | null) => number,
): TreeMemory[] {
  const rows = tx.all<Omit<TreeMemory, 'branch'> & { branch_id: number | null }>(
    `SELECT id, branch_id, coalesce(depth, 0) AS depth, source_start, source_end FROM memories WHERE adventure_id = ? ORDER BY id`,
    adventureId,
  )
  return rows.map(({ branch_id, ...memory }) => ({ ...memory, branch: known(branch_id) }))
}

/** Whether a memory is known on a line that consists of these parts. */
export function isOnLine({ branch, depth }: TreeMemory, parts: readonly BranchPart[]): boolean {
  return parts.some((part) => part.branch === branch && depth <= part.last)
}

/** Writes the memories of a line, in place or as copies, with the indexes of their passages. */
export function writeMemories(
  tx: Writer,
  { path, from, to }: { path: readonly TreeNode[]; from: number; to: number },
  memories: readonly TreeMemory[],
): void {
  const depths = path.map(({ depth }) => depth)
  for (const { id, source_start, source_end } of memories) {
    const copy = from === to ? id : tx.copy('memories', { adventure_id: to }, 'id = ?', id)
    if (source_start !== null && source_end !== null)
      tx.update('memories', copy, rangeOf(depths, source_start, source_end))
  }
}

/** The indexes of the passages between two depths; none if the line has no passage there. */
function rangeOf(depths: readonly number[], start: number, end: number): Record<string, number | null> {
  const first = countBelow(depths, start)
  const last = countBelow(depths, end + 1) - 1
  const isThere = first <= last
  return { source_start: isThere ? first : null, source_end: isThere ? last : null }
}

/**
 * How many passages of the line in the temporary table were remembered: those that a pass had covered, but none from which on
 * a memory was made that belongs to another line.
 */
export function rememberedUpTo(
  covered: number,
  path: readonly TreeNode[],
  others: readonly TreeMemory[],
): number {
  const starts = others.flatMap(({ source_start }) => (source_start === null ? [] : [source_start]))
  const depths = path.map(({ depth }) => depth)
  return Math.min(covered, ...starts.map((start) => countBelow(depths, start)))
}

/** How many of the first passages of the line in the temporary table are not blank: cursors count those. */
export function countPassages(tx: Writer, covered: number): number {
  const passages = tx.value<number>(
    `SELECT count(*) FROM temp.line AS line JOIN actions AS own ON own.id = line.source
      WHERE line.position < ? AND trim(own.text, ?) <> ''`,
    covered,
    BLANKS,
  )
  return passages ?? 0
}
