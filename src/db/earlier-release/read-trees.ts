import {
  StoryTree,
  type TreeBranch,
  TreeLine,
  type TreeNode,
  type TreeRow,
} from '../../domain/family/story-tree.ts'
import type { PortableAction } from '../../domain/portable/portable.ts'
import { type Variant, variantFrom } from '../../domain/variant.ts'
import type { WorldState } from '../../domain/world/state.ts'
import { isObject, objectIn } from '../../lib/objects.ts'
import { isoTime, parseListColumn, parseObjectColumn } from '../column-values.ts'
import type { Reader } from '../database.ts'
import { type ActionRow, portableAction } from '../stories/stored-actions.ts'
import { inflatedSnapshot } from '../tables/actions/snapshots.ts'
import { listBookmarks } from '../tables/bookmarks.ts'

export type TreeStory = ReturnType<typeof readStory>

export function readStory(reader: Reader, id: number) {
  const branches = new Map(listBranches(reader, id).map((branch) => [branch.id, branch]))
  const [first = 0] = branches.keys()
  const known = (branch: number | null) => (branch !== null && branches.has(branch) ? branch : first)
  const rows = listRows(reader, id).map((row) => ({ ...row, branch: known(row.branch) }))
  const tree = new StoryTree((branch) => branches.get(branch), rows)
  const { title, head, depth, summary, summary_depth } = getStory(reader, id)
  return {
    id,
    title,
    ends: tree.ends(),
    /** The line that was last played. */
    head: new TreeLine(tree.at(known(head), head === known(head) ? depth : Infinity)),
    headName: branches.get(known(head))?.name ?? '',
    nameOf: (branch: number) => branches.get(branch)?.name ?? '',
    summarized: summary === known(summary) ? tree.at(summary, summary_depth) : null,
    memories: listMemories(reader, id).map(({ branch, depth, ...memory }) => ({
      ...memory,
      madeAt: tree.at(known(branch), depth),
    })),
    bookmarks: new Map(listBookmarks(reader, id).map(({ action_id, name }) => [action_id, name])),
  }
}

interface StoryRow {
  title: string
  head: number | null
  /** -1 before the first passage. */
  depth: number
  summary: number | null
  summary_depth: number
}

function getStory(reader: Reader, id: number): StoryRow {
  const row = reader.get<StoryRow>(
    `SELECT title, head_branch_id AS head, head_depth AS depth, summary_cursor_branch_id AS summary,
            summary_cursor_depth AS summary_depth FROM adventures WHERE id = ?`,
    id,
  )
  if (row === null) throw new Error(`the story ${id} is gone`)
  return row
}

function listBranches(reader: Reader, adventureId: number): (TreeBranch & { id: number; name: string })[] {
  return reader.all(
    `SELECT id, parent_branch_id AS parent, fork_depth AS fork, trim(coalesce(name, '')) AS name
       FROM branches WHERE adventure_id = ? ORDER BY id`,
    adventureId,
  )
}

/** The attempts of a story in the order that a tree needs. Where nothing branches, each follows the one before it. */
function listRows(reader: Reader, adventureId: number) {
  const branches = reader.value<number>(
    `SELECT EXISTS (SELECT 1 FROM actions WHERE adventure_id = ?1 AND NOT live)
         OR EXISTS (SELECT 1 FROM branches WHERE adventure_id = ?1 AND parent_branch_id IS NOT NULL)`,
    adventureId,
  )
  const parent = branches ? 'parent_id' : 'lag(id) OVER (ORDER BY coalesce(depth, "index"), id)'
  return reader.all<Omit<TreeRow, 'branch'> & { branch: number | null }>(
    `SELECT id, branch_id AS branch, coalesce(depth, "index") AS depth, ${parent} AS parent, variant_index AS "order"
       FROM actions WHERE adventure_id = ? ORDER BY coalesce(depth, "index"), live <> 0 DESC, id`,
    adventureId,
  )
}

/** A memory with a range of depths, and the depth of a branch at which it was made. */
interface MemoryRow {
  id: number
  branch: number | null
  depth: number
  source_start: number | null
  source_end: number | null
}

// Old memories of the player have no depth: they count from the beginning on.
function listMemories(reader: Reader, adventureId: number): MemoryRow[] {
  return reader.all(
    `SELECT id, branch_id AS branch, coalesce(depth, 0) AS depth, source_start, source_end
       FROM memories WHERE adventure_id = ? ORDER BY id`,
    adventureId,
  )
}

interface Row extends Omit<ActionRow, 'index'> {
  world_state_after: string | null
  context_snapshot: Uint8Array | null
}

function getRow(reader: Reader, { id }: TreeNode): Row {
  const row = reader.get<Row>(
    `SELECT id, type, text, reasoning, world_delta, world_state_before, world_state_after, variants, variant_index, cut,
            roll, hidden, created_at, context_snapshot FROM actions WHERE id = ?`,
    id,
  )
  if (row === null) throw new Error(`the action ${id} is gone`)
  return row
}

/** A turn with all its attempts, of which a node is the live one, and the state after it. */
export function readTurn(
  reader: Reader,
  node: TreeNode,
): { action: PortableAction; after: WorldState | null } {
  const row = getRow(reader, node)
  const after = parseObjectColumn(row.world_state_after)
  if (node.attempts.length === 1) return { action: portableAction(row), after }
  const rows = node.attempts.map((attempt) => getRow(reader, attempt))
  // What is known of attempts that were made before they became rows.
  const listed = rows.flatMap(({ variants }) => parseListColumn(variants).map(variantFrom))
  const variants = rows.map((attempt) => variantOf(attempt, takeFirst(listed, attempt.text)))
  return { action: portableAction({ ...row, variant_index: node.attempts.indexOf(node) }, variants), after }
}

/** Takes the first attempt with a text from a list: several may have the same. */
function takeFirst(attempts: Variant[], text: string): Variant | undefined {
  const at = attempts.findIndex((attempt) => attempt.text === text)
  return at < 0 ? undefined : attempts.splice(at, 1)[0]
}

/** The lists that the earlier release expects in a report. */
const NO_CHANGES = { applied: [], clamped: [], rejected: [] }

// The prompt that is stored with an attempt has its result, too, and may say more than the row.
function variantOf(row: Row, known: Variant | undefined): Variant {
  const stored = inflatedSnapshot(row.context_snapshot) ?? {}
  const state = parseObjectColumn(row.world_state_after) ?? {}
  const { delta, ...report } = parseObjectColumn(row.world_delta) ?? {}
  const world_state = {
    delta: isObject(delta) ? delta : {},
    report: { ...NO_CHANGES, ...report },
    ...objectIn(stored, 'world_state'),
    ...known?.world_state,
    state,
  }
  return {
    ...(typeof stored.raw_output === 'string' ? { raw_output: stored.raw_output } : {}),
    ...known,
    text: row.text,
    reasoning: row.reasoning,
    created_at: known?.created_at ?? (isoTime(row.created_at) || null),
    ...(Object.keys(state).length > 0 ? { world_state } : {}),
  }
}
