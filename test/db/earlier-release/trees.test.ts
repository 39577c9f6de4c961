import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { isoTime } from '../../../src/db/column-values.ts'
import { WRITE_PRAGMAS } from '../../../src/db/connections.ts'
import { convertTrees } from '../../../src/db/earlier-release/convert-trees.ts'
import { isIntact } from '../../../src/db/library/trial-copy.ts'
import { upgrade } from '../../../src/db/library/upgrade.ts'
import { runs } from '../../support/depth.ts'
import { faultsForTheEarlierRelease } from '../../support/earlier/reader.ts'
import { writeTrees } from '../../support/earlier/tree-library.ts'
import { TREE_VERSIONS } from '../../support/earlier/tree-schema.ts'
import type { ExpectedLine, TreeOperation } from '../../support/earlier/tree-story.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const operation: fc.Arbitrary<TreeOperation> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ do: 'play' as const }) },
  { weight: 3, arbitrary: fc.constant({ do: 'retry' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('switch' as const), to: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('go back' as const), turns: fc.nat(6) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('name' as const), name: fc.constantFrom('North', 'South') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remember' as const), passages: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'note' as const }) },
)

const stories = fc.array(fc.array(operation, { maxLength: 40 }), { minLength: 1, maxLength: 3 })

describe('every line, attempt, world state and memory of a story as a tree is there after the conversion', () => {
  for (const version of TREE_VERSIONS)
    for (const made of ['new', 'brought'] as const)
      test(`version ${version}, ${made === 'new' ? 'made so' : 'brought from 45'}`, () => {
        fc.assert(
          fc.property(stories, (operations) => {
            const folder = temporaryFolder()
            const { db: trees, written } = writeTrees(join(folder, 'library.db'), {
              version,
              made,
              operations,
            })
            using _ = trees
            const converted = convertTrees(trees, join(folder, 'converted.db'), new Date())
            using db = new Database(join(folder, 'converted.db'), { readwrite: true, create: false })
            for (const pragma of WRITE_PRAGMAS) db.run(`PRAGMA ${pragma}`)
            upgrade(db)
            const expected = written.map((story) => story.expected())
            const branches = expected.reduce((sum, { others }) => sum + others.length, 0)
            expect(converted).toContain(`${operations.length} stor`)
            expect(converted.includes(`${branches} other branch`)).toBe(branches > 0)
            for (const [at, { head, others }] of expected.entries()) expectFamily(db, at + 1, head, others)
            expect(faultsForTheEarlierRelease(db)).toEqual([])
            expect(isIntact(db)).toBe(true)
            expect(
              db.query("SELECT 1 FROM sqlite_schema WHERE sql LIKE '%branch_id%' OR name = 'branches'").all(),
            ).toEqual([])
          }),
          { numRuns: runs(20), includeErrorInReport: true },
        )
      })
})

interface AdventureRow {
  id: number
  title: string
  family: number | null
  branched_from: number | null
  branched_at: number | null
  branch_name: string | null
  main_branch: number | null
  world_state: string
}

function expectFamily(db: Database, id: number, head: ExpectedLine, others: ExpectedLine[]): void {
  const all = db
    .query<AdventureRow, [number]>(
      `SELECT * FROM adventures WHERE id = ?1 OR family = (SELECT family FROM adventures WHERE id = ?1) ORDER BY id`,
    )
    .all(id)
  const [own, ...branches] = [...all.filter((row) => row.id === id), ...all.filter((row) => row.id !== id)]
  const endOf = (line: ExpectedLine) => line.actions.at(-1)?.text
  const byEnd = new Map(branches.map((row) => [lineOf(db, row.id).actions.at(-1)?.text, row]))
  expect([...byEnd.keys()].sort()).toEqual(others.map(endOf).sort())
  expect(lineOf(db, id)).toEqual({ ...head, name: null })
  for (const line of others) {
    const row = byEnd.get(endOf(line))
    expect({ ...lineOf(db, row?.id ?? 0), name: null }).toEqual({ ...line, name: null })
    const last = line.actions.at(-1)
    const told = last?.takes[last.live]?.world
    if (told) expect(JSON.parse(row?.world_state ?? '')).toEqual(told)
    expectLeft(db, row, line)
  }
  expect([own?.main_branch, own?.branched_from]).toEqual([others.length > 0 ? 1 : null, null])
}

/** A branch shares its beginning with the adventure that it left, and nothing after it. */
function expectLeft(db: Database, row: AdventureRow | undefined, { name, actions }: ExpectedLine): void {
  const from = lineOf(db, row?.branched_from ?? 0).actions
  const shared = (row?.branched_at ?? -1) + 1
  const texts = (list: ExpectedLine['actions']) => list.slice(0, shared).map(({ text }) => text)
  expect(texts(actions)).toEqual(texts(from))
  expect(actions[shared]?.text).not.toBe(from[shared]?.text)
  expect(row?.title).toEndWith(`: ${row?.branch_name}`)
  if (name === null) expect(row?.branch_name).not.toBe('')
}

/** A line as the tables have it. */
function lineOf(db: Database, id: number): ExpectedLine {
  const actions = db
    .query<Record<string, string>, [number]>('SELECT * FROM actions WHERE adventure_id = ? ORDER BY "index"')
    .all(id)
  expect(actions.map((row) => Number(row.index))).toEqual(actions.map((_, i) => i))
  const memories = db
    .query<ExpectedLine['memories'][0], [number]>(
      'SELECT text, source_start AS start, source_end AS "end" FROM memories WHERE adventure_id = ? ORDER BY id',
    )
    .all(id)
  return {
    name: null,
    actions: actions.map(
      ({ type = '', text = '', world_state_before, variants, variant_index, created_at }) => ({
        type,
        text,
        before: JSON.parse(world_state_before ?? 'null'),
        takes: (JSON.parse(variants ?? 'null') ?? []).map(
          (one: { text: string; world_state: { state: object }; created_at: string }) => ({
            text: one.text,
            world: one.world_state.state,
            at: one.created_at,
          }),
        ),
        live: Number(variant_index),
        at: isoTime(created_at ?? ''),
      }),
    ),
    memories,
  }
}
