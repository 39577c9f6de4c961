import { Database } from 'bun:sqlite'
import { branchTitle, suggestedName } from '../../domain/family/branch.ts'
import { TreeLine, type TreeNode } from '../../domain/family/story-tree.ts'
import type { WorldState } from '../../domain/world/state.ts'
import { counted } from '../../lib/text.ts'
import type { ColumnValue } from '../column-values.ts'
import { Reader, type Writer, writerFor } from '../database.ts'
import { columnsOf, hasColumn, quoted } from '../declared-columns.ts'
import { assertDeclared } from '../library/declarations.ts'
import { applyExternalChanges } from '../library/external-changes.ts'
import { allMigrations, BASE_MIGRATION, BASE_VERSION, migrate, migrationText } from '../library/migrate.ts'
import { convertBlobsToText } from '../library/repair.ts'
import { missingMigrations } from '../library/upgrade.ts'
import { rowidRange } from '../search/searchable-rows.ts'
import { insertBranch } from '../stories/branches.ts'
import { copyBelongings, insertAdventureCopy } from '../stories/copy-adventure.ts'
import { insertPortableAction } from '../stories/import-steps.ts'
import { updateWorldState } from '../tables/adventures.ts'
import { clampCursors } from '../tables/memory/memories.ts'
import { deleteSummariesFrom } from '../tables/memory/summaries.ts'
import { readStory, readTurn, type TreeStory } from './read-trees.ts'
import { addTreeColumns } from './tree-schema.ts'

/**
 * Writes a library of stories as trees to a new library at a path: each line of a story becomes an adventure, and those of one
 * story are branches of one family. Adds columns to the library itself, which nobody else may have open. Returns the counts of what
 * was converted, in words. Throws LibraryRefused for columns that do not fit.
 */
export function convertTrees(trees: Database, path: string, now: Date): string {
  trees.transaction(() => {
    trees.run(migrationText(BASE_MIGRATION))
    assertDeclared(trees)
    migrate(trees, missingMigrations(trees))
    addTreeColumns(trees)
    convertBlobsToText(writerFor(trees))
  })()
  using db = new Database(path, { readwrite: true, create: true })
  for (const pragma of ['synchronous = OFF', 'trusted_schema = OFF']) db.run(`PRAGMA ${pragma}`)
  migrate(db, allMigrations())
  db.run(`PRAGMA user_version = ${BASE_VERSION}`)
  db.query('ATTACH ? AS trees').run(trees.filename)
  const [from, tx] = [new Reader(trees, () => {}), writerFor(db)]
  db.transaction(() => {
    copyTables(db, trees)
    let id = from.value<number>('SELECT max(id) FROM actions') ?? 0
    const conversion = { tx, from, now, nextId: () => ++id }
    for (const story of from.column<number>('SELECT id FROM adventures ORDER BY id'))
      convertStory(readStory(from, story), conversion)
    const lastAction = rowidRange('action')[1]
    tx.run('DELETE FROM text_vectors WHERE id <= ? AND id NOT IN (SELECT id FROM actions)', lastAction)
    // The search index is built anew. What was in the old one tells which passages were edited since.
    applyExternalChanges(tx, now)
    tx.run('DELETE FROM search_indexed')
  })()
  return countConverted(from, tx)
}

/** Stored prompts stay behind. */
const NOT_COPIED =
  /^(actions|bookmarks|chapters|schema_migrations|(shared_)?prompt_parts|search_(?!indexed).*|memory_.*)$/

function copyTables(db: Database, trees: Database): void {
  const tables = db.query<{ name: string }, []>("SELECT name FROM main.sqlite_schema WHERE type = 'table'")
  for (const { name } of tables.all().filter((table) => !NOT_COPIED.test(table.name))) {
    const columns = columnsOf(db, name).filter((column) => hasColumn(trees, name, column.name))
    const names = columns.map((column) => quoted(column.name)).join(', ')
    db.run(`INSERT INTO main.${name} (${names}) SELECT ${names} FROM trees.${name}`)
  }
  db.run("UPDATE adventures SET epoch_start = NULL, epoch_summary = '', epoch_static = ''")
}

