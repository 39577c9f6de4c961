import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listActions } from '../../../src/db/tables/actions/list.ts'
import { listAdventures } from '../../../src/db/tables/adventure-list.ts'
import { getWorld } from '../../../src/db/tables/adventures.ts'
import { listScenarios } from '../../../src/db/tables/scenarios.ts'
import { getSettings } from '../../../src/db/tables/settings.ts'
import { insertCard, listCards } from '../../../src/db/tables/story-cards.ts'
import { sampled } from '../../support/depth.ts'
import { LIVE_TEXT, leaveEarlierLibrary } from '../../support/earlier/release.ts'
import { filesIn } from '../../support/library/journals.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const place = () => join(temporaryFolder(), 'library.db')

/** Why a library is not opened. */
function refusalOf(path: string): string {
  try {
    openLibrary(path)
  } catch (error) {
    return (error as Error).message
  }
  return 'It was opened.'
}

describe('a new library', () => {
  test('is created with its folder, has three scenarios and uses the practice narrator', () => {
    const path = join(temporaryFolder(), 'deep/er/library.db')
    const library = openLibrary(path)
    expect(listScenarios(library.reader)).toHaveLength(3)
    expect(getSettings(library.reader)).toMatchObject({
      endpoint_url: '',
      context_token_budget: 16_384,
      read_timeout_seconds: 300,
    })
    library.close()
    expect(readdirSync(join(path, '..')).sort()).toEqual(['library.db', 'library.db.lock'])
  })

  test('does not bring deleted scenarios back', () => {
    const path = place()
    const first = openLibrary(path)
    first.write((tx) => tx.run('DELETE FROM scenarios'))
    first.close()
    const again = openLibrary(path)
    expect(listScenarios(again.reader)).toEqual([])
    again.close()
  })

  test('has the version of the base schema and lists its own migrations', () => {
    const library = openLibrary(place())
    expect(library.reader.get<{ user_version: number }>('PRAGMA user_version')).toEqual({ user_version: 45 })
    const steps = library.reader.all<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name')
    expect(steps.map(({ name }) => name)).toEqual(
      readdirSync(join(import.meta.dir, '../../../migrations')).sort(),
    )
    library.close()
  })

  test('replaces one that was never finished', () => {
    const path = place()
    writeFileSync(`${path}.new`, 'half a library')
    openLibrary(path).close()
    expect(existsSync(`${path}.new`)).toBe(false)
  })

  test('is not created next to a journal whose library is missing', () => {
    const path = place()
    writeFileSync(`${path}-wal`, 'words of a story')
    expect(() => openLibrary(path)).toThrow('journal')
    expect(readFileSync(`${path}-wal`, 'utf8')).toBe('words of a story')
  })
})

