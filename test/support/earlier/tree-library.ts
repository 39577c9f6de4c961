import { Database } from 'bun:sqlite'
import { insert, libraryRows } from './release.ts'
import { bringTables, makeTreeTables, type TreeVersion } from './tree-schema.ts'
import { type TreeOperation, TreeStory } from './tree-story.ts'

interface TreeLibrary {
  version: TreeVersion
  /** By this version, or at 45 and then brought to it. */
  made: 'new' | 'brought'
  /** What was done in each story. */
  operations: readonly (readonly TreeOperation[])[]
}

/** Writes a library of stories as trees to a new file. */
export function writeTrees(
  path: string,
  { version, made, operations }: TreeLibrary,
): { db: Database; written: TreeStory[] } {
  const db = makeTreeTables(path, version, made)
  const { users = [], settings = [], scenarios = [] } = libraryRows()
  for (const [table, rows] of Object.entries({ users, settings, scenarios }))
    for (const row of rows) insert(db, table, row)
  const ids = { branches: 0, actions: 0 }
  const written = operations.map((list, at) => {
    const story = new TreeStory(at + 1, version)
    for (const one of list) story.apply(one)
    db.transaction(() => story.write(db, ids))()
    return story
  })
  return { db, written }
}

const play: TreeOperation = { do: 'play' }
const [retry, back]: TreeOperation[] = [{ do: 'retry' }, { do: 'go back', turns: 2 }]

/** A closed library with two stories: one with two branches and three attempts at one turn, and one without either. */
export function leaveTrees(path: string, version: TreeVersion = 64): void {
  const branched = [play, play, play, retry, retry, back, play, play, play, play].filter(
    (operation) => operation !== undefined,
  )
  writeTrees(path, { version, made: 'brought', operations: [branched, [play, play, play]] }).db.close()
}

/** Brings a closed library of version 45 to version 64, as the earlier release does before it plays on there. */
export function bringToTrees(path: string): void {
  using db = new Database(path, { readwrite: true, create: false })
  bringTables(db, 64)
  db.run(`INSERT INTO branches (id, adventure_id, lineage, created_at)
    SELECT id + 100, id, json_array(json_array(id + 100, NULL)), created_at FROM adventures`)
  for (const statement of BROUGHT) db.run(statement)
}

/** Plays one turn after the passage at a depth of a story on the first branch of a library at 64: another line, which becomes its head. */
export function playOnInTree(path: string, adventure: number, depth: number, text: string): void {
  using db = new Database(path, { readwrite: true, create: false })
  const [branch, from] = [900 + adventure, 100 + adventure]
  db.query(
    `INSERT INTO branches (id, adventure_id, parent_branch_id, fork_depth, lineage, created_at)
       SELECT ?1, id, ?2, ?3, json_array(json_array(?1, NULL), json_array(?2, ?3)), created_at FROM adventures WHERE id = ?4`,
  ).run(branch, from, depth, adventure)
  db.query(
    `INSERT INTO actions (adventure_id, branch_id, depth, "index", type, text, live, variant_count, variant_index, parent_id,
                          created_at, world_state_after)
       SELECT adventure_id, ?1, ?2 + 1, ?2 + 1, 'ai', ?3, 1, 0, 0, id, created_at, world_state_after
         FROM actions WHERE adventure_id = ?4 AND depth = ?2 AND live`,
  ).run(branch, depth, text, adventure)
  db.query('UPDATE adventures SET head_branch_id = ?, head_depth = ? WHERE id = ?').run(
    branch,
    depth + 1,
    adventure,
  )
}

const COLUMNS = 'adventure_id, branch_id, depth, "index", own.type, variant_count, parent_id'

/** Everything is on one branch, and every attempt becomes a row. */
const BROUGHT = [
  `UPDATE adventures SET head_branch_id = id + 100,
     head_depth = coalesce((SELECT max("index") FROM actions WHERE adventure_id = adventures.id), -1)`,
  `UPDATE actions SET branch_id = adventure_id + 100, depth = "index",
     parent_id = (SELECT id FROM actions AS before
                   WHERE before.adventure_id = actions.adventure_id AND before."index" = actions."index" - 1),
     world_state_after = coalesce(
       (SELECT world_state_before FROM actions AS next
         WHERE next.adventure_id = actions.adventure_id AND next."index" = actions."index" + 1),
       (SELECT world_state FROM adventures WHERE id = adventure_id))`,
  `INSERT INTO actions (${COLUMNS.replace('own.', '')}, live, variant_index, text, reasoning, created_at, world_state_after, world_delta)
    SELECT ${COLUMNS}, 0, take.key, json_extract(take.value, '$.text'), json_extract(take.value, '$.reasoning'),
           coalesce(json_extract(take.value, '$.created_at'), own.created_at),
           json_extract(take.value, '$.world_state.state'),
           json_set(json_extract(take.value, '$.world_state.report'), '$.delta', json_extract(take.value, '$.world_state.delta'))
      FROM actions AS own, json_each(own.variants) AS take WHERE variant_count > 1 AND take.key <> variant_index`,
  'UPDATE memories SET branch_id = adventure_id + 100, depth = coalesce(source_end, 0)',
]
