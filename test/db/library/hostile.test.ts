import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { inspectLibrary } from '../../../src/db/library/inspect.ts'
import { restoreLibrary } from '../../../src/db/library/restore.ts'
import { leaveEarlierLibrary } from '../../support/earlier/release.ts'
import { filesIn } from '../../support/library/journals.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** Computes for minutes wherever it is evaluated. */
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'
/** The same where no subquery is allowed: five gigabytes of zeros, in words. */
const HEAVY = 'length(hex(zeroblob(400000000))) > 1'

const place = () => join(temporaryFolder(), 'library.db')

/** A table of ours, declared anew with something more. */
const declaredAnew = (table: string, change: (sql: string) => string) => (db: Database) => {
  const { sql } = db
    .query<{ sql: string }, [string]>('SELECT sql FROM sqlite_schema WHERE name = ?')
    .get(table) ?? { sql: '' }
  db.run(`DROP TABLE ${table}`)
  db.run(change(sql))
}
const withColumn = (column: string) => (sql: string) => sql.replace(/\)\s*$/, `, ${column})`)
const run = (sql: string) => (db: Database) => void db.run(sql)

const HOSTILE: [what: string, make: (db: Database) => void, sentence: string][] = [
  ['a CHECK', declaredAnew('actions', withColumn(`CHECK (${HEAVY})`)), 'has a CHECK'],
  [
    'a CHECK of a column, in odd letters',
    declaredAnew('actions', (sql) => sql.replace('TEXT', `TEXT cHeCk/**/(${HEAVY})`)),
    'has a CHECK',
  ],
  [
    'a generated column',
    run(`ALTER TABLE actions ADD COLUMN slow AS (${HEAVY})`),
    'computes the column slow',
  ],
  [
    'a default that is computed',
    declaredAnew('memories', (sql) => sql.replace(/use_count\W+INTEGER NOT NULL/, '$& DEFAULT (random())')),
    'computes the column use_count',
  ],
  [
    'an index on an expression',
    run('CREATE INDEX slow ON adventures (length(title))'),
    'computes the index slow',
  ],
  [
    'an index on a part of the rows',
    run('CREATE INDEX slow ON adventures (title) WHERE length(title) > 3'),
    'computes the index slow',
  ],
  [
    'a view in place of a table',
    run(
      `ALTER TABLE story_cards RENAME TO kept; CREATE VIEW story_cards AS SELECT *, (${ENDLESS}) FROM kept`,
    ),
    'is a view',
  ],
  ['a view in the place of a table of later versions', run(`CREATE VIEW Drafts AS ${ENDLESS}`), 'is a view'],
  [
    'a table in place of a search index',
    run('CREATE TABLE memory_words (text, adventure)'),
    'is a table and not a virtual table',
  ],
  [
    'another search index in place of ours',
    run('CREATE VIRTUAL TABLE search_words USING fts5(text, owner)'),
    'another search index',
  ],
  [
    'a cascade that is not ours',
    declaredAnew('story_cards', (sql) =>
      sql.replace('(', '(d INTEGER REFERENCES actions (id) ON DELETE CASCADE, '),
    ),
    'change with those of another one',
  ],
]

describe('a library that computes or deletes by itself is refused at once, and not changed', () => {
  for (const [what, make, sentence] of HOSTILE)
    test(what, async () => {
      const path = place()
      leaveEarlierLibrary(path)
      const db = new Database(path)
      make(db)
      db.close()
      const before = await filesIn(dirname(path))
      expect(() => openLibrary(path)).toThrow(sentence)
      expect(() => restoreLibrary(place(), path, new Date(0))).toThrow(sentence)
      expect(() => inspectLibrary(path)).toThrow(sentence)
      expect(await filesIn(dirname(path))).toEqual(before)
    })
})

describe('a library with a value that no page could show', () => {
  const LONG: [what: string, sql: string, sentence: string][] = [
    [
      'a title',
      'UPDATE adventures SET title = hex(zeroblob(600000))',
      'adventures has a value that is longer than 1 MB: title',
    ],
    [
      'a passage',
      'UPDATE actions SET text = hex(zeroblob(9000000)) WHERE id = 3',
      'actions has a value that is longer than 16 MB: text',
    ],
    [
      'a column of another program',
      'ALTER TABLE memories ADD COLUMN scan BLOB; UPDATE memories SET scan = zeroblob(17000000)',
      'memories has a value that is longer than 16 MB: scan',
    ],
  ]
  for (const [what, sql, sentence] of LONG)
    test(`is refused: ${what}`, () => {
      const file = earlierLibrary(run(sql))
      expect(() => openLibrary(file)).toThrow(sentence)
      expect(() => restoreLibrary(place(), file, new Date(0))).toThrow(sentence)
      expect(() => inspectLibrary(file)).toThrow(sentence)
    })

  test('is opened with texts that are longer than new ones may be', () => {
    const file = earlierLibrary(
      run(`UPDATE actions SET text = hex(zeroblob(500000)) WHERE id = 3;
        UPDATE scenarios SET title = hex(zeroblob(1000)), tags = hex(zeroblob(1000))`),
    )
    using library = openLibrary(file)
    expect(library.reader.value<number>('SELECT max(length(text)) FROM actions')).toBe(1_000_000)
    expect(library.reader.value<number>('SELECT min(length(title)) FROM scenarios')).toBe(2_000)
  })
})

test('a slow table of another program does not matter', () => {
  const file = earlierLibrary(
    run(`PRAGMA ignore_check_constraints = ON; CREATE TABLE recipes (n INT CHECK (${HEAVY}));
      INSERT INTO recipes VALUES (1)`),
  )
  openLibrary(file).close()
})

function earlierLibrary(change: (db: Database) => void): string {
  const file = place()
  leaveEarlierLibrary(file)
  using db = new Database(file)
  change(db)
  return file
}

test('what other programs add beside our tables, and plain columns in them, stay', () => {
  const path = place()
  leaveEarlierLibrary(path, {
    also: `CREATE TABLE recipes (id INTEGER PRIMARY KEY, n INT CHECK (n > 0)); CREATE INDEX plain ON actions (text);
      ALTER TABLE actions ADD COLUMN note TEXT NOT NULL DEFAULT 'CHECK (this)'; ALTER TABLE actions ADD COLUMN "check" INT DEFAULT -1`,
  })
  openLibrary(path).close()
  openLibrary(path).close()
})
