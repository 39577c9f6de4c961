import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runDoctor } from '../../src/app/files/doctor.ts'
import type { DoctorFinding } from '../../src/db/checks/check.ts'
import { copyLibrary } from '../../src/db/library/copies/copy.ts'
import { copiesFolder } from '../../src/db/library/copies/names.ts'
import { leaveEarlierLibrary } from '../support/earlier/release.ts'
import { say, startEndpoint } from '../support/endpoint/endpoint.ts'
import { openLibrary } from '../support/library/open.ts'
import { playedLibrary } from '../support/library/played-library.ts'
import { playTurn, retryTurn } from '../support/service/events.ts'
import { programCommand } from '../support/service/program-command.ts'
import { startServer, type TestServer } from '../support/service/server.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = mkdtempSync(join(tmpdir(), 'inglenook-'))
const PLAYED = join(folder, 'library.db')
beforeAll(() => playedLibrary(PLAYED))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A separate copy of the played library. */
function played(): string {
  const path = join(temporaryFolder(), 'library.db')
  copyFileSync(PLAYED, path)
  return path
}

/** Changes a library directly, as another program or a disk error does. */
function spoil(path: string, sql: string): void {
  const db = new Database(path)
  db.run('PRAGMA foreign_keys = OFF')
  db.run(sql)
  db.close()
}

/** Changes the bytes of one page of a table or an index. */
function spoilPage(path: string, name: string, change: (page: Buffer) => void): void {
  const db = new Database(path)
  const { at, size } = db
    .query<{ at: number; size: number }, [string]>(
      "SELECT max(pgoffset) AS at, pgsize AS size FROM dbstat WHERE name = ? AND pagetype <> 'internal'",
    )
    .get(name) ?? { at: 0, size: 0 }
  db.close()
  const bytes = readFileSync(path)
  change(bytes.subarray(at, at + size))
  writeFileSync(path, bytes)
}

async function findingsIn(path: string, free?: () => number): Promise<DoctorFinding[]> {
  const { findings } = await runDoctor(path, { version: '', ...(free ? { free } : {}) })
  return findings
}

/** The names of the checks with findings, without duplicates. */
const namesOf = (findings: DoctorFinding[]) => [...new Set(findings.map(({ check }) => check))].sort()

async function foundIn(path: string, free?: () => number): Promise<string[]> {
  return namesOf(await findingsIn(path, free))
}

