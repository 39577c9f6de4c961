import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { restoreLibrary } from '../../../src/db/library/restore.ts'
import { listAdventures } from '../../../src/db/tables/adventure-list.ts'
import { isFullLane } from '../../support/depth.ts'
import { leaveTrees } from '../../support/earlier/tree-library.ts'
import { filesIn, leaveKilled } from '../../support/library/journals.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const place = () => join(temporaryFolder(), 'library.db')
const filesBeside = (path: string) => readdirSync(dirname(path)).sort()
const keptIn = (path: string) => filesBeside(path).filter((name) => name.includes('.before-branches-'))

/** The titles of the stories in a file as another program reads it: with its journal, and with or without branches. */
function storiesIn(path: string): { isTree: boolean; titles: string } {
  const copy = place()
  for (const suffix of ['', '-wal', '-journal'])
    if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
  using db = new Database(copy, { readwrite: true, create: false })
  const titles = db.query<{ title: string }, []>('SELECT title FROM adventures ORDER BY id').all()
  return {
    isTree: db.query("SELECT 1 FROM sqlite_schema WHERE name = 'branches'").get() !== null,
    titles: titles.map(({ title }) => title).join(', '),
  }
}

/** The bytes of a library and its journals, under what follows its name. */
async function bytesOf(path: string): Promise<Record<string, unknown>> {
  const files = Object.entries(await filesIn(dirname(path)))
  const start = basename(path)
  return Object.fromEntries(
    files
      .filter(([name]) => name.startsWith(start))
      .map(([name, bytes]) => [name.slice(start.length), bytes]),
  )
}

const WRITTEN = "UPDATE adventures SET title = 'In the journal' WHERE id = 2"

/** Libraries of stories as trees: closed properly, and with either journal of a program that was killed. */
const LEFT: [name: string, leave: (path: string) => void, second: string][] = [
  ['that was closed', leaveTrees, 'Story 2'],
  ...(['WAL', 'DELETE'] as const).map((mode): [string, (path: string) => void, string] => [
    `with a journal (${mode})`,
    (path) => {
      const from = place()
      leaveTrees(from)
      leaveKilled(from, path, mode, WRITTEN)
    },
    'In the journal',
  ]),
]

/** A program is killed before every change in the full lane; otherwise before every ninth, beginning at another in each library. */
const STEP = isFullLane ? 1 : 9

describe.each(LEFT)('a library of stories as trees %s', (name, leave, second) => {
  test('is converted, and kept byte for byte next to it', async () => {
    const path = place()
    leave(path)
    const before = await bytesOf(path)
    const library = openLibrary(path)
    expect(library.conversion).toContain('2 stories, 1 other branch of them, 2 other attempts at turns. ')
    const [kept = '', ...more] = keptIn(path).filter((name) => name.endsWith('.db'))
    expect([library.conversion, more]).toEqual([expect.stringContaining(`as ${kept}.`), []])
    const titles = listAdventures(library.reader).map(({ title }) => title)
    expect(titles.sort()).toEqual([second, 'Story 1', 'Story 1: Passage 1.2'].sort())
    library.close()
    expect(await bytesOf(join(dirname(path), kept))).toEqual(before)
    expect(filesBeside(path).filter((name) => !name.startsWith(kept))).toEqual([
      'library.db',
      'library.db.lock',
    ])
  })

  test('can be restored for the earlier release, and is converted again at the next start', () => {
    const path = place()
    leave(path)
    openLibrary(path).close()
    restoreLibrary(path, join(dirname(path), keptIn(path)[0] ?? ''), new Date('2026-03-01T10:00:00Z'))
    expect(storiesIn(path)).toEqual({ isTree: true, titles: `Story 1, ${second}` })
    const library = openLibrary(path)
    expect(library.conversion).toContain('1 other branch')
    library.close()
  })

  test('is there or converted, whole, whatever change of a file a program is killed at', async () => {
    const outcomes = new Set<boolean>()
    const first = (LEFT.findIndex((one) => one[0] === name) % STEP) + 1
    for (let at = first, survived = false; !survived; at += STEP) {
      const path = place()
      leave(path)
      const before = await bytesOf(path)
      survived = await openedAndKilled(path, at)
      const { isTree, titles } = storiesIn(path)
      outcomes.add(isTree)
      expect(titles).toStartWith(`Story 1, ${second}`)
      if (!isTree) expect(await keptBytes(path)).toContainEqual(before)
      openLibrary(path).close()
      expect(storiesIn(path)).toEqual({ isTree: false, titles: expect.stringContaining(', Story 1: ') })
      for (const name of keptIn(path).filter((one) => one.endsWith('.db')))
        expect(storiesIn(join(dirname(path), name))).toEqual({ isTree: true, titles: `Story 1, ${second}` })
      const others = filesBeside(path).filter((name) => !name.includes('.before-branches-'))
      expect(others).toEqual(['library.db', 'library.db.lock'])
    }
    expect([...outcomes].sort()).toEqual([false, true])
  })
})

/** Whether a program that opens a library survives being killed at its n-th change of a file: it made fewer. */
async function openedAndKilled(path: string, at: number): Promise<boolean> {
  const support = join(import.meta.dir, '../../support/service')
  const program = [join(support, 'killed-opening.ts'), path, 'no file', 'x']
  const run = Bun.spawn([process.execPath, '--preload', join(support, 'killed-at.ts'), ...program], {
    env: { ...process.env, KILLED_AT: String(at) },
    stdout: 'ignore',
  })
  await run.exited
  if (run.signalCode === null) expect(run.exitCode).toBe(0)
  return run.signalCode === null
}

async function keptBytes(path: string): Promise<Record<string, unknown>[]> {
  const files = keptIn(path).filter((name) => name.endsWith('.db'))
  return Promise.all(files.map((name) => bytesOf(join(dirname(path), name))))
}

test('a library of stories as trees that another program reads is refused and left unchanged', async () => {
  const path = place()
  leaveTrees(path)
  const other = new Database(path)
  other.run('BEGIN')
  other.query('SELECT count(*) FROM actions').get()
  const before = await bytesOf(path)
  expect(() => openLibrary(path)).toThrow('Another program')
  expect([await bytesOf(path), keptIn(path)]).toEqual([before, []])
  other.close()
  openLibrary(path).close()
  expect(keptIn(path)).toHaveLength(1)
})
