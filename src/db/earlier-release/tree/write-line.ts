import type { Writer } from '../../database.ts'
import { quoted } from '../../declared-columns.ts'
import { listOddRows, updateAttempts } from './attempts.ts'
import type { TreeColumns, TreeNode } from './read-tree.ts'

/** A temporary table with the nodes of the line that is being written: where each comes from, and where it goes to. */
export const LINE_TABLE = `CREATE TEMP TABLE line (
  position INTEGER NOT NULL PRIMARY KEY, source INTEGER NOT NULL UNIQUE, target INTEGER NOT NULL UNIQUE, is_odd INTEGER NOT NULL)`

export interface Line {
  path: readonly TreeNode[]
  /** The adventure with the tree, and the one that the line becomes. */
  from: number
  to: number
}

/**
 * Writes a line: in place where its adventure is that of the tree, and as copies of its rows otherwise. Then the temporary table
 * has the line.
 */
export function writeLine(tx: Writer, line: Line, columns: TreeColumns, all: readonly string[]): void {
  const odd = columns.live ? listOddRows(tx, line.from) : new Set<number>()
  const isOdd = ({ id, attempts }: TreeNode) => odd.has(id) || (columns.live && attempts.length > 1)
  fillLineTable(tx, line, isOdd)
  if (line.from === line.to) updateRows(tx, columns)
  else copyRows(tx, line.to, columns, all)
  const targets = tx.all<{ position: number; target: number }>(
    'SELECT position, target FROM temp.line WHERE is_odd ORDER BY position',
  )
  for (const { position, target } of targets) {
    const node = line.path[position]
    if (node) updateAttempts(tx, target, node, columns)
  }
}

function fillLineTable(tx: Writer, { path, from, to }: Line, isOdd: (node: TreeNode) => boolean): void {
  tx.run('DELETE FROM temp.line')
  const last = tx.value<number>('SELECT max(id) FROM actions') ?? 0
  for (const [position, node] of path.entries())
    tx.run(
      'INSERT INTO temp.line (position, source, target, is_odd) VALUES (?, ?, ?, ?)',
      position,
      node.id,
      from === to ? node.id : last + 1 + position,
      isOdd(node),
    )
}

// The state before a turn is that after the one before it.
const WORLD_BEFORE = `coalesce((SELECT nullif(before.world_state_after, 'null') FROM temp.line AS previous
  JOIN actions AS before ON before.id = previous.source WHERE previous.position = line.position - 1), own.world_state_before)`

/** The values of columns that differ in a line, for its row `own` and its entry `line`. */
function lineValues({ live, world_state_after }: TreeColumns): [column: string, value: string][] {
  return [
    ['index', 'line.position'],
    ...(world_state_after ? [['world_state_before', WORLD_BEFORE] as [string, string]] : []),
    ...(live ? SOLE_ATTEMPT : []),
  ]
}

const SOLE_ATTEMPT: [column: string, value: string][] = [
  ['variants', 'CASE WHEN line.is_odd THEN own.variants END'],
  ['variant_count', 'CASE WHEN line.is_odd THEN own.variant_count ELSE 0 END'],
  ['variant_index', 'CASE WHEN line.is_odd THEN own.variant_index ELSE 0 END'],
]

function updateRows(tx: Writer, columns: TreeColumns): void {
  const values = lineValues(columns).map(([column, value]) => `${quoted(column)} = ${value}`)
  tx.run(`UPDATE actions SET ${values.join(', ')} FROM temp.line AS line JOIN actions AS own ON own.id = line.source
    WHERE actions.id = line.source`)
}

function copyRows(tx: Writer, to: number, columns: TreeColumns, all: readonly string[]): void {
  const given = [
    ['id', 'line.target'],
    ['adventure_id', String(to)],
    ['state_before', 'NULL'],
    ...lineValues(columns),
  ]
  const names = new Set(given.map(([column]) => column))
  const kept = all.filter((column) => !names.has(column)).map((column) => [column, `own.${quoted(column)}`])
  const values = [...given, ...kept]
  tx.run(`INSERT INTO actions (${values.map(([column = '']) => quoted(column)).join(', ')})
    SELECT ${values.map(([, value]) => value).join(', ')}
      FROM temp.line AS line JOIN actions AS own ON own.id = line.source ORDER BY line.position`)
  copyMarks(tx, to)
}

/** Copies what the player or we have noted of single passages. */
function copyMarks(tx: Writer, to: number): void {
  tx.run(
    `INSERT INTO bookmarks (action_id, adventure_id, action_created_at, name, created_at)
     SELECT line.target, ?, action_created_at, name, created_at FROM temp.line AS line JOIN bookmarks ON action_id = line.source`,
    to,
  )
  tx.run(
    'INSERT INTO chapters (action_id, adventure_id) SELECT line.target, ? FROM temp.line AS line JOIN chapters ON action_id = line.source',
    to,
  )
}
