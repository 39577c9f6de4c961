import type { BranchFields, StoryBranch } from '../../domain/family/branch.ts'
import { BRANCH_COLORS } from '../../domain/family/branch.ts'
import type { PortableBranch } from '../../domain/portable/portable.ts'
import { hashOf } from '../../lib/hash.ts'
import { isoTime } from '../column-values.ts'
import type { Reader, Writer } from '../database.ts'

type Row = Omit<StoryBranch, 'branch_name' | 'branch_color' | 'main_branch'> & {
  family: number | null
  branch_name: string | null
  branch_color: number | null
  main_branch: number | null
}

const COLUMNS = `id, family, title, branch_name, branch_color, main_branch, branched_from, branched_at, action_count, updated_at`

/** The oldest first: at least the adventure itself. */
export function listBranches(reader: Reader, id: number): StoryBranch[] {
  const rows = reader.all<Row>(
    `SELECT ${COLUMNS} FROM adventures
      WHERE importing IS NULL AND (id = ?1 OR family = (SELECT family FROM adventures WHERE id = ?1)) ORDER BY id`,
    id,
  )
  return rows.map((row) => branchFrom(row, rows))
}

// Another program may have deleted the adventure that a branch grew from.
function branchFrom({ family: _, ...row }: Row, all: readonly Row[]): StoryBranch {
  const parent = all.find(({ id }) => id === row.branched_from && id !== row.id)
  return {
    ...row,
    branch_name: row.branch_name ?? '',
    branch_color: Math.abs(row.branch_color ?? 0) % BRANCH_COLORS,
    main_branch: row.main_branch === 1,
    branched_from: parent?.id ?? null,
    branched_at: parent ? (row.branched_at ?? -1) : null,
    updated_at: isoTime(row.updated_at),
  }
}

/** Null in a story without branches. */
export function findPortableBranch(reader: Reader, id: number): PortableBranch | null {
  const branches = listBranches(reader, id)
  const own = branches.find((branch) => branch.id === id)
  if (!own || branches.length === 1) return null
  const {
    branch_name: name,
    branch_color: color,
    main_branch: main,
    branched_from: from,
    branched_at: at,
  } = own
  const created = reader.all<{ id: number; created_at: unknown }>(
    'SELECT id, created_at FROM adventures WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
    JSON.stringify(branches.map((branch) => branch.id)),
  )
  return { family: hashOf(JSON.stringify(created)), id, from, at, name, color, main }
}

/** Makes families of adventures that were imported together, each of those with more than one branch. */
export function linkBranches(tx: Writer, imported: readonly { id: number; branch: PortableBranch }[]): void {
  for (const branches of Map.groupBy(imported, ({ branch }) => branch.family).values()) {
    if (branches.length === 1) continue
    const family = nextFamily(tx)
    const ids = new Map(branches.map(({ id, branch }) => [branch.id, id]))
    for (const { id, branch } of branches)
      tx.update('adventures', id, {
        family,
        branched_from: branch.from === null ? null : (ids.get(branch.from) ?? null),
        branched_at: branch.at,
        branch_name: branch.name,
        branch_color: branch.color,
        main_branch: branch.main ? 1 : null,
      })
  }
}

/** Adds an adventure to the family of another one, which becomes the main branch of a new family if it has none. */
export function insertBranch(
  tx: Writer,
  id: number,
  { from, at, name, title }: { from: number; at: number; name: string; title: string },
): void {
  const known = findFamily(tx, from)
  const family = known ?? nextFamily(tx)
  if (known === null) tx.update('adventures', from, { family, branch_color: 0, main_branch: 1 })
  const color = tx.value<number>('SELECT count(*) FROM adventures WHERE family = ?', family)
  tx.update('adventures', id, {
    title,
    family,
    branched_from: from,
    branched_at: at,
    branch_name: name,
    branch_color: (color ?? 1) % BRANCH_COLORS,
    main_branch: null,
  })
}

export function updateBranch(
  tx: Writer,
  id: number,
  { main_branch, branch_name, branch_color }: BranchFields,
): void {
  if (branch_name !== undefined) tx.update('adventures', id, { branch_name })
  if (branch_color !== undefined) tx.update('adventures', id, { branch_color })
  if (!main_branch) return
  tx.run('UPDATE adventures SET main_branch = NULL WHERE family = ?', findFamily(tx, id))
  tx.update('adventures', id, { main_branch: 1 })
}

/** Attaches its branches to its own parent, or to its oldest branch if it was the first. */
export function leaveFamily(tx: Writer, id: number): void {
  const branches = listBranches(tx, id)
  const own = branches.find((branch) => branch.id === id)
  if (!own || branches.length === 1) return
  const children = branches.filter(({ branched_from }) => branched_from === id)
  const heir = own.branched_from === null ? children[0] : undefined
  const from = heir?.id ?? own.branched_from
  const last = heir?.branched_at ?? own.branched_at ?? -1
  for (const child of children) {
    const at = child === heir ? null : Math.min(child.branched_at ?? -1, last)
    tx.update('adventures', child.id, { branched_from: child === heir ? null : from, branched_at: at })
  }
  const next = heir ?? branches.find((branch) => branch.id !== id)
  if (own.main_branch && next) updateBranch(tx, next.id, { main_branch: true })
  tx.update('adventures', id, { family: null, branched_from: null, branched_at: null, main_branch: null })
}

function findFamily(reader: Reader, id: number): number | null {
  return reader.value('SELECT family FROM adventures WHERE id = ?', id)
}

function nextFamily(reader: Reader): number {
  return (reader.value<number>('SELECT max(family) FROM adventures') ?? 0) + 1
}
