import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listActions } from '../../src/db/actions.ts'
import { getWorld, listAdventures } from '../../src/db/adventures.ts'
import { openLibrary } from '../../src/db/open.ts'
import { listScenarios } from '../../src/db/scenarios.ts'
import { getSettings } from '../../src/db/settings.ts'
import { insertCard, listCards } from '../../src/db/story-cards.ts'
import { LIVE_TEXT, leaveEarlierLibrary } from '../support/earlier-release.ts'
import { temporaryFolder } from '../support/temporary.ts'

const place = () => join(temporaryFolder(), 'library.db')

describe('a fresh library', () => {
  test('is made with its folder, holds three scenarios and practises', () => {
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

  test('keeps the version of the base schema and lists its own steps', () => {
    const library = openLibrary(place())
    expect(library.reader.get<{ user_version: number }>('PRAGMA user_version')).toEqual({ user_version: 45 })
    const steps = library.reader.all<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name')
    expect(steps.map(({ name }) => name)).toEqual(
      readdirSync(join(import.meta.dir, '../../migrations')).sort(),
    )
    library.close()
  })

  test('takes the place of one that was never finished', () => {
    const path = place()
    writeFileSync(`${path}.new`, 'half a library')
    openLibrary(path).close()
    expect(existsSync(`${path}.new`)).toBe(false)
  })

  test('is not made over a journal whose file is gone', () => {
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

  test('is copied before its first change, and the copy is what it was', () => {
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

  test('has NaN read as nothing, and the rest of the cell as it is', () => {
    const path = place()
    leaveEarlierLibrary(path)
    const library = openLibrary(path)
    expect(getWorld(library.reader, 1).state.player).toEqual({ hp: 60, dread: 3, luck: null })
    library.close()
  })

  test('has cells of another kind read as nothing', () => {
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

  test('keeps what it added while we were away: counts are set right at opening', () => {
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

  test('with a column that it must fill takes our rows all the same', () => {
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
    test(`at version ${version} without trees reads as one of version 45`, () => {
      const path = place()
      leaveEarlierLibrary(path, { version })
      const library = openLibrary(path)
      expect(listAdventures(library.reader)).toHaveLength(2)
      library.close()
    })
})

describe('a file that is not ours is refused with a sentence and left as it is', () => {
  const left = (path: string, also: string, version = 45) => leaveEarlierLibrary(path, { also, version })
  const files: [name: string, make: (path: string) => void, sentence: string][] = [
    ['an empty file', (path) => writeFileSync(path, ''), 'empty'],
    ['a text', (path) => writeFileSync(path, 'Once upon a time. '.repeat(500)), 'not a database'],
    [
      'another database',
      (path) => new Database(path).run('CREATE TABLE recipes (id)'),
      'not a library of stories',
    ],
    ['a library of stories as trees', (path) => left(path, 'CREATE TABLE branches (id)', 52), 'trees'],
    ['a library of version 12', (path) => left(path, '', 12), 'version 12'],
    ['a library of version 44', (path) => left(path, '', 44), 'version 44'],
    ['a library of version 57', (path) => left(path, '', 57), 'version 57'],
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
      'a library with a column that nothing fits',
      (path) =>
        left(
          path,
          'CREATE TABLE m2 AS SELECT * FROM memories; DROP TABLE memories; CREATE TABLE memories (id INTEGER PRIMARY KEY, adventure_id INTEGER, text TEXT, embedding_blob BLOB, source_start INTEGER, source_end INTEGER, embedded BOOLEAN, pinned BOOLEAN, forgotten BOOLEAN, use_count INTEGER, last_used_at DATETIME, created_at DATETIME, shape GEOMETRY NOT NULL)',
        ),
      'memories.shape',
    ],
    ['a damaged library', damaged, 'damaged'],
  ]
  for (const [name, make, sentence] of files)
    test(name, () => {
      const path = place()
      make(path)
      const before = readFileSync(path)
      expect(() => openLibrary(path)).toThrow(sentence)
      expect(() => openLibrary(path)).toThrow(path)
      expect(readFileSync(path).equals(before)).toBe(true)
      expect(readdirSync(join(path, '..')).sort()).toEqual(['library.db', 'library.db.lock'])
    })

  function damaged(path: string): void {
    leaveEarlierLibrary(path)
    const bytes = readFileSync(path)
    bytes.fill(0xff, 4096 * 2, 4096 * 12)
    writeFileSync(path, bytes)
  }
})

test('one library has one service', () => {
  const path = place()
  const first = openLibrary(path)
  expect(() => openLibrary(path)).toThrow('Another Inglenook')
  first.close()
  openLibrary(path).close()
})

test('a folder that cannot be used is named in a sentence', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  expect(() => openLibrary(join(folder, 'file/library.db'))).toThrow('APP_DB_PATH')
  mkdirSync(join(folder, 'library.db'))
  expect(() => openLibrary(join(folder, 'library.db'))).toThrow(folder)
})

test('all of a write is stored, or nothing', () => {
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

test('a library that another program holds is busy, in a sentence', () => {
  const path = place()
  const library = openLibrary(path)
  const other = new Database(path)
  other.run('BEGIN IMMEDIATE')
  expect(() => library.write((tx) => tx.run('DELETE FROM scenarios'))).toThrow(
    'Another program holds the library file',
  )
  other.run('ROLLBACK')
  other.close()
  library.close()
})
