import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { isInState, stateOf } from '../../../src/db/library/file-state.ts'
import { acquireLock } from '../../../src/db/library/lock.ts'
import { openSecondConnection } from '../../../src/db/library/open.ts'
import { listAdventures } from '../../../src/db/tables/adventure-list.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const place = () => join(temporaryFolder(), 'library.db')

/** A library that was opened and closed, with a story. */
function closedLibrary(): string {
  const path = place()
  const library = openLibrary(path)
  library.write((tx) => tx.insert('adventures', { user_id: 1, title: 'Lamp' }))
  library.close()
  return path
}

function wasLeftInOrder(path: string): boolean {
  using lock = acquireLock(path)
  return isInState(path, lock.leftState)
}

describe('a library that was closed properly', () => {
  test('is known by its state, however often it is opened', () => {
    const path = closedLibrary()
    for (let round = 0; round < 3; round++) {
      expect(wasLeftInOrder(path)).toBe(true)
      openLibrary(path).close()
    }
  })

  const changes: [what: string, change: (path: string) => void][] = [
    ['another program wrote to it', (path) => change(path, 'UPDATE adventures SET memory = 1')],
    ['another program changed its tables', (path) => change(path, 'CREATE TABLE recipes (id)')],
    ['a byte of it is another one', (path) => writeByte(path, 5_000)],
    ['its journal holds something', (path) => writeByte(`${path}-wal`, 0)],
    [
      'another program wrote while it was open',
      (path) => {
        const library = openLibrary(path)
        change(path, "UPDATE adventures SET title = 'Other'")
        library.close()
      },
    ],
    [
      'it was overwritten while it was open',
      (path) => {
        const backup = `${path}.backup`
        copyFileSync(path, backup)
        change(backup, 'CREATE TABLE recipes (id)')
        const library = openLibrary(path)
        writeFileSync(path, readFileSync(backup))
        library.close()
      },
    ],
    [
      'a worker wrote while it was open',
      (path) => {
        const library = openLibrary(path)
        using other = openSecondConnection(path)
        other.write((tx) => tx.run("UPDATE adventures SET title = 'Other'"))
        library.close()
      },
    ],
    [
      'the service was killed',
      (path) => {
        const library = openLibrary(path)
        library.write((tx) => tx.run("UPDATE adventures SET title = 'Other'"))
        library.reader.all('SELECT 1')
        const journal = readFileSync(`${path}-wal`)
        library.close()
        closeSync(openSync(`${path}-wal`, 'w'))
        const file = openSync(`${path}-wal`, 'w')
        writeSync(file, journal)
        closeSync(file)
      },
    ],
  ]
  for (const [what, make] of changes)
    test(`is checked again when ${what}`, () => {
      const path = closedLibrary()
      make(path)
      expect(wasLeftInOrder(path)).toBe(false)
    })

  test.skipIf(!existsSync('/proc/self/io'))('is not read through when it is opened', () => {
    const path = closedLibrary()
    const library = openLibrary(path)
    library.write((tx) => tx.run('UPDATE adventures SET memory = hex(randomblob(5000000))'))
    library.close()
    // So long a text is moved into the file by SQLite itself, which leaves no note.
    openLibrary(path).close()
    const before = bytesRead()
    const again = openLibrary(path)
    expect(bytesRead() - before).toBeLessThan(1_000_000)
    expect(listAdventures(again.reader)).toHaveLength(1)
    again.close()
  })

  test('closes without an error when its file was moved away meanwhile', () => {
    const path = closedLibrary()
    const library = openLibrary(path)
    library.write((tx) => tx.run("UPDATE adventures SET title = 'Other'"))
    renameSync(path, `${path}.moved`)
    library.checkpoint()
    library.close()
  })

  test('opens with a damaged lock file once that is deleted, and says so', () => {
    const path = closedLibrary()
    writeFileSync(`${path}.lock`, 'x'.repeat(4_096))
    expect(() => openLibrary(path)).toThrow('lock file')
    rmSync(`${path}.lock`)
    openLibrary(path).close()
  })

  test('has a state that no other file has', () => {
    const [one, other] = [closedLibrary(), closedLibrary()]
    expect(stateOf(one)).not.toBe(stateOf(other))
    expect(isInState(one, '')).toBe(false)
  })
})

function change(path: string, sql: string): void {
  const db = new Database(path)
  db.run(sql)
  db.close()
}

function writeByte(path: string, at: number): void {
  const file = openSync(path, existsSync(path) ? 'r+' : 'w')
  writeSync(file, 'x', at)
  closeSync(file)
}

/** Bytes that this process has read from files, cached ones included. */
function bytesRead(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
}