describe('a library of the earlier release', () => {
  for (const laterTables of [true, false])
    test(`opens with all its stories, ${laterTables ? 'with' : 'without'} the tables of later builds`, () => {
      const path = place()
      leaveEarlierLibrary(path, { laterTables })
      const library = openLibrary(path)
      expect(listAdventures(library.reader)).toMatchObject([
        { title: 'Old Debts', action_count: 3, snippet: 'It opens.' },
        { title: 'Nine Nights', action_count: 14, snippet: LIVE_TEXT, scenario_title: 'The Dark Light' },
      ])
      expect(getSettings(library.reader)).toMatchObject({
        context_token_budget: 24_000,
        temperature: 0.9,
        memory_top_k: 4,
      })
      library.close()
    })

  test('is copied before its first change, and the copy is unchanged', () => {
    const path = place()
    leaveEarlierLibrary(path)
    openLibrary(path).close()
    openLibrary(path).close()
    const copies = readdirSync(join(path, '..')).filter((name) => name.includes('.before-'))
    expect(copies).toEqual([expect.stringMatching(/^library\.before-0001-baseline-\d{8}T\d{6}\.db$/)])
    using copy = new Database(join(path, '..', copies[0] ?? ''), { readonly: true })
    expect(copy.query('SELECT count(*) AS n FROM actions').get()).toEqual({ n: 17 })
    expect(copy.query("SELECT name FROM sqlite_schema WHERE name = 'schema_migrations'").get()).toBeNull()
  })

  test('has NaN read as null, and the rest of the cell unchanged', () => {
    const path = place()
    leaveEarlierLibrary(path)
    const library = openLibrary(path)
    expect(getWorld(library.reader, 1).state.player).toEqual({ hp: 60, dread: 3, luck: null })
    library.close()
  })

  test('has cells of the wrong type read as null', () => {
    const path = place()
    leaveEarlierLibrary(path)
    openLibrary(path).close()
    const elsewhere = new Database(path)
    elsewhere.run("UPDATE adventures SET world_state = x'7b7d', created_at = 5, updated_at = x'32'")
    elsewhere.close()
    const library = openLibrary(path)
    expect(getWorld(library.reader, 1).state).toEqual({})
    expect(listAdventures(library.reader)).toMatchObject([{ updated_at: '' }, { updated_at: '' }])
    library.close()
  })

  test('keeps actions added by another program: counts are corrected when it is opened', () => {
    const path = place()
    leaveEarlierLibrary(path)
    openLibrary(path).close()
    const elsewhere = new Database(path)
    elsewhere.run('DELETE FROM actions WHERE id = 14')
    elsewhere.close()
    const library = openLibrary(path)
    expect(listActions(library.reader, 1, 60).total).toBe(13)
    library.close()
  })

  test('with an additional required column accepts our rows', () => {
    const path = place()
    leaveEarlierLibrary(path, {
      also: 'DELETE FROM story_cards; ALTER TABLE story_cards RENAME TO old; CREATE TABLE story_cards (id INTEGER NOT NULL PRIMARY KEY, scenario_id INTEGER, adventure_id INTEGER, type TEXT NOT NULL, name TEXT NOT NULL, keys TEXT NOT NULL, entry TEXT NOT NULL, notes TEXT NOT NULL, source_ref TEXT, mood VARCHAR(9) NOT NULL, weight FLOAT NOT NULL)',
    })
    const library = openLibrary(path)
    library.write((tx) =>
      insertCard(tx, { scenario_id: 1 }, { type: '', name: 'New', keys: '', entry: '', notes: '' }, null),
    )
    expect(listCards(library.reader, { scenario_id: 1 })).toMatchObject([{ name: 'New' }])
    library.close()
  })

  for (const version of [46, 52, 56])
    test(`at version ${version} without trees is read like version 45`, () => {
      const path = place()
      leaveEarlierLibrary(path, { version })
      const library = openLibrary(path)
      expect(listAdventures(library.reader)).toHaveLength(2)
      library.close()
    })
})

