import { describe, expect, test } from 'bun:test'
import { applyRoll, canPay } from '../../../src/domain/checks/apply-roll.ts'
import { type Check, type Effects, readChecks } from '../../../src/domain/checks/check.ts'
import {
  bonusOf,
  difficultyOf,
  isPossible,
  type Roll,
  resolve,
  rollFrom,
} from '../../../src/domain/checks/roll.ts'
import { readRules } from '../../../src/domain/world/rules.ts'
import { instantiate, type StatSchema } from '../../../src/domain/world/state.ts'
import { schemaErrors } from '../../../src/domain/world/validate-schema.ts'

const LOCK = {
  dice: '2d6',
  stat: 'player.cunning',
  difficulties: [
    { name: 'easy', number: 7 },
    { name: 'hard', number: 12 },
  ],
  player_picks_difficulty: true,
  outcomes: [
    { name: 'success', from: 0 },
    { name: 'failure', effects: { 'flags.alarm': true, 'player.health': -40 } },
    { name: 'failure with a price', from: -3, effects: { 'player.health': -3 } },
    {
      name: 'great success',
      from: 4,
      effects: { 'player.locks': 1, 'milestones.in': true, 'world.mood': 'bold' },
    },
  ],
  reroll: { 'player.luck': -1 },
}

const SCHEMA: StatSchema = {
  world: { mood: { type: 'text', initial: 'calm', options: ['calm', 'bold'] } },
  player: {
    cunning: { initial: 2, min: 0, max: 9 },
    health: { initial: 10, min: 0, max: 10, max_delta_per_turn: 1, cooldown: 8 },
    luck: { initial: 2, min: 0, max: 3 },
    locks: { type: 'counter', initial: 0 },
  },
  flags: { alarm: { initial: false } },
  milestones: { in: { desc: 'Got in' } },
  checks: { 'Pick the lock': LOCK },
}

const CHECK = readChecks(SCHEMA)[0] as Check

function rolled(thrown: number[], difficulty = 'easy', bonus = 2): Roll {
  const found = difficultyOf(CHECK, difficulty) ?? CHECK.difficulties[0]
  return resolve({ check: CHECK, difficulty: found, thrown, bonus, schema: 'hash' })
}

describe('the outcome of a roll', () => {
  const cases: [thrown: number[], difficulty: string, total: number, outcome: string][] = [
    [[1, 1], 'easy', 4, 'failure with a price'],
    [[1, 1], 'hard', 4, 'failure'],
    [[3, 4], 'hard', 9, 'failure with a price'],
    [[2, 4], 'hard', 8, 'failure'],
    [[2, 3], 'easy', 7, 'success'],
    [[2, 2], 'easy', 6, 'failure with a price'],
    [[4, 4], 'easy', 10, 'success'],
    [[4, 5], 'easy', 11, 'great success'],
    [[6, 6], 'hard', 14, 'success'],
  ]
  for (const [thrown, difficulty, total, outcome] of cases)
    test(`${thrown.join(' + ')} + 2, ${difficulty}: ${outcome}`, () => {
      expect(rolled(thrown, difficulty)).toMatchObject({ total, outcome })
    })

  test('adds the stat as it is, and nothing where there is none', () => {
    const rules = readRules(SCHEMA)
    expect(bonusOf(CHECK, rules, instantiate(SCHEMA))).toBe(2)
    expect(bonusOf({ stat: null }, rules, instantiate(SCHEMA))).toBe(0)
    expect(bonusOf({ stat: 'player.gone' }, rules, instantiate(SCHEMA))).toBe(0)
    expect(bonusOf({ stat: 'world.mood' }, rules, instantiate(SCHEMA))).toBe(0)
  })

  test('the difficulty is that of the player only where the author allows it', () => {
    expect(difficultyOf(CHECK, 'hard')?.number).toBe(12)
    expect(difficultyOf(CHECK, undefined)?.name).toBe('easy')
    expect(difficultyOf(CHECK, 'no such')).toBeNull()
    expect(difficultyOf({ ...CHECK, player_picks_difficulty: false }, 'hard')?.name).toBe('easy')
  })

  test('without named outcomes there is failure and success', () => {
    const [plain] = readChecks({ checks: { Jump: { ...LOCK, outcomes: undefined } } })
    expect(plain?.outcomes.map(({ name, from }) => [name, from])).toEqual([
      ['failure', null],
      ['success', 0],
    ])
  })
})

