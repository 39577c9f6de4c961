import { expect, test } from 'bun:test'
import { checkFrom, effectsText, outcomeLines, withFullPaths } from '../../../src/domain/checks/check-form.ts'

const read = (fields: Record<string, string>) =>
  checkFrom((field) => ({ dice: '1d20', ...fields })[field], { desc: 'kept' })

const difficulties: [string, unknown][] = [
  ['hard 15', { name: 'hard', number: 15 }],
  ['very hard: 18', { name: 'very hard', number: 18 }],
  ['15 hard', { name: 'hard', number: 15 }],
  ['hard', 'hard'],
  ['15', '15'],
]
for (const [line, expected] of difficulties)
  test(`the difficulty “${line}”`, () => {
    expect(read({ difficulties: `${line}\n\n` }).difficulties).toEqual([expected])
  })

const outcomes: [string, unknown][] = [
  ['failure', { name: 'failure' }],
  ['0 success', { name: 'success', from: 0 }],
  [
    '−3 failure with a price: player.health −2',
    { name: 'failure with a price', from: -3, effects: { 'player.health': -2 } },
  ],
  [
    '5 great: flags.door open yes; milestones.in; world.mood = very calm',
    {
      name: 'great',
      from: 5,
      effects: { 'flags.door open': true, 'milestones.in': true, 'world.mood': 'very calm' },
    },
  ],
  ['failure: player.health much', { name: 'failure', effects: { 'player.health much': true } }],
]
for (const [line, expected] of outcomes)
  test(`the outcome “${line}”`, () => {
    expect(read({ outcomes: line }).outcomes).toEqual([expected])
  })

test('what is stored comes back from its lines', () => {
  const stored = [
    { name: 'failure', effects: { 'player.health': -2, 'flags.alarm': false } },
    { name: 'success', from: 0, effects: { 'player.coins': 3, 'milestones.in': true, 'world.mood': 'bold' } },
  ]
  expect(read({ outcomes: outcomeLines(stored) }).outcomes).toEqual(stored)
  expect(effectsText({ 'player.coins': 3 })).toBe('player.coins +3')
})

test('the price of rolling again: none, free, or some stats', () => {
  expect(read({ reroll: '' }).reroll).toBeUndefined()
  expect(read({ reroll: 'Free' }).reroll).toEqual({})
  expect(read({ reroll: 'player.luck -1' }).reroll).toEqual({ 'player.luck': -1 })
})

test('what the form does not show is kept', () => {
  expect(read({}).desc).toBe('kept')
  expect(checkFrom(() => undefined, { dice: '2d6' })).toEqual({ dice: '2d6' })
})

test('a name stands for the one thing that has it, and comes back as its path', () => {
  const schema = {
    player: { 'Lamp Oil': {}, nerve: { label: 'Courage' } },
    npcs: { ysolde: { name: 'Ysolde', stats: { trust: {} } }, odile: { stats: { trust: {} } } },
    flags: { alarm: {} },
  }
  const check = read({
    stat: 'lamp oil',
    outcomes: 'failure: Courage -1; Alarm yes; trust -1; nothing -1\n0 success: Ysolde.Trust +1',
    reroll: 'player.nerve -1',
  })
  expect(withFullPaths({ climb: check, odd: 5 }, schema, new Map())).toEqual({
    odd: 5,
    climb: {
      ...check,
      stat: 'player.Lamp Oil',
      outcomes: [
        {
          name: 'failure',
          effects: { 'player.nerve': -1, 'flags.alarm': true, trust: -1, nothing: -1 },
        },
        { name: 'success', from: 0, effects: { 'npc.ysolde.trust': 1 } },
      ],
      reroll: { 'player.nerve': -1 },
    },
  })
})
