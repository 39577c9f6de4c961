import type { Database } from 'bun:sqlite'
import { type Writer, writerFor } from '../../database.ts'
import { columnsOf, hasColumn } from '../../declared-columns.ts'
import { assertDeclared } from '../../library/declarations.ts'
import { BASE_MIGRATION, BASE_VERSION, migrate, migrationText } from '../../library/migrate.ts'
import { missingMigrations, withoutViewsAndIndexes } from '../../library/upgrade.ts'
import { type Conversion, convertStory } from './convert-story.ts'
import { dropTreeTables } from './drop-tree-tables.ts'
import type { TreeColumns, TreeStory } from './read-tree.ts'
import { TREE_TABLES } from './schema.ts'
import { LINE_TABLE } from './write-line.ts'

export type { Conversion }

/**
 * Converts a library of stories as trees to one of version 45 with our migrations: each line of a story becomes an adventure,
 * and those of one story are branches of one family. For a copy that nobody else has open. Throws LibraryRefused for columns
 * that do not fit.
 */
export function convertTrees(db: Database): Conversion {
  const columns = treeColumnsOf(db)
  // Tables are exchanged, which must not delete what refers to them.
  db.run('PRAGMA foreign_keys = OFF')
  return db.transaction(() => {
    db.run(migrationText(BASE_MIGRATION))
    assertDeclared(db)
    migrate(db, missingMigrations(db))
    const conversion = convertStories(db, columns)
    withoutViewsAndIndexes(db, TREE_TABLES, () => dropTreeTables(db))
    db.run(`PRAGMA user_version = ${BASE_VERSION}`)
    return conversion
  })()
}

function treeColumnsOf(db: Database): TreeColumns {
  const actionsHave = (column: string) => hasColumn(db, 'actions', column)
  return {
    live: actionsHave('live') && (actionsHave('world_state_after') || hasAttemptRows(db)),
    parent_id: actionsHave('parent_id'),
    world_state_after: actionsHave('world_state_after'),
    name: hasColumn(db, 'branches', 'name'),
    cursors: hasColumn(db, 'adventures', 'summary_cursor_depth'),
  }
}

// The column came before attempts became rows.
function hasAttemptRows(db: Database): boolean {
  return db.query('SELECT 1 FROM actions WHERE NOT live LIMIT 1').get() !== null
}

function convertStories(db: Database, columns: TreeColumns): Conversion {
  const tx = writerFor(db)
  tx.run(LINE_TABLE)
  const actions = columnsOf(db, 'actions').map(({ name }) => name)
  const total: Conversion = { stories: 0, branches: 0, attempts: 0, scripts: 0 }
  for (const story of listStories(tx, columns)) {
    const { branches, attempts, scripts } = convertStory(tx, story, { columns, actions })
    total.stories += 1
    total.branches += branches
    total.attempts += attempts
    total.scripts += scripts
  }
  tx.run('DROP TABLE temp.line')
  for (const [table, id] of MARKS) tx.run(`DELETE FROM ${table} WHERE ${id} NOT IN (SELECT id FROM actions)`)
  return total
}

/** What belongs to single passages. */
const MARKS = [
  ['bookmarks', 'action_id'],
  ['chapters', 'action_id'],
  ['passage_vectors', 'id'],
] as const

function listStories(tx: Writer, { cursors }: TreeColumns): TreeStory[] {
  const nodes = [
    'memory_cursor_branch_id',
    'memory_cursor_depth',
    'summary_cursor_branch_id',
    'summary_cursor_depth',
  ]
  const columns = nodes.map((name) => (cursors ? name : `NULL AS ${name}`))
  return tx.all<TreeStory>(
    `SELECT id, title, script_state, head_branch_id, head_depth, ${columns.join(', ')}
       FROM adventures ORDER BY id`,
  )
}