describe('the effects of a roll', () => {
  const before = instantiate(SCHEMA)
  const apply = (effects: Effects, price: Effects = {}, rerolls = 0) =>
    applyRoll(SCHEMA, before, { effects, price, rerolls }, 7)
  const moves = (effects: Effects) =>
    apply(effects).verdicts.map((one) => [one.path, one.verdict, 'new' in one && one.new])

  test('know no cap and no cooldown, and start none', () => {
    const { after } = apply({ 'player.health': -4 })
    expect(after.player).toMatchObject({ health: 6 })
    expect(after._meta).toEqual({ last_changed: {} })
    expect(
      applyRoll(SCHEMA, after, { effects: { 'player.health': -4 }, price: {}, rerolls: 0 }, 9).after.player,
    ).toMatchObject({ health: 2 })
  })

  const cases: [Effects, unknown][] = [
    [{ 'player.health': -40 }, [['player.health', 'rolled', 0]]],
    [{ 'player.health': 5 }, []],
    [{ 'player.locks': 2 }, [['player.locks', 'rolled', 2]]],
    [{ 'player.locks': -2 }, []],
    [
      { 'flags.alarm': true, 'world.mood': 'bold' },
      [
        ['flags.alarm', 'rolled', true],
        ['world.mood', 'rolled', 'bold'],
      ],
    ],
    [{ 'milestones.in': true }, [['milestones.in', 'rolled', true]]],
    [{ 'milestones.in': false }, []],
    [{ 'player.gone': 3, 'world.mood': 'angry', 'player.luck': 'x' }, []],
  ]
  for (const [effects, expected] of cases)
    test(JSON.stringify(effects), () => {
      expect(moves(effects)).toEqual(expected as never)
    })

  test('a milestone keeps its turn', () => {
    expect(apply({ 'milestones.in': true }).after.milestones).toEqual({ in: { reached: true, at: 7 } })
  })

  test('the price is paid for each throw, and only from what is there', () => {
    const roll = { ...rolled([1, 1]), price: { 'player.luck': -1 } }
    expect(apply({}, { 'player.luck': -1 }, 2).after.player).toMatchObject({ luck: 0 })
    expect([0, 1, 2].map((rerolls) => canPay(SCHEMA, before, { ...roll, rerolls }))).toEqual([
      true,
      true,
      false,
    ])
    expect(canPay(SCHEMA, before, { price: {}, rerolls: 5 })).toBe(true)
  })
})

describe('a stored roll', () => {
  test('is read back as it was', () => {
    const roll = rolled([3, 4])
    expect(rollFrom(JSON.parse(JSON.stringify(roll)))).toEqual(roll)
    expect(isPossible(roll)).toBe(true)
  })

  const forged: [string, Partial<Record<keyof Roll, unknown>>][] = [
    ['another face', { thrown: [7, 4] }],
    ['one of the dice is missing', { thrown: [6] }],
    ['another sum', { total: 12 }],
    ['other dice', { dice: '1d20' }],
    ['unknown dice', { dice: '9d9' }],
    ['half a face', { thrown: [1.5, 2] }],
  ]
  for (const [what, change] of forged)
    test(`cannot have been thrown: ${what}`, () => {
      expect(isPossible({ ...rolled([3, 4]), ...change } as Roll)).toBe(false)
    })

  for (const wrong of [
    null,
    [],
    'x',
    {},
    { ...rolled([1, 2]), effects: { a: {} } },
    { ...rolled([1, 2]), check: 5 },
    { ...rolled([1, 2]), thrown: 'x' },
  ])
    test(`is none: ${JSON.stringify(wrong)?.slice(0, 40)}`, () => {
      expect(rollFrom(wrong)).toBeNull()
    })
})

