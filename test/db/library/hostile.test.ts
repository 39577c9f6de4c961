import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inspectLibrary } from '../../../src/db/library/inspect.ts'
import { restoreLibrary } from '../../../src/db/library/restore.ts'
import { runLimited } from '../../../src/db/library/trial/limited.ts'
import { runTrial } from '../../../src/db/library/trial/run-trial.ts'
import type { Trial } from '../../../src/db/library/trial/trial-copy.ts'
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

describe('a library that takes too long or too much memory to check', () => {
  const trialOf = (change: (db: Database) => void): Trial => {
    const [file, folder] = [place(), temporaryFolder()]
    leaveEarlierLibrary(file)
    const db = new Database(file)
    change(db)
    db.close()
    return { file, folder, advice: '', keep: 'always' }
  }
  const longPassage = (db: Database) =>
    void db.query('UPDATE actions SET text = ? WHERE id = 1').run('word and thing '.repeat(2_000_000))
  const enough = { seconds: 600, bytes: 4e9 }

  test('is refused with the reason', () => {
    const trial = trialOf(longPassage)
    const before = statSync(trial.file).mtimeMs
    expect(() => runTrial(trial, { ...enough, seconds: 0 })).toThrow('takes more than 0 seconds')
    rmSync(trial.folder, { recursive: true })
    mkdirSync(trial.folder)
    expect(() => runTrial(trial, { ...enough, bytes: 150e6 })).toThrow('takes more than 150 MB of memory')
    expect(statSync(trial.file).mtimeMs).toBe(before)
  })

  test('is stopped in the middle of a statement', () => {
    const worker = new URL('../../support/library/endless-worker.ts', import.meta.url)
    expect(runLimited<object>(worker, 'SELECT 1 AS one', enough)).toEqual({ one: 1 })
    expect(() => runLimited(worker, ENDLESS, { ...enough, seconds: 1 })).toThrow('takes more than 1 seconds')
    expect(() => runLimited(worker, 'nonsense', enough)).toThrow('syntax error')
  })

  test('is opened when only a table of another program is slow', () => {
    const { file } = trialOf((db) =>
      db.run(`PRAGMA ignore_check_constraints = ON; CREATE TABLE recipes (n INT CHECK (${HEAVY}));
        INSERT INTO recipes VALUES (1)`),
    )
    openLibrary(file).close()
  })

  test('is refused for a title that no page could show', () => {
    const { file } = trialOf((db) => db.run('UPDATE adventures SET title = hex(zeroblob(600000))'))
    const sentence = 'The title of row 1 in adventures is longer than 1 MB'
    expect(() => openLibrary(file)).toThrow(sentence)
    expect(() => restoreLibrary(place(), file, new Date(0))).toThrow(sentence)
    expect(() => inspectLibrary(file)).toThrow(sentence)
  })
})

test('what other programs add beside our tables, and plain columns in them, stay', () => {
  const path = place()
  leaveEarlierLibrary(path, {
    also: `CREATE TABLE recipes (id INTEGER PRIMARY KEY, n INT CHECK (n > 0)); CREATE INDEX plain ON actions (text);
      ALTER TABLE actions ADD COLUMN note TEXT NOT NULL DEFAULT 'CHECK (this)'; ALTER TABLE actions ADD COLUMN "check" INT DEFAULT -1`,
  })
  openLibrary(path).close()
  openLibrary(path).close()
})
