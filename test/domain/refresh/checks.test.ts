import { expect, test } from 'bun:test'
import { applyWorldChanges } from '../../../src/domain/refresh/apply-world-changes.ts'
import { compareWorld } from '../../../src/domain/refresh/compare-world.ts'
import { instantiate, type StatSchema } from '../../../src/domain/world/state.ts'

const check = (number: number) => ({ dice: '1d20', difficulties: [{ name: 'even', number }] })
const stats = { player: { nerve: { initial: 3 } } }
const OLD: StatSchema = { ...stats, checks: { Jump: check(10), Swim: check(10), Climb: check(10) } }
const NEW: StatSchema = { ...stats, checks: { Jump: check(10), Climb: check(15), Hide: check(12) } }

const cases: [string, StatSchema | null, StatSchema, [path: string, what: string][]][] = [
  [
    'added, changed and removed',
    OLD,
    NEW,
    [
      ['checks.Climb', 'changed'],
      ['checks.Hide', 'added'],
      ['checks.Swim', 'removed'],
    ],
  ],
  ['unchanged', OLD, OLD, []],
  ['the first ones', stats, { ...stats, checks: { Jump: check(10) } }, [['checks.Jump', 'added']]],
  ['in a story without stats', null, { checks: { Jump: check(10) } }, [['checks.Jump', 'added']]],
]
for (const [what, old, next, expected] of cases)
  test(`checks are compared one by one: ${what}`, () => {
    const { changes } = compareWorld(old, next, instantiate(old))
    expect(
      changes.map((one) => [one.path, one.old === null ? 'added' : one.new === null ? 'removed' : 'changed']),
    ).toEqual(expected)
  })

const skips: [string[], string[]][] = [
  [[], ['Jump', 'Climb', 'Hide']],
  [['checks.Swim'], ['Jump', 'Swim', 'Climb', 'Hide']],
  [
    ['checks.Hide', 'checks.Climb'],
    ['Jump', 'Climb'],
  ],
]
for (const [skip, expected] of skips)
  test(`a skipped check stays as it was: ${skip.join(', ') || 'none'}`, () => {
    const story = { schema: OLD, state: instantiate(OLD) }
    const { changes } = compareWorld(OLD, NEW, story.state)
    const { schema } = applyWorldChanges(story, NEW, changes, (path) => !skip.includes(path))
    const checks = schema.checks as Record<string, object>
    expect(Object.keys(checks).sort()).toEqual(expected.toSorted())
    expect(checks.Climb).toEqual(check(skip.includes('checks.Climb') ? 10 : 15))
  })

test('stats that are kept stay while the checks are taken', () => {
  const next: StatSchema = { checks: { Jump: check(10) } }
  const story = { schema: stats, state: instantiate(stats) }
  const { changes } = compareWorld(stats, next, story.state)
  const after = applyWorldChanges(story, next, changes, (path) => path.startsWith('checks.'))
  expect(after).toEqual({
    schema: { world: {}, ...stats, npcs: {}, flags: {}, milestones: {}, ...next },
    state: story.state,
  })
})
