import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { copyLibrary, streamAndDelete } from '../../../src/db/library/copies/copy.ts'
import { dailyCopy, deleteOldCopies } from '../../../src/db/library/copies/daily.ts'
import { copiesFolder } from '../../../src/db/library/copies/names.ts'
import { restoreLibrary } from '../../../src/db/library/restore.ts'
import { listScenarios } from '../../../src/db/tables/scenarios.ts'
import { leaveEarlierLibrary } from '../../support/earlier/release.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const NOW = new Date('2026-03-01T10:00:00Z')
const KEPT = 'library.before-restore-20260301T100000.db'

/** A closed library with one scenario of that title. */
function libraryOf(title: string, path = join(temporaryFolder(), 'library.db')): string {
  const library = openLibrary(path)
  library.write((tx) => tx.run('DELETE FROM scenarios WHERE id > 1'))
  library.write((tx) => tx.update('scenarios', 1, { title }))
  library.close()
  return path
}

function titleIn(path: string): string {
  const library = openLibrary(path)
  try {
    return listScenarios(library.reader)
      .map(({ title }) => title)
      .join()
  } finally {
    library.close()
  }
}

/** Every file of a folder with its bytes, except the lock file, which is empty. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !name.endsWith('.lock'))
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name)).toString('base64')]))
}

describe('a copy', () => {
  test('of a library in use is intact, has everything committed, and can be restored', () => {
    const path = join(temporaryFolder(), 'library.db')
    const library = openLibrary(path)
    const copy = join(temporaryFolder(), 'deep/copy.db')
    library.write((tx) => tx.update('scenarios', 1, { title: 'Committed' }))
    copyLibrary(path, copy)
    library.write((tx) => tx.run('DELETE FROM scenarios'))
    library.close()
    using db = new Database(copy, { readonly: true })
    expect(db.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(restoreLibrary(path, copy, NOW)).toBe(join(dirname(path), KEPT))
    expect(titleIn(path)).toContain('Committed')
    expect(titleIn(join(dirname(path), KEPT))).toBe('')
  })

  test('never overwrites an existing file', () => {
    const path = libraryOf('Mine')
    const copy = join(temporaryFolder(), 'copy.db')
    const unfinished = `${copy}.${process.pid}.unfinished`
    writeFileSync(unfinished, 'of a copy that was killed')
    copyLibrary(path, copy)
    expect(titleIn(copy)).toBe('Mine')
    expect(existsSync(unfinished)).toBe(false)
  })
})

describe('a downloaded copy', () => {
  const made = () => {
    const copy = join(temporaryFolder(), 'copy.db')
    copyLibrary(libraryOf('Mine'), copy)
    return copy
  }
  test('arrives complete and is deleted', async () => {
    const copy = made()
    const bytes = readFileSync(copy)
    expect(bytes.equals(Buffer.from(await new Response(streamAndDelete(copy)).arrayBuffer()))).toBe(true)
    expect(existsSync(copy)).toBe(false)
  })
  test('is deleted if the download is cancelled', async () => {
    const copy = made()
    await streamAndDelete(copy).cancel()
    expect(existsSync(copy)).toBe(false)
  })
})

describe('a restored library', () => {
  test('may be a library of the earlier release', () => {
    const path = libraryOf('New')
    const old = join(temporaryFolder(), 'old.db')
    leaveEarlierLibrary(old)
    restoreLibrary(path, old, NOW)
    expect(titleIn(path)).toContain('The Dark Light')
    expect(titleIn(join(dirname(path), KEPT))).toBe('New')
  })

  test('may be the first library', () => {
    const path = join(temporaryFolder(), 'new/library.db')
    expect(restoreLibrary(path, libraryOf('Moved'), NOW)).toBeNull()
    expect(titleIn(path)).toBe('Moved')
  })

  test('includes the journal of the copy', () => {
    const from = libraryOf('Before')
    const open = new Database(from)
    open.run("UPDATE scenarios SET title = 'In the journal'")
    const copy = join(temporaryFolder(), 'copy.db')
    for (const suffix of ['', '-wal']) copyFileSync(from + suffix, copy + suffix)
    open.close()
    const path = libraryOf('Other')
    restoreLibrary(path, copy, NOW)
    expect(titleIn(path)).toBe('In the journal')
  })

  test('is not mixed with the journal of the old library, which is kept with all its changes', () => {
    const path = libraryOf('Before')
    const open = new Database(path)
    open.run("UPDATE scenarios SET title = 'Last words'")
    const [file, journal] = [readFileSync(path), readFileSync(`${path}-wal`)]
    open.close()
    // As a killed service leaves it.
    writeFileSync(path, file)
    writeFileSync(`${path}-wal`, journal)
    restoreLibrary(path, libraryOf('Put back'), NOW)
    expect(titleIn(path)).toBe('Put back')
    expect(titleIn(join(dirname(path), KEPT))).toBe('Last words')
  })

  test('may replace a damaged library, which is kept unchanged', () => {
    const path = libraryOf('Damaged')
    const bytes = readFileSync(path).fill(0xff, 4096, 4096 * 9)
    writeFileSync(path, bytes)
    expect(() => openLibrary(path)).toThrow('damaged')
    restoreLibrary(path, libraryOf('Put back'), NOW)
    expect(titleIn(path)).toBe('Put back')
    expect(readFileSync(join(dirname(path), KEPT)).equals(bytes)).toBe(true)
  })
})

test('the journal of a library that cannot be opened is kept with it, and not applied to the new one', () => {
  const path = libraryOf('Before')
  const open = new Database(path)
  open.run("UPDATE scenarios SET title = 'Last words'")
  const journal = readFileSync(`${path}-wal`)
  open.close()
  writeFileSync(path, 'no database any more')
  writeFileSync(`${path}-wal`, journal)
  restoreLibrary(path, libraryOf('Put back'), NOW)
  expect(titleIn(path)).toBe('Put back')
  expect(readFileSync(join(dirname(path), `${KEPT}-wal`)).equals(journal)).toBe(true)
})

test('a journal whose library is missing is kept, and not applied to the new one', () => {
  const path = libraryOf('Before')
  const open = new Database(path)
  open.run("UPDATE scenarios SET title = 'Last words'")
  const journal = readFileSync(`${path}-wal`)
  open.close()
  rmSync(path)
  writeFileSync(`${path}-wal`, journal)
  restoreLibrary(path, libraryOf('Put back'), NOW)
  expect(titleIn(path)).toBe('Put back')
  expect(readFileSync(join(dirname(path), `${KEPT}-wal`)).equals(journal)).toBe(true)
})

test('nothing is restored while another program reads the library: its last changes would be lost if this one were killed', () => {
  const path = libraryOf('Before')
  const writer = new Database(path)
  const reading = new Database(path, { readonly: true })
  reading.run('BEGIN')
  reading.query('SELECT count(*) FROM scenarios').get()
  writer.run("UPDATE scenarios SET title = 'Last words'")
  expect(() => restoreLibrary(path, libraryOf('Put back'), NOW, 0)).toThrow('Another program is using')
  reading.close()
  writer.close()
  expect(titleIn(path)).toBe('Last words')
})

describe('a refusal says why and changes nothing', () => {
  const foreign = (path: string) => void new Database(path).run('CREATE TABLE recipes (id)')
  const files: [what: string, make: (path: string) => void, sentence: string][] = [
    ['no file', () => {}, 'no such file'],
    ['an empty file', (path) => writeFileSync(path, ''), 'empty'],
    ['a text', (path) => writeFileSync(path, 'Once upon a time. '.repeat(500)), 'not a database'],
    ['another database', foreign, 'not an Inglenook library'],
    ['a library of a later build', (path) => leaveEarlierLibrary(path, { version: 57 }), 'version 57'],
    [
      'a damaged library',
      (path) => {
        libraryOf('x', path)
        writeFileSync(path, readFileSync(path).fill(0xff, 4096 * 2, 4096 * 12))
      },
      'damaged',
    ],
    [
      'half a library',
      (path) => {
        libraryOf('x', path)
        writeFileSync(path, readFileSync(path).subarray(0, 40_000))
      },
      'damaged',
    ],
  ]
  for (const [what, make, sentence] of files)
    test(what, () => {
      const path = libraryOf('Mine')
      const file = join(temporaryFolder(), 'given.db')
      make(file)
      const before = [filesIn(dirname(path)), filesIn(dirname(file))]
      expect(() => restoreLibrary(path, file, NOW)).toThrow(sentence)
      expect(() => restoreLibrary(path, file, NOW)).toThrow(`${file} was not restored.`)
      expect([filesIn(dirname(path)), filesIn(dirname(file))]).toEqual(before)
    })

  test('the library itself', () => {
    const path = libraryOf('Mine')
    expect(() => restoreLibrary(path, path, NOW)).toThrow('the library itself')
  })

  test('while a service is running', () => {
    const path = libraryOf('Mine')
    const copy = libraryOf('Other')
    const running = openLibrary(path)
    expect(() => restoreLibrary(path, copy, NOW)).toThrow('Stop it first')
    running.close()
    expect(titleIn(path)).toBe('Mine')
    expect(readdirSync(dirname(path)).sort()).toEqual(['library.db', 'library.db.lock'])
  })
})

describe('the daily copy', () => {
  const day = (text: string) => new Date(`${text}T20:00:00Z`)
  const make = async (path: string, now: Date) => {
    const { target, isDue } = dailyCopy(path, now)
    if (isDue) copyLibrary(path, target)
    await deleteOldCopies(path, now)
    return isDue
  }
  /** Sets when a file was written, so that no test has to wait. */
  const written = (file: string, when: Date) => utimesSync(file, when, when)
  const copiesOf = (path: string) => readdirSync(copiesFolder(path)).sort()
  const namesOf = (...days: string[]) => days.map((date) => `library.${date}.db`)

  const lives: [what: string, days: [day: string, change: string | null, isDue: boolean][]][] = [
    [
      'is made once a day',
      [
        ['2026-03-01', '2026-03-01', true],
        ['2026-03-01', '2026-03-02', false],
      ],
    ],
    [
      'is made only if something has changed since the last one',
      [
        ['2026-03-01', '2026-03-01', true],
        ['2026-03-02', null, false],
        ['2026-03-03', '2026-03-03', true],
      ],
    ],
    [
      'is made once after several days of sleep',
      [
        ['2026-03-01', '2026-03-01', true],
        ['2026-03-20', '2026-03-20', true],
        ['2026-03-20', null, false],
      ],
    ],
    [
      'is made after the clock was set back if anything has changed',
      [
        ['2026-03-20', '2026-03-20', true],
        ['2026-03-02', '2026-03-02', true],
        ['2026-03-03', null, false],
        ['2026-03-04', '2026-03-04', true],
      ],
    ],
  ]
  for (const [what, days] of lives)
    test(what, async () => {
      const path = libraryOf('Mine')
      const due: boolean[] = []
      for (const [date, change] of days) {
        if (change) written(path, day(change))
        due.push(await make(path, day(date)))
      }
      expect(due).toEqual(days.map(([, , isDue]) => isDue))
    })

  test('is due while the change is still in the journal', async () => {
    const path = libraryOf('Mine')
    written(path, day('2026-02-28'))
    await make(path, day('2026-03-01'))
    const library = openLibrary(path)
    library.write((tx) => tx.update('scenarios', 1, { title: 'Changed' }))
    written(path, day('2026-02-28'))
    written(`${path}-wal`, day('2026-03-02'))
    expect(dailyCopy(path, day('2026-03-02')).isDue).toBe(true)
    library.close()
  })

  test('of a future date counts as the oldest: the clock was ahead when it was made', async () => {
    const path = libraryOf('Mine')
    for (const year of [2090, 2091, 2092, 2093, 2094, 2095]) {
      written(path, day(`${year}-01-01`))
      await make(path, day(`${year}-01-01`))
    }
    for (const date of ['2026-03-01', '2026-03-02']) {
      written(path, day(date))
      expect(await make(path, day(date))).toBe(true)
    }
    expect(copiesOf(path)).toEqual(
      namesOf('2026-03-01', '2026-03-02', '2093-01-01', '2094-01-01', '2095-01-01'),
    )
  })

  test('is kept for the last five days, and no other file is touched', async () => {
    const path = libraryOf('Mine')
    const others = [
      'library.copy-20250101T000000.db',
      'other.2020-01-01.db',
      'library.2020-01-01.db.txt',
      'notes',
    ]
    await make(path, day('2026-03-01'))
    for (const name of others) writeFileSync(join(copiesFolder(path), name), '')
    for (const date of ['03', '04', '05', '06', '07', '08'])
      writeFileSync(join(copiesFolder(path), `library.2026-03-${date}.db`), '')
    await deleteOldCopies(path, day('2026-03-08'))
    expect(copiesOf(path)).toEqual(
      [...others, ...['04', '05', '06', '07', '08'].map((date) => `library.2026-03-${date}.db`)].sort(),
    )
  })

  test('unfinished work of a killed program is deleted at the next start, except copies that a person requested', async () => {
    const path = libraryOf('Mine')
    await make(path, day('2026-03-01'))
    const left = [
      'library.2026-03-02.db.unfinished',
      'library.2026-03-02.db.77.unfinished',
      'library.2026-03-02.db.77.unfinished-journal',
      'library.sending-1.db',
      'library.sending-1.db.77.unfinished',
    ]
    const others = ['library.copy-20260301T100000.db.77.unfinished', 'other.sending-1.db']
    for (const name of [...left, ...others]) writeFileSync(join(copiesFolder(path), name), '')
    for (const suffix of ['.restoring', '.judged']) mkdirSync(path + suffix)
    openLibrary(path).close()
    expect(copiesOf(path)).toEqual(['library.2026-03-01.db', ...others])
    expect(readdirSync(dirname(path)).sort()).toEqual(['backups', 'library.db', 'library.db.lock'])
  })
})
