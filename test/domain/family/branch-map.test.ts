import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { branchTitle, type StoryBranch, suggestedName } from '../../../src/domain/family/branch.ts'
import {
  LANE_HEIGHT,
  lanesOf,
  lastShared,
  originOf,
  scaleOf,
  shapeOf,
} from '../../../src/domain/family/branch-map.ts'

const branch = (id: number, from: number | null, at: number | null, count = 20): StoryBranch => ({
  id,
  title: `Story ${id}`,
  branch_name: '',
  branch_color: 0,
  main_branch: from === null,
  branched_from: from,
  branched_at: at,
  action_count: count,
  updated_at: '2026-01-01T00:00:00.000Z',
})

/** A random family: each branch leaves an older one at one of its actions. */
const families = fc
  .array(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 9 })), { maxLength: 20 })
  .map((drawn) => {
    const all = [branch(1, null, null)]
    for (const [whom, where, more] of drawn) {
      const parent = all[whom % all.length] ?? branch(1, null, null)
      const own = (parent.branched_at ?? -1) + 1
      const at = own + (where % (parent.action_count - own))
      all.push(branch(all.length + 1, parent.id, at, at + 1 + more))
    }
    return all
  })

describe('the map', () => {
  test('has one lane for each branch, below the one that it left', () => {
    fc.assert(
      fc.property(families, (family) => {
        const lanes = lanesOf(family)
        expect(lanes.map(({ branch: { id } }) => id).sort((a, b) => a - b)).toEqual(
          family.map(({ id }) => id),
        )
        for (const { branch: own, row, parentRow } of lanes) {
          expect(lanes[parentRow ?? -1]?.branch.id ?? null).toBe(own.branched_from)
          if (parentRow !== null) expect(parentRow).toBeLessThan(row)
        }
      }),
    )
  })

  test('crosses no lane with the line between a branch and the one that it left', () => {
    fc.assert(
      fc.property(families, (family) => {
        const lanes = lanesOf(family)
        for (const { row, parentRow, from } of lanes)
          for (const between of lanes.slice((parentRow ?? row) + 1, row))
            expect(between.from).toBeGreaterThanOrEqual(from)
      }),
    )
  })

  test('shows a branch of a deleted story, and one that another program made its own ancestor', () => {
    expect(lanesOf([branch(5, null, null), branch(7, 5, 3)])).toHaveLength(2)
    expect(lanesOf([branch(1, 2, 3), branch(2, 1, 4), branch(3, 2, 1)])).toHaveLength(3)
  })
})

test('a lane is joined to the one that it left, and in a map of many branches to the beginning', () => {
  const joins = (count: number) => {
    const lanes = lanesOf([
      branch(1, null, null),
      ...Array.from({ length: count }, (_, i) => branch(i + 2, 1, 4)),
    ])
    const scale = scaleOf(lanes)
    return lanes.map((lane) => shapeOf(lane, scale)).map(({ join, y }) => join && [join.x, join.y - y])
  }
  expect(joins(2)).toEqual([null, [expect.any(String), -LANE_HEIGHT], [expect.any(String), -2 * LANE_HEIGHT]])
  expect(joins(12)).toEqual([null, ...Array.from({ length: 12 }, () => ['4.00%', 0])])
})

test.each([
  { one: 1, other: 2, shared: 9 },
  { one: 2, other: 3, shared: 4 },
  { one: 3, other: 4, shared: 6 },
  { one: 4, other: 2, shared: 4 },
  { one: 4, other: 4, shared: 19 },
  { one: 4, other: 9, shared: -1 },
])('branches $one and $other share the story up to passage $shared', ({ one, other, shared }) => {
  const family = [branch(1, null, null), branch(2, 1, 9), branch(3, 1, 4), branch(4, 3, 6)]
  expect(lastShared(family, one, other)).toBe(shared)
  expect(lastShared(family, other, one)).toBe(shared)
})

test.each([
  { id: 4, index: 12, origin: 4 },
  { id: 4, index: 6, origin: 3 },
  { id: 4, index: 4, origin: 1 },
  { id: 1, index: 4, origin: 1 },
])('passage $index of branch $id belongs to branch $origin', ({ id, index, origin }) => {
  const family = [branch(1, null, null), branch(3, 1, 4), branch(4, 3, 6)]
  expect(originOf(family, id, index)).toBe(origin)
})

test.each([
  { title: 'The Nine Bells', branch_name: '', name: 'at the tower', becomes: 'The Nine Bells: at the tower' },
  { title: 'Bells: at the tower', branch_name: 'at the tower', name: 'the key', becomes: 'Bells: the key' },
  { title: 'Renamed', branch_name: 'at the tower', name: 'the key', becomes: 'Renamed: the key' },
])('a branch of "$title" is called "$becomes"', ({ becomes, name, ...from }) => {
  expect(branchTitle(from, name)).toBe(becomes)
})

test.each([
  ['> You take the key, and thank her.', 'You take the key'],
  ['A coal shifts in some unseen grate.', 'A coal shifts'],
  ['You walk out of the old red gate.', 'You walk out'],
  ['You open every small wooden box slowly.', 'You open every small wooden box'],
  ['The ferry leaves the far landing at dawn.', 'The ferry leaves'],
  ['The *lamp* goes out.', 'The lamp goes out'],
  ['**Night**', 'Night'],
  ['It rains. You wait.', 'It rains'],
  ['', ''],
])('%j suggests the name %j', (text, name) => {
  expect(suggestedName(text)).toBe(name)
})
