import type { Database } from 'bun:sqlite'
import { TREE_SCHEMA } from '../../earlier-release/tree/schema.ts'
import { LibraryRefused } from '../../library-refused.ts'
import { inMemoryLibrary } from '../migrate.ts'

/**
 * Throws LibraryRefused unless whatever has the name of a table of ours is such a table and computes nothing by itself: a
 * CHECK, a generated column, a default, an index on an expression or a view would run with our queries, and an unknown
 * cascade would delete rows. Reads declarations alone, so nothing of that runs here. Tables may lack columns or have more.
 */
export function assertPlainTables(db: Database): void {
  using known = inMemoryLibrary()
  known.run(TREE_SCHEMA)
  const declared = new Map(declarationsIn(db).map((one) => [one.name.toLowerCase(), one]))
  for (const ours of declarationsIn(known)) {
    const theirs = declared.get(ours.name)
    if (!theirs) continue
    const wrong = differenceOf(ours, theirs) ?? whatComputes(db, theirs) ?? unknownCascade(db, known, theirs)
    if (wrong)
      throw new LibraryRefused(
        `Its table ${theirs.name} ${wrong}. Another program declared it so, and stories could change or never open. Choose another file, or ask where this one comes from.`,
      )
  }
}

interface Declaration {
  name: string
  kind: string
  /** Without comments, texts and quoted names. */
  words: string
  sql: string
}

function declarationsIn(db: Database): Declaration[] {
  const rows = db
    .query<{ type: string; name: string; sql: string }, []>(
      "SELECT type, name, CAST(sql AS TEXT) AS sql FROM sqlite_schema WHERE type IN ('table', 'view') AND sql IS NOT NULL",
    )
    .all()
  return rows.map(({ type, name, sql }) => {
    const words = sql.replace(QUOTED, ' ')
    const kind = KINDS.find(([, pattern]) => pattern.test(words))?.[0] ?? type
    return { name, sql, words, kind }
  })
}

const QUOTED =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

const KINDS: readonly [kind: string, pattern: RegExp][] = [
  ['virtual table', /^\s*CREATE\s+VIRTUAL\b/i],
  ['table without rowids', /\bWITHOUT\s+ROWID\b/i],
]

function differenceOf(ours: Declaration, theirs: Declaration): string | null {
  if (ours.kind !== theirs.kind) return `is a ${theirs.kind} and not a ${ours.kind}`
  const isOther = ours.kind === 'virtual table' && argumentsOf(ours) !== argumentsOf(theirs)
  return isOther ? 'is another search index' : null
}

function argumentsOf({ sql }: Declaration): string {
  return sql.slice(sql.search(/\busing\b/i)).replace(/\s+/g, ' ')
}

function whatComputes(db: Database, { name, kind, words }: Declaration): string | null {
  if (kind === 'virtual table') return null
  if (/\bCHECK\b/i.test(words)) return 'has a CHECK'
  const columns = db
    .query<{ name: string; dflt_value: string | null; hidden: number }, [string]>(
      'SELECT name, dflt_value, hidden FROM pragma_table_xinfo(?)',
    )
    .all(name)
  const column = columns.find(({ dflt_value, hidden }) => hidden !== 0 || !LITERAL.test(dflt_value ?? 'NULL'))
  if (column) return `computes the column ${column.name}`
  const index = db
    .query<{ name: string }, [string]>(
      `SELECT name FROM pragma_index_list(?) AS list
        WHERE partial OR EXISTS (SELECT 1 FROM pragma_index_xinfo(list.name) WHERE cid = -2)`,
    )
    .get(name)
  return index && `computes the index ${index.name}`
}

/** A default that is a number, a text, bytes or a word such as NULL. */
const LITERAL = /^(?:[-+]?[\d.]+(?:e[-+]?\d+)?|0x[\da-f]+|x?'(?:[^']|'')*'|"[^"]*"|[a-z_]+)$/i

/** A reference of a table that changes its rows when others are changed or deleted, and that ours do not have. */
function unknownCascade(db: Database, known: Database, { name }: Declaration): string | null {
  const cascades = (from: Database) =>
    from
      .query<{ line: string }, [string]>(
        `SELECT lower("from" || ' to ' || "table" || ' ' || on_delete || ' ' || on_update) AS line
           FROM pragma_foreign_key_list(?) WHERE on_delete <> 'NO ACTION' OR on_update <> 'NO ACTION'`,
      )
      .all(name)
      .map(({ line }) => line)
  const ours = cascades(known)
  const unknown = cascades(db).find((line) => !ours.includes(line))
  return unknown === undefined ? null : `has rows that change with those of another one (${unknown})`
}
