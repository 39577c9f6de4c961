import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { restoreLibrary } from '../../../src/db/library/restore.ts'
import { sampled } from '../../support/depth.ts'
import { leaveEarlierLibrary } from '../../support/earlier/release.ts'
import { MADE_AT, makeTables } from '../../support/earlier/schema.ts'
import { filesIn } from '../../support/library/journals.ts'
import { openLibrary } from '../../support/library/open.ts'
import { storeRows } from '../../support/library/store-rows.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const place = () => join(temporaryFolder(), 'library.db')

/** A library of this version. */
const whole = readLibrary()

/** Its tables, without those that the text search keeps for itself. */
const TABLES = tablesOf(changed()).filter(
  ({ name }) => !/^schema_migrations$|_(data|idx|content|docsize|config)$/.test(name),
)
const UNUSED = /^(analytics_|scripts$|scenario_scripts$|adventure_scripts$)/

function readLibrary(): Buffer {
  const path = place()
  openLibrary(path).close()
  return readFileSync(path)
}

function tablesOf(path: string): { name: string; sql: string }[] {
  using db = new Database(path, { readonly: true })
  return db
    .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
    .all()
}

/** The library with its tables changed by another program. */
function changed(...statements: string[]): string {
  const path = place()
  writeFileSync(path, whole)
  using db = new Database(path)
  db.run('PRAGMA foreign_keys = OFF')
  for (const sql of statements) db.run(sql)
  return path
}

async function expectRefused(path: string, sentence: string): Promise<void> {
  const before = await filesIn(dirname(path))
  expect(() => openLibrary(path)).toThrow(sentence)
  expect(() => restoreLibrary(place(), path, new Date(0))).toThrow(sentence)
  expect(await filesIn(dirname(path))).toEqual(before)
}

describe('a library is refused by the name of the table', () => {
  for (const { name } of sampled(TABLES.filter(({ sql }) => !sql.startsWith('CREATE VIRTUAL'))))
    test(`that is another one: ${name}`, () =>
      expectRefused(changed(`DROP TABLE ${name}`, `CREATE TABLE ${name} (x PRIMARY KEY)`), `table ${name} `))

  const required = TABLES.filter(({ name }) => !UNUSED.test(name) && !/^(actions|adventures)$/.test(name))
  for (const { name } of sampled(required))
    test(`that is missing: ${name}`, () =>
      expectRefused(changed(`DROP TABLE ${name}`), `table ${name} is missing`))

  const forms: [what: string, table: string, from: RegExp, to: string, sentence: string][] = [
    ['lacks a column', 'drafts', /text TEXT/, 'words TEXT', 'lacks the column drafts.text'],
    ['has numbers for texts', 'drafts', /text TEXT/, 'text INTEGER', 'drafts.text in another form'],
    ['has blobs for texts', 'preferences', /value TEXT/, 'value BLOB', 'preferences.value in another form'],
    [
      'has texts for numbers',
      'remember_troubles',
      /failures INTEGER/,
      'failures TEXT',
      'remember_troubles.failures',
    ],
    [
      'accepts no NULL',
      'memories',
      /embedding_blob BLOB/,
      'embedding_blob BLOB NOT NULL',
      'memories.embedding_blob',
    ],
    ['accepts NULL', 'story_cards', /entry TEXT NOT NULL/, 'entry TEXT', 'story_cards.entry in another form'],
    ['has no key', 'bookmarks', /NOT NULL PRIMARY KEY/, 'NOT NULL', 'bookmarks.action_id in another form'],
    [
      'has ids that are not given',
      'memories',
      /id INTEGER NOT NULL PRIMARY/,
      'id INT NOT NULL PRIMARY',
      'memories',
    ],
    [
      'keeps rows apart',
      'actions',
      /created_at DATETIME/,
      'spare TEXT UNIQUE, created_at DATETIME',
      'the same spare',
    ],
    [
      'demands what we do not know',
      'world_breaks',
      /what TEXT/,
      'why TEXT NOT NULL, what TEXT',
      'world_breaks.why',
    ],
    ['demands an unknown type', 'users', /created_at/, 'home GEOMETRY NOT NULL, created_at', 'users.home'],
    [
      'ignores what does not fit',
      'actions',
      /type VARCHAR\(20\) NOT NULL/,
      '$& ON CONFLICT IGNORE',
      'ON CONFLICT',
    ],
    ['sorts as we cannot', 'scenarios', /title VARCHAR\(200\)/, '$& COLLATE NOCASE', 'COLLATE'],
    [
      'refers to nothing',
      'actions',
      /created_at/,
      'of INTEGER REFERENCES nowhere (id), created_at',
      'cannot be changed',
    ],
    [
      'refers to no key',
      'actions',
      /created_at/,
      'of INTEGER REFERENCES users (is_guest), created_at',
      'cannot be changed',
    ],
    ['is strict', 'world_breaks', /\)\s*$/, ') STRICT', 'is a strict table'],
  ]
  for (const [what, table, from, to, sentence] of forms)
    test(`that ${what}`, async () => {
      const { sql } = TABLES.find(({ name }) => name === table) ?? { sql: '' }
      expect(sql).toMatch(from)
      // A key has an index, which must come and go with it.
      const made = sql.replace(from, to)
      await expectRefused(changed(`DROP TABLE ${table}`, made), sentence)
    })

  test('that has the name of one that this version would add', () => {
    const path = place()
    leaveEarlierLibrary(path, { also: 'CREATE TABLE drafts (x PRIMARY KEY)', version: 29 })
    return expectRefused(path, 'table drafts has a name that this version needs')
  })
})

describe('a library opens', () => {
  const SAME: [from: RegExp, to: string][] = [
    [/VARCHAR\(\d+\)/g, 'TEXT'],
    [/BOOLEAN/g, 'INTEGER'],
    [/INTEGER(?! NOT NULL PRIMARY)/g, 'BIGINT'],
    [/FLOAT/g, 'DOUBLE PRECISION'],
    [/DATETIME/g, 'TIMESTAMP'],
    [/\bTEXT\b/g, 'CLOB'],
  ]
  test('with types of other names, columns in another order, and more of them', () => {
    const path = changed(
      ...TABLES.filter(({ sql }) => !sql.startsWith('CREATE VIRTUAL')).flatMap(({ name, sql }) => [
        `DROP TABLE ${name}`,
        SAME.reduce((made, [from, to]) => made.replace(from, to), sql),
      ]),
      'ALTER TABLE drafts ADD COLUMN more CLOB',
      'DROP TABLE preferences',
      'CREATE TABLE preferences (spare, value TEXT NOT NULL, name TEXT NOT NULL PRIMARY KEY)',
      'CREATE TABLE recipes (id INTEGER PRIMARY KEY, of INTEGER REFERENCES actions (id))',
    )
    using library = openLibrary(path)
    expect(library.reader.all("SELECT 1 FROM pragma_table_info('drafts') WHERE type = 'CLOB'")).toHaveLength(
      3,
    )
    library.write((tx) =>
      tx.insert('adventures', { user_id: 1, title: 'Lamp', created_at: '', updated_at: '' }),
    )
  })

  for (const at of sampled(MADE_AT))
    for (const born of MADE_AT.filter((version) => version <= at))
      test(`of version ${at}, made at ${born}, in every form in which its columns are declared`, () => {
        const path = place()
        {
          using db = new Database(path, { create: true })
          makeTables(db, born, at, born % 2 === 0)
          db.run(`PRAGMA user_version = ${at}`)
        }
        openLibrary(path).close()
        using db = new Database(path)
        storeRows(db)
      })
})
