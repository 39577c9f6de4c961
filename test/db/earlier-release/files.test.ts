import { Database } from 'bun:sqlite'
import { afterEach, describe, expect, mock, spyOn, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { restoreLibrary } from '../../../src/db/library/restore.ts'
import { type Trial, tryLibrary } from '../../../src/db/library/trial-copy.ts'
import { listAdventures } from '../../../src/db/tables/adventure-list.ts'
import { sampled } from '../../support/depth.ts'
import { leaveEarlierLibrary } from '../../support/earlier/release.ts'
import { filesIn, isTorn, leaveKilled } from '../../support/library/journals.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const place = (name = 'library.db') => join(temporaryFolder(), name)
const opening = (path: string) => () => openLibrary(path).close()

afterEach(() => {
  mock.restore()
})

/** The titles of the stories in a closed file. */
function titlesIn(path: string): string {
  using db = new Database(path, { readwrite: true, create: false })
  return db
    .query<{ title: string }, []>('SELECT title FROM adventures ORDER BY id')
    .all()
    .map(({ title }) => title)
    .join(', ')
}

const copiesIn = (path: string) => readdirSync(dirname(path)).filter((name) => name.includes('.before-'))

describe('a library left by a killed program', () => {
  const WRITTEN = "UPDATE adventures SET title = 'In the journal' WHERE id = 1"
  for (const version of sampled([12, 35, 45], 2))
    for (const mode of ['DELETE', 'WAL'] as const) {
      test(`version ${version}, ${mode}: committed changes are read, uncommitted ones are not`, () => {
        const [from, path] = [place(), place()]
        leaveEarlierLibrary(from, { version })
        leaveKilled(from, path, mode, WRITTEN)
        expect([isTorn(path), existsSync(`${path}-journal`), existsSync(`${path}-wal`)]).toEqual([
          mode === 'DELETE',
          mode === 'DELETE',
          mode === 'WAL',
        ])
        opening(path)()
        expect(titlesIn(path)).toBe('In the journal, Old Debts')
        expect([isTorn(path), existsSync(`${path}-journal`), existsSync(`${path}-wal`)]).toEqual([
          false,
          false,
          false,
        ])
        const copy = join(dirname(path), copiesIn(path)[0] ?? '')
        expect([titlesIn(copy), isTorn(copy)]).toEqual(['In the journal, Old Debts', false])
      })

      test(`version ${version}, ${mode}: a file that is refused keeps its journal, unread`, async () => {
        const [from, path] = [place(), place()]
        leaveEarlierLibrary(from, { version, also: 'CREATE TABLE branches (id)' })
        leaveKilled(from, path, mode, WRITTEN)
        const before = await filesIn(dirname(path))
        expect(Object.keys(before)).toHaveLength(2)
        expect(opening(path)).toThrow('branches')
        expect(await filesIn(dirname(path))).toEqual(before)
      })
    }

  test('the journal is read next to the library, not next to a link to it', () => {
    const [from, path, link] = [place(), place(), place('link.db')]
    leaveEarlierLibrary(from, { version: 35 })
    leaveKilled(from, path, 'DELETE', WRITTEN)
    symlinkSync(path, link)
    opening(link)()
    expect(titlesIn(path)).toBe('In the journal, Old Debts')
    expect(titlesIn(join(dirname(path), copiesIn(path)[0] ?? ''))).toBe('In the journal, Old Debts')
    expect(readdirSync(dirname(link))).toEqual(['link.db'])
  })
})

describe('a library opened through a symbolic link', () => {
  test('is one library under both names', () => {
    const [path, link] = [place(), place('link.db')]
    symlinkSync(path, link)
    leaveEarlierLibrary(path)
    const first = openLibrary(link)
    expect(opening(path)).toThrow('Another Inglenook')
    expect(opening(link)).toThrow('Another Inglenook')
    first.close()
  })

  test('is not created if the link is broken: its target may come back', () => {
    const link = place('link.db')
    symlinkSync('/nowhere/library.db', link)
    expect(opening(link)).toThrow('broken symbolic link')
    expect(readdirSync(dirname(link))).toEqual(['link.db'])
  })

  test('is restored in its real place, and the link stays', () => {
    const [path, link, copy, linkToCopy] = [place(), place('link.db'), place('copy.db'), place('given.db')]
    leaveEarlierLibrary(path)
    symlinkSync(path, link)
    leaveEarlierLibrary(copy, { version: 31, also: "UPDATE adventures SET title = 'Put back'" })
    symlinkSync(copy, linkToCopy)
    restoreLibrary(link, linkToCopy, new Date('2026-03-01T10:00:00Z'))
    expect(titlesIn(path)).toBe('Put back, Put back')
    opening(link)()
    expect(readdirSync(dirname(link))).toEqual(['link.db'])
  })
})

describe('a name with special characters is only a name', () => {
  const names = [
    'with spaces.db',
    'Märchen 図書館 🏮.db',
    '100% wool.db',
    '%20.db',
    'what?mode=ro.db',
    'part #1.db',
    'it\'s "quoted".db',
    'file:memory?x.db',
    ':memory:',
    'no ending',
    '-journal',
    'a;b$(c)`d`.db',
  ]
  for (const name of sampled(names))
    test(name, () => {
      const path = place(name)
      leaveEarlierLibrary(path, { version: 36 })
      opening(path)()
      opening(path)()
      expect(titlesIn(path)).toBe('Nine Nights, Old Debts')
      const kept = readdirSync(dirname(path)).filter((one) => one !== name && one !== `${name}.lock`)
      expect(kept).toEqual([expect.stringContaining(`${basename(name, '.db')}.before-0001-baseline-`)])
      expect(titlesIn(join(dirname(path), kept[0] ?? ''))).toBe('Nine Nights, Old Debts')
    })
})

test('a key file next to a library is not touched', async () => {
  const path = place()
  leaveEarlierLibrary(path, { version: 45 })
  const key = join(dirname(path), 'secret.key')
  writeFileSync(key, 'SECRET')
  chmodSync(key, 0o000)
  opening(path)()
  chmodSync(key, 0o600)
  expect(readFileSync(key, 'utf8')).toBe('SECRET')
})

const isRoot = process.getuid?.() === 0
const asNobody = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

test.skipIf(isRoot && Bun.which('setpriv') === null)(
  'a read-only folder is reported in a sentence, and nothing is changed',
  async () => {
    const path = place()
    leaveEarlierLibrary(path, { version: 33 })
    chmodSync(dirname(path), 0o555)
    const before = await filesIn(dirname(path))
    const child = Bun.spawn(
      [
        ...asNobody,
        process.execPath,
        join(import.meta.dir, '../../support/service/killed-opening.ts'),
        path,
        'no file',
        'x',
      ],
      { stderr: 'pipe' },
    )
    expect(await new Response(child.stderr).text()).toContain('The file or its folder is not writable')
    expect(await child.exited).not.toBe(0)
    chmodSync(dirname(path), 0o755)
    expect(await filesIn(dirname(path))).toEqual(before)
  },
)

describe('everything is done or nothing', () => {
  /** Does something just before a file runs a certain statement. */
  function at(file: string, statement: string, operation: () => void): void {
    for (const name of ['run', 'query'] as const) {
      const own = Database.prototype[name] as (...given: unknown[]) => unknown
      spyOn(Database.prototype, name).mockImplementation(function (this: Database, ...given: unknown[]) {
        if (this.filename.endsWith(file) && String(given[0]).includes(statement)) operation()
        return own.apply(this, given)
      } as never)
    }
  }

  const fail = () => {
    throw new Error('in the middle')
  }

  for (const statement of [
    'ADD COLUMN user_id',
    'DROP COLUMN context_snapshot',
    'search_index',
    'search_indexed',
  ])
    test(`an error at ${statement} leaves every byte of the file unchanged`, () => {
      const path = place()
      leaveEarlierLibrary(path, { version: 12 })
      const before = readFileSync(path)
      at(path, statement, fail)
      expect(opening(path)).toThrow('in the middle')
      mock.restore()
      expect(readFileSync(path).equals(before)).toBe(true)
      expect(
        readdirSync(dirname(path))
          .filter((name) => !name.includes('.before-'))
          .sort(),
      ).toEqual(['library.db', 'library.db.lock'])
    })

  for (const statement of ['VACUUM INTO', 'DROP COLUMN context_snapshot', 'INTO search_index'])
    test(`an error in the trial copy, at ${statement}, leaves the file and its folder unchanged`, async () => {
      const path = place()
      leaveEarlierLibrary(path, { version: 12 })
      const before = await filesIn(dirname(path))
      const trial: Trial = { file: path, folder: temporaryFolder(), advice: '', keep: 'always' }
      at('/copy.db', statement, fail)
      expect(() => tryLibrary(trial)).toThrow('in the middle')
      expect(await filesIn(dirname(path))).toEqual(before)
    })

  test('an upgrade that fails on the trial copy is not begun on the file', async () => {
    const path = place()
    leaveEarlierLibrary(path, { version: 24, also: 'ALTER TABLE actions ADD COLUMN cut INTEGER' })
    const before = await filesIn(dirname(path))
    at(path, 'ADD COLUMN', () => expect.unreachable())
    expect(opening(path)).toThrow('duplicate column name: cut')
    expect(await filesIn(dirname(path))).toEqual(before)
  })

  test('the copy exists before anything is changed', () => {
    const path = place()
    leaveEarlierLibrary(path, { version: 41 })
    let copies: string[] = []
    at(path, 'CREATE TABLE', () => {
      copies = copiesIn(path)
    })
    opening(path)()
    expect(copies).toHaveLength(1)
  })

  test('a copy never replaces another one made in the same second', () => {
    const path = place()
    leaveEarlierLibrary(path, { version: 41 })
    at(path, 'ADD COLUMN', fail)
    for (let i = 0; i < 4; i++) expect(opening(path)).toThrow('in the middle')
    mock.restore()
    opening(path)()
    expect(copiesIn(path)).toHaveLength(5)
  })

  test('a file that another program is writing to is refused', async () => {
    const path = place()
    leaveEarlierLibrary(path, { version: 41 })
    at('/copy.db', 'quick_check("actions")', () => {
      using other = new Database(path)
      other.run("UPDATE adventures SET title = 'Written meanwhile'")
    })
    expect(opening(path)).toThrow('Another program is writing to it')
    mock.restore()
    expect(copiesIn(path)).toEqual([])
    opening(path)()
    expect(titlesIn(path)).toBe('Written meanwhile, Written meanwhile')
  })

  const moments: [file: string, statement: string][] = [
    ['copy.db', 'quick_check'],
    ['copy.db', 'RENAME COLUMN'],
    ['/library.db', 'synchronous = FULL'],
    ['/library.db', 'ADD COLUMN is_public'],
    ['/library.db', 'UPDATE actions SET context_snapshot_z'],
    ['/library.db', 'RENAME COLUMN'],
    ['/library.db', 'CREATE VIRTUAL TABLE search_index'],
    ['/library.db', 'INSERT OR REPLACE INTO search_indexed'],
    ['/library.db', 'journal_mode = WAL'],
    ['/library.db', 'wal_checkpoint'],
  ]
  for (const [file, statement] of moments)
    test(`killed in ${file} at ${statement}, it opens with all its stories`, async () => {
      const path = place()
      leaveEarlierLibrary(path, { version: 12 })
      const run = Bun.spawn([
        process.execPath,
        join(import.meta.dir, '../../support/service/killed-opening.ts'),
        path,
        file.startsWith('/') ? path : file,
        statement,
      ])
      await run.exited
      expect(run.signalCode).toBe('SIGKILL')
      const library = openLibrary(path)
      expect(listAdventures(library.reader)).toMatchObject([
        { title: 'Old Debts', action_count: 3 },
        { title: 'Nine Nights', action_count: 14 },
      ])
      library.close()
      expect(
        readdirSync(dirname(path))
          .filter((name) => !name.includes('.before-'))
          .sort(),
      ).toEqual(['library.db', 'library.db.lock'])
      for (const copy of copiesIn(path))
        expect(titlesIn(join(dirname(path), copy))).toBe('Nine Nights, Old Debts')
    })
})