async function doctor(path: string, ...args: string[]): Promise<{ code: number; said: string }> {
  const run = Bun.spawn([...programCommand(), 'doctor', ...args], {
    env: { PATH: process.env.PATH ?? '', APP_DB_PATH: path },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said = (await new Response(run.stdout).text()) + (await new Response(run.stderr).text())
  return { code: await run.exited, said }
}

/** Every file of a folder with its bytes. */
function filesIn(place: string): Record<string, string> {
  const names = readdirSync(place, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return Object.fromEntries(
    names.map(({ parentPath, name }) => [name, Bun.hash(readFileSync(join(parentPath, name))).toString()]),
  )
}

/** Errors in rows, and every check that finds each. */
const FAULTS: [what: string, sql: string, found: string[]][] = [
  ['a step that is missing', "DELETE FROM schema_migrations WHERE name LIKE '0010%'", ['migrations']],
  ['a table that is missing', 'DROP TABLE schema_drafts', ['tables']],
  ['a column that is missing', 'ALTER TABLE story_cards DROP COLUMN position', ['tables']],
  ['a trigger', 'CREATE TRIGGER eager AFTER INSERT ON actions BEGIN DELETE FROM memories; END', ['tables']],
  ['an owner that is gone', 'DELETE FROM users', ['orphans']],
  ['settings of nobody', 'UPDATE settings SET user_id = 99', ['orphans']],
  ['a story of a scenario that is gone', 'UPDATE adventures SET scenario_id = 99 WHERE id = 1', ['orphans']],
  [
    'an action of no story',
    "INSERT INTO actions (id, adventure_id, \"index\", type, created_at) VALUES (99, 99, 0, 'start', '2026-03-01 10:00:00')",
    ['orphans'],
  ],
  [
    'a memory of no story',
    "INSERT INTO memories (id, adventure_id, text, created_at) VALUES (99, 99, '', '2026-03-01 10:00:00')",
    ['orphans'],
  ],
  ['a draft of no story', "INSERT INTO waiting_lines (id, text) VALUES (99, 'x')", ['orphans']],
  [
    'a row that the search does not know',
    'DELETE FROM search_indexed WHERE place = (SELECT max(place) FROM search_indexed)',
    ['search index'],
  ],
  [
    'a row that the search says to know',
    'DELETE FROM search_index WHERE rowid = (SELECT max(rowid) FROM search_index)',
    ['search index'],
  ],
  [
    'a row that the search knows and nobody else',
    'INSERT INTO search_indexed VALUES (77, 1)',
    ['search index'],
  ],
  [
    'a passage that was rewritten elsewhere',
    "UPDATE actions SET text = text || '!' WHERE id = 7",
    ['search index'],
  ],
  ['a scenario that was rewritten elsewhere', "UPDATE scenarios SET description = 'new'", ['search index']],
  [
    'a world that is not what the story left',
    "UPDATE adventures SET world_state = json_set(world_state, '$.player.warmth', 1) WHERE id = 2",
    ['audit'],
  ],
  [
    'a world that moved without a record',
    "UPDATE actions SET world_state_before = json_set(world_state_before, '$.player.warmth', 1) WHERE id = 12",
    ['audit'],
  ],
  [
    'a verdict that was changed',
    "UPDATE actions SET variants = json_set(variants, '$[0].world_state.report.verdicts[0].new', 1) WHERE id = 10",
    ['audit'],
  ],
]

/** Errors that cannot be made with SQL, and problems with files around a library. */
const OTHERS: [what: string, make: (path: string) => void, found: string[]][] = [
  [
    'an index that lacks a row',
    (path) =>
      spoilPage(path, 'story_cards_by_scenario', (page) => {
        page[page.length - 1] = 0x7e
      }),
    ['integrity'],
  ],
  [
    'a torn text search',
    (path) => spoilPage(path, 'search_index_data', (page) => page.fill(0x41, 3_000)),
    ['integrity'],
  ],
  [
    'a hole',
    (path) => spoilPage(path, 'actions', (page) => page.fill(0xff)),
    ['audit', 'integrity', 'unreadable'],
  ],
  [
    'a copy of a person that was broken off',
    (path) => copyLibrary(path, join(copiesFolder(path), 'library.copy-1.db.77.unfinished')),
    ['interrupted copy'],
  ],
  ['a copy that is torn', (path) => copyAnd(path, (bytes) => bytes.subarray(0, 40_000)), ['newest copy']],
  ['a copy that is no database', (path) => copyAnd(path, () => Buffer.from('no database')), ['newest copy']],
  [
    'a copy with a hole',
    (path) => copyAnd(path, (bytes) => bytes.fill(0xff, 8_192, 65_536)),
    ['newest copy'],
  ],
  ['a file where the copies go', (path) => writeFileSync(copiesFolder(path), ''), ['backup folder']],
]

function copyAnd(path: string, change: (bytes: Buffer) => Uint8Array): void {
  const copy = join(copiesFolder(path), 'library.2026-03-01.db')
  copyLibrary(path, copy)
  writeFileSync(copy, change(readFileSync(copy)))
}

describe('the doctor finds', () => {
  const all = [
    ...FAULTS.map(([what, sql, found]) => [what, (path: string) => spoil(path, sql), found] as const),
    ...OTHERS,
  ]
  for (const [what, make, found] of all)
    test(what, async () => {
      const path = played()
      make(path)
      const findings = await findingsIn(path)
      expect(namesOf(findings)).toEqual(found)
      // If the advice is to start Inglenook, that fixes it.
      if (!findings.every(({ advice }) => advice.startsWith('Start Inglenook'))) return
      openLibrary(path).close()
      expect(await foundIn(path)).toEqual([])
    })

  test('a disk without space for a copy', async () => {
    const path = played()
    expect(await foundIn(path, () => 100_000)).toEqual(['backup folder'])
    expect(await foundIn(path, () => 100_000_000)).toEqual([])
  })
})

describe('the doctor finds nothing in', () => {
  const sound: [what: string, make: (path: string) => void][] = [
    ['a fresh library', (path) => openLibrary(path).close()],
    ['a library that was played', (path) => copyFileSync(PLAYED, path)],
    ['a copy of it', (path) => copyLibrary(PLAYED, path)],
    ['a library of the earlier release', (path) => leaveEarlierLibrary(path)],
    ['one of a later build of it', (path) => leaveEarlierLibrary(path, { version: 56 })],
    [
      'one that was stopped before its rows were indexed',
      (path) => {
        copyFileSync(PLAYED, path)
        spoil(path, 'DELETE FROM search_index; DELETE FROM search_indexed; DELETE FROM search_shared')
      },
    ],
    [
      'one that Inglenook has opened',
      (path) => {
        leaveEarlierLibrary(path)
        openLibrary(path).close()
      },
    ],
  ]
  for (const [what, make] of sound)
    test(what, async () => {
      const path = join(temporaryFolder(), 'library.db')
      make(path)
      expect(await foundIn(path)).toEqual([])
    })
})

test('the doctor finds nothing after any action of a player', async () => {
  const path = played()
  await using endpoint = await startEndpoint()
  endpoint.byDefault(say('The tide turns, and the lamp is lit again.'))
  const server = await startServer({ dbPath: path, idleDelay: 0 })
  const { id: ofStory2 } = (await server.get('/api/scenarios')).body[0]
  const operations: [what: string, operation: () => Promise<unknown>][] = [
    [
      'settings',
      () => server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' }),
    ],
    ['a copy of a story', () => server.post('/api/adventures/1/copy', {})],
    ['a story that was brought', () => bring(server, 1)],
    ['a counted story that was brought', () => bring(server, 2)],
    [
      'turns, until they are remembered',
      async () => {
        for (let turn = 0; turn < 6; turn++) {
          await playTurn(server, 1, { type: 'do', text: `look ${turn}` })
          // Its memories pause for a turn at first, after a failure in the library.
          await server.deps.idle.ended()
        }
        await retryTurn(server, 1)
        await server.deps.idle.ended()
        expect((await server.get('/api/adventures/1/memories')).body.length).toBeGreaterThan(3)
      },
    ],
    [
      'an edit of what is remembered',
      () => server.send('PATCH', '/api/adventures/1/actions/6', { text: 'Edited.', variant_index: 0 }),
    ],
    ['an undo', () => server.post('/api/adventures/1/undo')],
    [
      'an edit of a scenario',
      () => server.send('PATCH', `/api/scenarios/${ofStory2}`, { memory: 'New essentials.' }),
    ],
    ['an update of a story', () => server.post('/api/adventures/2/refresh', {})],
    ['a scenario that is deleted', () => server.send('DELETE', `/api/scenarios/${ofStory2}`)],
    ['a story that is deleted', () => server.send('DELETE', '/api/adventures/1')],
    ['turns after all that', () => playTurn(server, 2, { type: 'do', text: 'wait' })],
  ]
  for (const [what, operation] of operations) {
    const { status = 200 } = ((await operation()) ?? {}) as { status?: number }
    expect([what, status < 300]).toEqual([what, true])
    await server.deps.idle.ended()
    expect([what, await findingsIn(path)]).toEqual([what, []])
  }
})

async function bring(server: TestServer, id: number): Promise<void> {
  const file = await (await server.ask(`/api/adventures/${id}/export?format=json`)).arrayBuffer()
  expect((await server.ask('/api/import?apply=1', { method: 'POST', body: file })).status).toBe(201)
}

test('an intact library is reported in numbers, with exit code 0, and nothing in its folder changes', async () => {
  const path = played()
  copyLibrary(path, join(copiesFolder(path), 'library.2026-03-01.db'))
  const before = filesIn(dirname(path))
  const { code, said } = await doctor(path)
  expect(filesIn(dirname(path))).toEqual(before)
  for (const line of [
    `Library: ${path}`,
    'Inglenook 0.1.0, SQLite 3.',
    'schema 45, journal wal.',
    'Inglenook is not running on it',
    'Copies: 1. The newest is ',
    'Adventure 1: no stats.',
    'Adventure 2: 2 turns audited, 3 versions judged again, 0 breaks.',
    'No problems found.',
  ])
    expect(said).toContain(line)
  expect(code).toBe(0)
})

test('a problem is reported with advice and exit code 1, as text and as JSON, and nothing changes', async () => {
  const path = played()
  spoil(path, 'DELETE FROM search_indexed')
  const before = filesIn(dirname(path))
  const { code, said } = await doctor(path)
  expect([code, said]).toEqual([1, expect.stringContaining('! the search index is out of date for')])
  const { findings } = JSON.parse((await doctor(path, '--json')).said)
  expect(findings).toEqual([{ check: 'search index', what: expect.any(String), advice: expect.any(String) }])
  expect(filesIn(dirname(path))).toEqual(before)
})

test('a library can be checked while it is in use, and a copy that is being sent is not a finding', async () => {
  const server = await startServer()
  mkdirSync(copiesFolder(server.path))
  writeFileSync(join(copiesFolder(server.path), 'library.sending-1.db'), 'on its way')
  const { code, said } = await doctor(server.path)
  expect([code, said]).toEqual([0, expect.stringContaining('No problems found.')])
  expect(said).toContain('Inglenook is running on it; /api/health at its address')
})

test('a library left by a killed service is read with its last changes', async () => {
  const path = played()
  const db = new Database(path)
  db.run('DELETE FROM search_indexed')
  const left = join(temporaryFolder(), 'library.db')
  for (const suffix of ['', '-wal', '-shm']) copyFileSync(path + suffix, left + suffix)
  db.close()
  expect(await foundIn(left)).toEqual(['search index'])
  rmSync(`${left}-shm`)
  const before = filesIn(dirname(left))
  expect((await doctor(left)).said).toContain('Start Inglenook once')
  expect(filesIn(dirname(left))).toEqual(before)
})

test('a file without a write-ahead journal is reported', async () => {
  const path = played()
  const db = new Database(path)
  db.run('PRAGMA journal_mode = DELETE')
  db.close()
  expect(await doctor(path)).toMatchObject({
    code: 0,
    said: expect.stringContaining('The next start gives the file a write-ahead journal.'),
  })
})

test('JSON that is not strict is reported but is not a problem', async () => {
  const path = played()
  spoil(path, `UPDATE adventures SET world_state = '{"luck": NaN}' WHERE id = 1`)
  const { code, said } = await doctor(path)
  expect([code, said]).toEqual([0, expect.stringContaining('adventures 1: "world_state" is not strict JSON')])
})

describe('a file that cannot be checked is reported in a sentence', () => {
  const files: [what: string, make: (path: string) => void, sentence: string][] = [
    ['nothing', () => {}, 'There is no library at '],
    ['an empty file', (path) => writeFileSync(path, ''), 'It is empty.'],
    ['a text', (path) => writeFileSync(path, 'Once upon a time. '.repeat(500)), 'It is not a database.'],
    [
      'another database',
      (path) => new Database(path).run('CREATE TABLE recipes (id)'),
      'not an Inglenook library',
    ],
    ['a folder', (path) => mkdirSync(path), 'must be a file'],
    [
      'stories as trees without their columns',
      (path) => leaveEarlierLibrary(path, { also: 'CREATE TABLE branches (id)', version: 57 }),
      'The column branches.adventure_id is missing.',
    ],
  ]
  for (const [what, make, sentence] of files)
    test(what, async () => {
      const path = join(temporaryFolder(), 'library.db')
      make(path)
      const { code, said } = await doctor(path)
      expect([code, said]).toEqual([1, expect.stringContaining(sentence)])
      expect(said.trim().split('\n')).toHaveLength(1)
      expect(said).toContain(path)
    })
})

test('the text of a cell is never printed, whatever is wrong with it', async () => {
  const path = played()
  const db = new Database(path)
  db.run('PRAGMA foreign_keys = OFF')
  const tables = db
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'schema_migrations'",
    )
    .all()
  for (const { name: table } of tables)
    for (const { name, type, pk } of db
      .query<{ name: string; type: string; pk: number }, [string]>(
        'SELECT name, type, pk FROM pragma_table_info(?)',
      )
      .all(table)) {
      const json = JSON.stringify({
        CANARY: 'CANARY',
        player: { CANARY: { initial: 'CANARY' } },
        npc: { CANARY: {} },
      })
      const value =
        name === 'variants' ? `[${json}]` : /JSON/.test(type) || name === 'prompt_notes' ? json : 'CANARY'
      // Keys must be unique, and a row needs its story.
      if (!pk && name !== 'adventure_id') db.query(`UPDATE ${table} SET "${name}" = ?`).run(value)
    }
  db.run("UPDATE settings SET endpoint_url = 'http://127.0.0.1:9/CANARY'")
  db.run("INSERT INTO prompt_parts VALUES ('CANARY', 'CANARY', 0, 'CANARY')")
  db.close()
  for (const args of [[], ['--json']]) {
    const { code, said } = await doctor(path, ...args)
    expect(code).toBe(1)
    expect(said.toUpperCase()).not.toContain('CANARY')
  }
})

test('data of the earlier release that cannot be used is reported', async () => {
  const path = join(temporaryFolder(), 'library.db')
  leaveEarlierLibrary(path, {
    version: 37,
    also: `UPDATE actions SET context_snapshot = 'SECRET {' WHERE id = 3; UPDATE memories SET embedding = '[NaN]' WHERE id = 1;
      PRAGMA foreign_keys = OFF; UPDATE actions SET adventure_id = 9 WHERE id IN (4, 5); UPDATE adventures SET scenario_id = 9`,
  })
  expect((await doctor(path)).said).toContain('Start Inglenook once')
  openLibrary(path).close()
  const { code, said } = await doctor(path)
  expect(code).toBe(1)
  for (const line of [
    '! adventures 1, 2: scenario_id refers to a missing row.',
    '! actions 4, 5: adventure_id refers to a missing row.',
    'memories 1: "embedding" is not strict JSON',
  ])
    expect(said).toContain(line)
  expect(said).not.toContain('SECRET')
})