function countConverted(from: Reader, to: Reader): string {
  const count = (reader: Reader, rows: string) => reader.value<number>(`SELECT count(*) FROM ${rows}`) ?? 0
  const stories = count(from, 'adventures')
  const branches = count(to, 'adventures') - stories
  const attempts = count(from, 'actions WHERE NOT live')
  return [
    counted(stories, 'story', 'stories'),
    ...(branches > 0 ? [counted(branches, 'other branch of them', 'other branches of them')] : []),
    ...(attempts > 0 ? [counted(attempts, 'other attempt at a turn', 'other attempts at turns')] : []),
  ].join(', ')
}

interface Converting {
  tx: Writer
  from: Reader
  now: Date
  nextId: () => number
}

/** Writes every line of a story: the one that was last played keeps its adventure, each other one becomes a branch. */
function convertStory(story: TreeStory, converting: Converting): void {
  const { id, head, headName, ends, memories } = story
  const { tx } = converting
  // The adventures to which the nodes are written first.
  const owners = new Map(head.nodes.map((node) => [node, id]))
  const others = ends.filter((end) => !owners.has(end))
  for (const end of others) insertBranchTo(end, owners, story, converting)
  if (others.length > 0 && headName !== '') tx.update('adventures', id, { branch_name: headName })
  writeLine(id, head, story, converting)
  for (const memory of memories)
    if (!head.hasTurnOf(memory.madeAt)) tx.run('DELETE FROM memories WHERE id = ?', memory.id)
}

function insertBranchTo(
  end: TreeNode,
  owners: Map<TreeNode, number>,
  story: TreeStory,
  converting: Converting,
): void {
  const { tx, from, now } = converting
  const line = new TreeLine(end)
  const at = line.nodes.findLastIndex((node) => owners.has(node))
  const left = line.nodes[at]
  const own = line.nodes.slice(at + 1)
  const name = story.nameOf(end.branch) || suggestedName(textOf(from, own[0] ?? end)) || `branch ${end.id}`
  const title = branchTitle({ title: story.title, branch_name: '' }, name)
  const to = insertAdventureCopy(tx, story.id, title, now)
  copyBelongings(tx, story.id, to)
  deleteSummariesFrom(tx, to, at + 1)
  insertBranch(tx, to, { from: (left && owners.get(left)) ?? story.id, at, name, title })
  writeLine(to, line, story, converting)
  tx.run(
    `UPDATE adventures SET (created_at, updated_at) = (SELECT min(created_at), max(created_at) FROM actions
      WHERE adventure_id = ?1 AND "index" > ?2) WHERE id = ?1`,
    to,
    at,
  )
  for (const node of own) owners.set(node, to)
}

function textOf(from: Reader, { id }: TreeNode): string {
  return from.value<string>('SELECT substr(text, 1, 400) FROM actions WHERE id = ?', id) ?? ''
}

/** Actions and memories of the line that was last played keep their ids. */
function writeLine(
  to: number,
  line: TreeLine,
  story: TreeStory,
  { tx, from, now, nextId }: Converting,
): void {
  const isHead = line === story.head
  let state: WorldState | null = null
  for (const [index, node] of line.nodes.entries()) {
    const { action, after } = readTurn(from, node)
    const mark = story.bookmarks.get(node.id)
    if (mark !== undefined) action.mark = mark
    if (state !== null) action.world_state_before = state
    const place = { adventure_id: to, index, id: isHead ? node.id : nextId() }
    insertPortableAction(tx, place, action, now)
    state = after
  }
  tx.update('adventures', to, { action_count: line.nodes.length, ...summaryOf(line, story) })
  clampCursors(tx, to)
  if (!isHead && state !== null) updateWorldState(tx, to, state)
  for (const memory of story.memories.filter(({ madeAt }) => line.hasTurnOf(madeAt))) {
    const id = isHead ? memory.id : tx.copy('memories', { adventure_id: to }, 'id = ?', memory.id)
    tx.update('memories', id, line.rangeOf(memory))
  }
}

/** Number of passages that the summary covers. One that goes on with another line is not that of a branch. */
function summaryOf(line: TreeLine, { summarized, head }: TreeStory): Record<string, ColumnValue> {
  if (summarized === null) return {}
  const summary_cursor = line.nodes.indexOf(summarized) + 1
  return { summary_cursor, ...(summary_cursor > 0 || line === head ? {} : { story_summary: '' }) }
}