describe('what is wrong with a check', () => {
  const errorsOf = (check: unknown) =>
    schemaErrors({ ...SCHEMA, checks: { 'Pick the lock': check } }).map(({ path }) =>
      path.replace('/checks/Pick the lock', ''),
    )

  const cases: [string, Record<string, unknown>, string[]][] = [
    ['nothing', {}, []],
    ['unknown dice', { dice: '4d4' }, ['/dice']],
    ['no dice', { dice: undefined }, ['/dice']],
    ['a stat that is not there', { stat: 'player.gone' }, ['/stat']],
    ['a text as the stat', { stat: 'world.mood' }, ['/stat']],
    ['no difficulty', { difficulties: [] }, ['/difficulties']],
    ['a difficulty without a number', { difficulties: [{ name: 'easy' }] }, ['/difficulties/0']],
    [
      'two difficulties of one name',
      { difficulties: [LOCK.difficulties[0], LOCK.difficulties[0]] },
      ['/difficulties'],
    ],
    ['no lowest outcome', { outcomes: [{ name: 'success', from: 0 }] }, ['/outcomes']],
    ['two outcomes at one margin', { outcomes: [{ name: 'a' }, { name: 'b' }] }, ['/outcomes']],
    ['an outcome without a name', { outcomes: [{ name: '' }] }, ['/outcomes/0']],
    [
      'an effect on nothing',
      { outcomes: [{ name: 'a', effects: { 'player.gone': 1 } }] },
      ['/outcomes/0/effects/player.gone'],
    ],
    [
      'words for a number',
      { outcomes: [{ name: 'a', effects: { 'player.luck': 'much' } }] },
      ['/outcomes/0/effects/player.luck'],
    ],
    [
      'a counter that goes down',
      { outcomes: [{ name: 'a', effects: { 'player.locks': -1 } }] },
      ['/outcomes/0/effects/player.locks'],
    ],
    [
      'a milestone that is lost',
      { outcomes: [{ name: 'a', effects: { 'milestones.in': false } }] },
      ['/outcomes/0/effects/milestones.in'],
    ],
    [
      'a value that is not allowed',
      { outcomes: [{ name: 'a', effects: { 'world.mood': 'odd' } }] },
      ['/outcomes/0/effects/world.mood'],
    ],
    ['a price in flags', { reroll: { 'flags.alarm': true } }, ['/reroll/flags.alarm']],
    ['a price that is no list of changes', { reroll: 3 }, ['/reroll']],
    ['a choice that is neither yes nor no', { player_picks_difficulty: 'yes' }, ['/player_picks_difficulty']],
  ]
  for (const [what, change, expected] of cases)
    test(what, () => {
      expect(errorsOf({ ...LOCK, ...change })).toEqual(expected)
    })

  test('not an object, and too many', () => {
    expect(errorsOf('x')).toEqual([''])
    expect(schemaErrors({ checks: [] })).toEqual([{ path: '/checks', message: 'must be an object' }])
    const many = Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`check ${i}`, LOCK]))
    expect(schemaErrors({ ...SCHEMA, checks: many }).map(({ path }) => path)).toEqual(['/checks'])
  })

  test('whatever is in a file, reading it never throws', () => {
    for (const checks of [
      null,
      3,
      [],
      { a: null },
      { a: { dice: '1d20', difficulties: 4 } },
      { a: { dice: '1d20', difficulties: [3, null, { name: 'x' }] } },
    ])
      expect(readChecks({ checks })).toEqual([])
  })
})