describe('77 a file that is not a library is refused with a sentence and left unchanged', () => {
  const left = (path: string, also: string, version = 45) => leaveEarlierLibrary(path, { also, version })
  /** An intact library with some of its bytes changed. */
  const spoilt = (spoil: (bytes: Buffer) => Uint8Array) => (path: string) => {
    leaveEarlierLibrary(path)
    writeFileSync(path, spoil(readFileSync(path)))
  }
  const files: [name: string, make: (path: string) => void, sentence: string][] = [
    ['an empty file', (path) => writeFileSync(path, ''), 'empty'],
    ['a text', (path) => writeFileSync(path, 'Once upon a time. '.repeat(500)), 'not a database'],
    ['a short text', (path) => writeFileSync(path, 'x'), 'not a database'],
    ['a folder', (path) => mkdirSync(path), 'not a file'],
    [
      'random bytes, as in an encrypted file',
      (path) =>
        writeFileSync(
          path,
          new Uint8Array(40_960).map((_, i) => (i * 7919 + (i >> 3)) % 251),
        ),
      'not a database',
    ],
    [
      'another database',
      (path) => new Database(path).run('CREATE TABLE recipes (id)'),
      'not an Inglenook library',
    ],
    ['an empty database', (path) => new Database(path).run('VACUUM'), 'not an Inglenook library'],
    ['a library whose first bytes are wrong', spoilt((bytes) => bytes.fill(0x20, 0, 16)), 'not a database'],
    ['a library with an invalid page size', spoilt((bytes) => bytes.fill(0x07, 16, 18)), 'not a database'],
    ['a truncated library', spoilt((bytes) => bytes.subarray(0, 40_000)), 'damaged'],
    ['a library truncated within a page', spoilt((bytes) => bytes.subarray(0, bytes.length - 1)), 'damaged'],
    ['a library of which only the first page is left', spoilt((bytes) => bytes.subarray(0, 4096)), 'damaged'],
    ['a damaged library', spoilt((bytes) => bytes.fill(0xff, 4096 * 2, 4096 * 12)), 'damaged'],
    ...[12, 45, 65].map((version): [string, (path: string) => void, string] => [
      `a library with branches, which version ${version} does not have or we do not know`,
      (path) => left(path, 'CREATE TABLE branches (id)', version),
      `version ${version} and a table of branches`,
    ]),
    ...sampled([46, 52, 56, 60, 61, 62, 63, 64]).map((version): [string, (path: string) => void, string] => [
      `a library of stories as trees without the columns of its version ${version}`,
      (path) => left(path, 'CREATE TABLE branches (id)', version),
      'The column branches.adventure_id is missing',
    ]),
    ['a library of version 11', (path) => left(path, '', 11), 'version 11'],
    ...[57, 64, 65, 1000].map((version): [string, (path: string) => void, string] => [
      `a library of version ${version}`,
      (path) => left(path, '', version),
      `version ${version}`,
    ]),
    ['a library of a negative version', (path) => left(path, '', -3), 'version -3'],
    [
      'a library without the columns of its version',
      (path) => left(path, 'PRAGMA user_version = 44'),
      'context_snapshot_z',
    ],
    [
      'a library of a newer Inglenook',
      (path) =>
        left(
          path,
          "CREATE TABLE schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL); INSERT INTO schema_migrations VALUES ('9999-future.sql', '')",
        ),
      '9999-future',
    ],
    [
      'a library without a column',
      (path) => left(path, 'ALTER TABLE actions DROP COLUMN variants'),
      'actions.variants',
    ],
    [
      'a library without a column that is searched',
      (path) => left(path, 'ALTER TABLE story_cards DROP COLUMN entry'),
      'story_cards.entry',
    ],
    [
      'a library with a required column of unknown type',
      (path) => leaveEarlierLibrary(path, { strange: 'GEOMETRY NOT NULL' }),
      'users.strange',
    ],
    [
      'a library with a unique text column',
      (path) =>
        left(
          path,
          'ALTER TABLE actions ADD COLUMN slug TEXT; CREATE UNIQUE INDEX once ON actions (text)',
          35,
        ),
      'Its table actions accepts no two rows with the same text',
    ],
    [
      'a library with a trigger of another program',
      (path) =>
        left(
          path,
          "CREATE TRIGGER tidy AFTER INSERT ON actions BEGIN DELETE FROM actions WHERE type = 'start'; END",
        ),
      'the trigger tidy',
    ],
    [
      'a library with a table of another program that has the name of ours',
      (path) => left(path, 'CREATE TABLE drafts (id)', 29),
      'drafts',
    ],
    [
      'a library with a row whose id is too large',
      (path) => left(path, 'UPDATE memories SET id = 9223372036854775807 WHERE id = 3', 31),
      'memories',
    ],
    [
      'a library with an action whose index is too large',
      (path) => left(path, 'UPDATE actions SET "index" = 9007199254740993 WHERE id = 14'),
      'Action 14',
    ],
  ]
  for (const [name, make, sentence] of files)
    test(name, async () => {
      const path = place()
      make(path)
      const before = await filesIn(dirname(path))
      const refusal = refusalOf(path)
      expect(refusal).toStartWith(`${path} was not opened. `)
      expect(refusal).toContain(sentence)
      expect(await filesIn(dirname(path))).toEqual(before)
      expect(readdirSync(dirname(path)).sort()).toEqual(['library.db', 'library.db.lock'])
    })
})

test('a library can be open in only one service', () => {
  const path = place()
  const first = openLibrary(path)
  expect(() => openLibrary(path)).toThrow('Another Inglenook')
  first.close()
  openLibrary(path).close()
})

test('an unusable folder is reported in a sentence', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  expect(() => openLibrary(join(folder, 'file/library.db'))).toThrow('APP_DB_PATH')
  mkdirSync(join(folder, 'library.db'))
  expect(() => openLibrary(join(folder, 'library.db'))).toThrow(folder)
})

test('a write is stored completely or not at all', () => {
  const library = openLibrary(place())
  const half = () =>
    library.write((tx) => {
      tx.run('DELETE FROM scenarios')
      throw new Error('in the middle')
    })
  expect(half).toThrow('in the middle')
  expect(listScenarios(library.reader)).toHaveLength(3)
  library.close()
})

test('a library that another program has locked is reported as busy', () => {
  const path = place()
  const library = openLibrary(path)
  const other = new Database(path)
  other.run('BEGIN IMMEDIATE')
  expect(() => library.write((tx) => tx.run('DELETE FROM scenarios'))).toThrow(
    'Another program is using the library file',
  )
  other.run('ROLLBACK')
  other.close()
  library.close()
})
