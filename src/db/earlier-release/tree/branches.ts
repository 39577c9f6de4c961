import { type BranchPart, lineageOf, type TreeBranch } from '../../../domain/family/lineage.ts'
import { parseListColumn } from '../../column-values.ts'
import type { Reader } from '../../database.ts'

interface StoredBranch extends TreeBranch {
  id: number
  lineage: string | null
  name: string | null
}

export class StoredBranches {
  private readonly byId: ReadonlyMap<number, StoredBranch>
  private readonly lineages = new Map<number, BranchPart[]>()

  constructor(reader: Reader, adventureId: number, hasNames: boolean) {
    const rows = reader.all<StoredBranch>(
      `SELECT id, parent_branch_id AS parent, fork_depth AS fork, lineage, ${hasNames ? 'name' : 'NULL AS name'}
         FROM branches WHERE adventure_id = ? ORDER BY id`,
      adventureId,
    )
    this.byId = new Map(rows.map((row) => [row.id, row]))
  }

  /** The branch itself, or the first one of the adventure where there is none of that id; 0 where there are none. */
  known(id: number | null): number {
    if (id !== null && this.byId.has(id)) return id
    return this.byId.keys().next().value ?? 0
  }

  has(id: number | null): boolean {
    return id !== null && this.byId.has(id)
  }

  nameOf(id: number): string {
    const name = this.byId.get(id)?.name
    return typeof name === 'string' ? name.trim() : ''
  }

  /** The parts that make up the story on a branch, its own first. */
  lineage(id: number): readonly BranchPart[] {
    const known = this.lineages.get(id)
    if (known) return known
    const stored = partsFrom(this.byId.get(id)?.lineage ?? null)
    const parts = stored[0]?.branch === id ? stored : lineageOf((at) => this.byId.get(at), id).toReversed()
    this.lineages.set(id, parts)
    return parts
  }
}

/** A stored lineage: branches with their last depths, null for the newest one. */
function partsFrom(lineage: string | null): BranchPart[] {
  return parseListColumn(lineage).flatMap((part) => {
    const [branch, last] = Array.isArray(part) ? part : []
    return Number.isSafeInteger(branch) ? [{ branch, last: typeof last === 'number' ? last : Infinity }] : []
  })
}
