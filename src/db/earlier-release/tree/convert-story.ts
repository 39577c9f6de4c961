import { branchTitle, suggestedName } from '../../../domain/family/branch.ts'
import type { Writer } from '../../database.ts'
import { insertBranch } from '../../stories/branches.ts'
import { copyBelongings, insertAdventureCopy } from '../../stories/copy-adventure.ts'
import { deleteSummariesFrom } from '../../tables/memory/summaries.ts'
import { deletePromptPartsAfter, sharePromptPartSteps } from '../../tables/prompt-parts.ts'
import { isOnLine, listTreeMemories, type TreeMemory, writeMemories } from './memories.ts'
import { updateProgress } from './progress.ts'
import {
  partsOf,
  pathTo,
  readTree,
  type Tree,
  type TreeColumns,
  type TreeNode,
  type TreeStory,
} from './read-tree.ts'
import { type Line, writeLine } from './write-line.ts'

/** What was converted: counts for the player. */
export interface Conversion {
  stories: number
  /** Adventures that were added: every line but the one that was last played. */
  branches: number
  /** Attempts that were rows of their own. */
  attempts: number
  /** Stories in which scripts kept a state: it is not converted. */
  scripts: number
}

interface StoryContext {
  columns: TreeColumns
  /** The names of all columns of actions. */
  actions: readonly string[]
}

/** What is known of a story while it is converted. */
interface Converting extends StoryContext {
  story: TreeStory
  tree: Tree
  memories: readonly TreeMemory[]
  /** The adventure in which each node stands first. */
  owners: Map<TreeNode, number>
  names: Set<string>
}

/** Writes every line of a story: the one that was last played keeps its adventure, each other one becomes a branch. */
export function convertStory(
  tx: Writer,
  story: TreeStory,
  context: StoryContext,
): Omit<Conversion, 'stories'> {
  const tree = readTree(tx, story, context.columns)
  const memories = listTreeMemories(tx, story.id, (branch) => tree.branches.known(branch))
  const headName = tree.head ? tree.branches.nameOf(tree.head.branch) : ''
  const owners = new Map(pathTo(tree.head).map((node) => [node, story.id]))
  const converting = { ...context, story, tree, memories, owners, names: new Set([headName]) }
  for (const end of tree.ends) insertLine(tx, end, converting)
  if (tree.ends.length > 0)
    tx.update('adventures', story.id, {
      branch_name: headName,
      epoch_start: null,
      epoch_summary: '',
      epoch_static: '',
    })
  const path = pathTo(tree.head)
  writeAll(tx, { path, from: story.id, to: story.id }, tree.head, converting)
  deletePromptPartsAfter(tx, story.id, path.length - 1)
  const attempts = deleteOthers(tx, story.id, context.columns)
  const scripts = ['{}', 'null', ''].includes(story.script_state ?? '') ? 0 : 1
  return { branches: tree.ends.length, attempts, scripts }
}

function insertLine(tx: Writer, end: TreeNode, converting: Converting): void {
  const { story, owners } = converting
  const path = pathTo(end)
  const at = path.findLastIndex((node) => owners.has(node))
  const left = path[at]
  const name = nameOf(tx, path[at + 1] ?? end, end, converting)
  const title = branchTitle({ title: story.title, branch_name: '' }, name)
  const to = insertAdventureCopy(tx, story.id, title, new Date(0))
  copyBelongings(tx, story.id, to)
  for (const step of sharePromptPartSteps(story.id, to, path.length - 1)) step(tx)
  deleteSummariesFrom(tx, to, at + 1)
  tx.run(
    `UPDATE adventures SET (created_at, updated_at) = (SELECT first.created_at, last.created_at
        FROM actions AS first, actions AS last WHERE first.id = ?2 AND last.id = ?3) WHERE id = ?1`,
    to,
    (path[at + 1] ?? end).id,
    end.id,
  )
  writeAll(tx, { path, from: story.id, to }, end, converting)
  for (const node of path.slice(at + 1)) owners.set(node, to)
  insertBranch(tx, to, { from: (left && owners.get(left)) ?? story.id, at, name, title })
}

/** The name of a line: that of its branch, unless another line has it, or the first words that are its own. */
function nameOf(tx: Writer, first: TreeNode, end: TreeNode, { tree, names }: Converting): string {
  const own = tree.branches.nameOf(end.branch)
  const text = tx.value<string>('SELECT substr(text, 1, 400) FROM actions WHERE id = ?', first.id)
  const candidates = [own, suggestedName(text ?? '')].filter((name) => name !== '')
  const name = candidates.find((one) => !names.has(one)) ?? candidates.at(-1) ?? `branch ${names.size}`
  names.add(name)
  return name
}

function writeAll(tx: Writer, line: Line, end: TreeNode | null, converting: Converting): void {
  const { columns, actions, tree, memories, story } = converting
  writeLine(tx, line, columns, actions)
  const parts = partsOf(tree, end)
  const own = memories.filter((memory) => isOnLine(memory, parts))
  writeMemories(tx, line, own)
  const others = memories.filter((memory) => !isOnLine(memory, parts))
  updateProgress(tx, { line, end, others, tree, story, columns })
  if (line.from !== line.to) return
  for (const { id } of others) tx.run('DELETE FROM memories WHERE id = ?', id)
}

/** Deletes what is not on the line in the temporary table. Returns how many attempts there were besides those that are told. */
function deleteOthers(tx: Writer, id: number, { live }: TreeColumns): number {
  const count = 'SELECT count(*) FROM actions WHERE adventure_id = ? AND NOT live'
  const attempts = live ? (tx.value<number>(count, id) ?? 0) : 0
  tx.run('DELETE FROM actions WHERE adventure_id = ? AND id NOT IN (SELECT source FROM temp.line)', id)
  return attempts
}
