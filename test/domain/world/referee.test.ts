import { describe, expect, test } from 'bun:test'
import { applyManualChange } from '../../../src/domain/world/manual-change.ts'
import { referee, type Verdict } from '../../../src/domain/world/referee.ts'
import { instantiate, type StatSchema, type WorldState } from '../../../src/domain/world/state.ts'
import { HALCYON_DEEP, LANTERN_ROCK, SALT_TRIBUNAL } from '../../support/stories/worlds.ts'

const valueAt = (state: WorldState, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((holder, key) => (holder as Record<string, unknown> | undefined)?.[key], state)

/** One change from a fresh state at index 4: the value after it, and the verdict with its reason. */
const one = (schema: StatSchema, path: string, asked: unknown, before = instantiate(schema), turn = 4) => {
  const { after, verdicts } = referee(schema, before, { [path]: asked }, turn)
  const [verdict] = verdicts
  return {
    after,
    verdict,
    words: verdict ? [verdict.verdict, verdict.reason].filter(Boolean).join(': ') : 'nothing',
  }
}
const rock: StatSchema = LANTERN_ROCK
const tribunal: StatSchema = SALT_TRIBUNAL
const deep: StatSchema = HALCYON_DEEP

describe('one change of a fresh world', () => {
  const cases: [schema: StatSchema, path: string, asked: unknown, value: unknown, words: string][] = [
    // Numbers.
    [rock, 'player.warmth', -6, 26, 'applied'],
    [rock, 'player.warmth', -13, 24, 'limited: at most 8 a turn'],
    [rock, 'world.sea', 9, 7, 'limited: at most 3 a turn'],
    [tribunal, 'world.gallery', 99, 10, 'limited: 10 is the most'],
    [tribunal, 'world.gallery', -99, -10, 'limited: -10 is the least'],
    [rock, 'player.warmth', 0, 32, 'nothing'],
    [rock, 'player.warmth', ' -5 ', 27, 'applied'],
    [rock, 'player.warmth', '−5', 27, 'applied'],
    [rock, 'player.warmth', '1_000', 32, 'refused: not a number'],
    [rock, 'player.warmth', '0x10', 32, 'refused: not a number'],
    [rock, 'player.warmth', '', 32, 'refused: not a number'],
    [rock, 'player.warmth', 'nan', 32, 'refused: not a number'],
    [rock, 'player.warmth', Number.NaN, 32, 'refused: not a number'],
    [rock, 'player.lamp_oil', Number.POSITIVE_INFINITY, 18, 'refused: not a number'],
    [rock, 'player.lamp_oil', '1e999', 18, 'refused: not a number'],
    [rock, 'player.warmth', Number.POSITIVE_INFINITY, 32, 'refused: not a number'],
    [rock, 'player.lamp_oil', 1e30, Number.MAX_SAFE_INTEGER, 'limited: no larger number is kept'],
    [rock, 'player.warmth', true, 32, 'refused: not a number'],
    [rock, 'player.warmth', null, 32, 'refused: not a number'],
    [rock, 'player.warmth', [1], 32, 'refused: not a number'],
    [rock, 'player.warmth', { d: 1 }, 32, 'refused: not a number'],
    [rock, 'player.warmth', -0.5, 31.5, 'applied'],
    [tribunal, 'player.standing', 0.4, 0.6, 'limited: at most 0.1 a turn'],
    [tribunal, 'player.debt', -1000, -1000, 'applied'],
    [tribunal, 'npc.juror_3.doubt', 18, 20, 'limited: 20 is the most'],
    [tribunal, 'npc.juror_3.doubt', -18, 16, 'limited: at most 4 a turn'],
    [deep, 'player.crew_size', -1, 3, 'limited: at most 0 a turn'],
    [deep, 'player.pressure', 7, 7, 'applied'],
    // Counters.
    [rock, 'world.night', -1, 1, "refused: counter can't decrease"],
    [rock, 'world.night', 1, 2, 'applied'],
    [rock, 'world.night', 5, 2, 'limited: at most 1 a turn'],
    [tribunal, 'world.recess', '2', 2, 'applied'],
    [tribunal, 'npc.clerk.bribes', 5, 3, 'limited: 3 is the most'],
    // Texts.
    [rock, 'player.coat', 'soaked oilskin', 'soaked oilskin', 'applied'],
    [rock, 'player.coat', 5, 'tarred canvas coat', 'refused: not a string'],
    [rock, 'player.coat', null, 'tarred canvas coat', 'refused: not a string'],
    [rock, 'player.coat', 'tarred canvas coat', 'tarred canvas coat', 'nothing'],
    [rock, 'player.coat', `  ${'a'.repeat(50)} `, 'a'.repeat(24), 'limited: at most 24 characters'],
    [rock, 'player.coat', '🦊'.repeat(30), '🦊'.repeat(24), 'limited: at most 24 characters'],
    [rock, 'player.coat', '', '', 'applied'],
    // Flags and milestones.
    [rock, 'flags.door_barred', true, true, 'applied'],
    [rock, 'flags.door_barred', false, false, 'nothing'],
    [rock, 'flags.door_barred', 1, false, 'refused: not a boolean'],
    [rock, 'flags.door_barred', 'true', true, 'corrected: written as text, meant as true'],
    [rock, 'flags.fog', true, undefined, 'refused: unknown flag'],
    [rock, 'milestones.signal_sent', true, { reached: true, at: 4 }, 'applied'],
    [rock, 'milestones.signal_sent', false, undefined, 'refused: not true'],
    [rock, 'milestones.signal_sent', 1, undefined, 'refused: not true'],
    [rock, 'milestones.signal_sent', 'true', undefined, 'refused: not true'],
    [rock, 'milestones.sunrise', true, undefined, 'refused: unknown milestone'],
    // The cast, and names.
    [rock, 'npc.ottoline.faith', 6, 11, 'applied'],
    [rock, 'npc.gull.faith', 1, undefined, 'refused: unknown npc stat'],
    [rock, 'npc.kraken.mood', 1, undefined, 'refused: unknown npc'],
    [rock, 'player.stamina', 1, undefined, 'refused: unknown stat'],
    [rock, 'bogus', 1, undefined, 'refused: unknown path'],
    [rock, 'player.hp.x', 1, undefined, 'refused: unknown stat'],
    [rock, 'npc.ottoline', 1, { faith: 5, wound: '' }, 'refused: unknown path'],
  ]
  for (const [schema, path, asked, value, words] of cases)
    test(`${path} ${JSON.stringify(asked) ?? asked}: ${words}`, () => {
      const result = one(schema, path, asked)
      expect(result.words).toBe(words)
      expect(valueAt(result.after, path)).toEqual(value)
    })
})

describe('names that models write', () => {
  const cases: [written: string, path: string | null][] = [
    ['npc.Ottoline Marsh.faith', 'npc.ottoline.faith'],
    ['npc.Ottoline.faith', 'npc.ottoline.faith'],
    ['npcs.ottoline.faith', 'npc.ottoline.faith'],
    ['Ottoline Marsh.faith', 'npc.ottoline.faith'],
    ['Player.Warmth', 'player.warmth'],
    [' player.warmth ', 'player.warmth'],
    ['player . warmth', 'player.warmth'],
    ['warmth', 'player.warmth'],
    ['lamp oil', 'player.lamp_oil'],
    ['PLAYER.LAMP-OIL', 'player.lamp_oil'],
    ['player.__proto__', null],
    ['player.constructor', null],
    ['flags.toString', null],
    ['__proto__', null],
    ['npc.__proto__.faith', null],
  ]
  for (const [written, path] of cases)
    test(`${written} is ${path ?? 'nothing'}`, () => {
      const delta = JSON.parse(`{${JSON.stringify(written)}: 2}`)
      const [verdict] = referee(rock, instantiate(rock), delta, 4).verdicts
      if (path === null) expect(verdict).toMatchObject({ verdict: 'refused', path: written })
      else expect(verdict).toMatchObject({ verdict: 'corrected', path, reason: `written as “${written}”` })
    })

  test('a name that two paths share is refused', () => {
    const twins: StatSchema = { world: { mood: {} }, player: { mood: {} } }
    expect(one(twins, 'mood', 1).words).toBe('refused: unknown path')
  })
  test('two spellings of one path are one change, the later one', () => {
    const { after, verdicts } = referee(rock, instantiate(rock), { 'player.warmth': -8, warmth: -3 }, 4)
    expect(valueAt(after, 'player.warmth')).toBe(29)
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['refused', 'corrected'])
  })
  test('one bad key stops no other', () => {
    const { after } = referee(rock, instantiate(rock), { bogus: 1, 'player.warmth': -2 }, 4)
    expect(valueAt(after, 'player.warmth')).toBe(30)
  })
  test('more changes than any scene brings are refused as one', () => {
    const delta = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`player.x${i}`, 1]))
    const { verdicts } = referee(rock, instantiate(rock), delta, 4)
    expect(verdicts).toHaveLength(201)
    expect(verdicts.at(-1)).toMatchObject({ verdict: 'refused', reason: 'too many changes' })
  })
})

describe('over several turns', () => {
  test('a wound past zero stops at zero and says so', () => {
    let state = instantiate(rock)
    const seen: unknown[] = []
    let last: Verdict | undefined
    for (const turn of [2, 4, 6, 8, 10]) {
      const { after, verdicts } = referee(rock, state, { 'player.warmth': -8 }, turn)
      state = after
      last = verdicts[0]
      seen.push(valueAt(state, 'player.warmth'))
    }
    expect(seen).toEqual([24, 16, 8, 0, 0])
    expect(last).toEqual({
      verdict: 'limited',
      path: 'player.warmth',
      asked: -8,
      given: 0,
      old: 0,
      new: 0,
      reason: '0 is the least',
    })
  })
  test('a tenth three times is three tenths', () => {
    const schema: StatSchema = { player: { luck: {} } }
    let state = instantiate(schema)
    for (const turn of [1, 2, 3]) state = referee(schema, state, { 'player.luck': 0.1 }, turn).after
    expect(valueAt(state, 'player.luck')).toBe(0.3)
    expect(
      Object.is(valueAt(referee(schema, state, { 'player.luck': -0.3 }, 4).after, 'player.luck'), 0),
    ).toBe(true)
  })

  const rests: [what: string, path: string, asked: unknown, changedAt: number, turns: [number, string][]][] =
    [
      [
        'a cooldown of 2',
        'world.sea',
        1,
        4,
        [
          [5, 'refused: cooldown'],
          [6, 'applied'],
        ],
      ],
      [
        'a cooldown of 3 on a text',
        'player.coat',
        'oilskin',
        7,
        [
          [9, 'refused: cooldown'],
          [10, 'applied'],
        ],
      ],
    ]
  for (const [what, path, asked, changedAt, turns] of rests)
    test(`${what} counts from the change`, () => {
      const changed = one(
        rock,
        path,
        typeof asked === 'string' ? 'furs' : asked,
        instantiate(rock),
        changedAt,
      ).after
      for (const [turn, words] of turns) expect(one(rock, path, asked, changed, turn).words).toBe(words)
    })
  test('what is refused or does not move begins no rest', () => {
    const changed = one(rock, 'world.sea', 1).after
    const refused = one(rock, 'world.sea', 1, changed, 5).after
    expect(one(rock, 'world.sea', 1, refused, 6).words).toBe('applied')
    const stuck = one(tribunal, 'npc.juror_3.doubt', 2).after
    expect(one(tribunal, 'npc.juror_3.doubt', -2, stuck, 5).words).toBe('applied')
  })
  test('the kind of a value is looked at before its rest', () => {
    const changed = one(rock, 'world.sea', 1).after
    expect(one(rock, 'world.sea', 'rough', changed, 5).words).toBe('refused: not a number')
  })
  test('a stamp from a time to come is left from turns that were undone', () => {
    const changed = one(rock, 'world.sea', 1, instantiate(rock), 90).after
    expect(one(rock, 'world.sea', 1, changed, 4).words).toBe('applied')
  })
  test('a milestone keeps its turn', () => {
    const reached = one(rock, 'milestones.signal_sent', true, instantiate(rock), 9).after
    const again = one(rock, 'milestones.signal_sent', true, reached, 11)
    expect(again.words).toBe('nothing')
    expect(valueAt(again.after, 'milestones.signal_sent')).toEqual({ reached: true, at: 9 })
  })
})

describe('keys of our own', () => {
  const schema: StatSchema = {
    player: {
      pulse: { initial: 10, max_gain_per_turn: 2, max_loss_per_turn: 8 },
      secret: { initial: 1, hidden: true },
      stance: { type: 'text', initial: 'calm', options: ['calm', 'Wary', 'angry'] },
    },
  }
  const cases: [path: string, asked: unknown, value: unknown, words: string][] = [
    ['player.pulse', 5, 12, 'limited: at most 2 a turn'],
    ['player.pulse', -20, 2, 'limited: at most 8 a turn'],
    ['player.secret', 1, 1, 'refused: unknown stat'],
    ['player.stance', ' wary', 'Wary', 'applied'],
    ['player.stance', 'furious', 'calm', 'refused: not an option'],
  ]
  for (const [path, asked, value, words] of cases)
    test(`${path} ${asked}: ${words}`, () => {
      const result = one(schema, path, asked)
      expect([valueAt(result.after, path), result.words]).toEqual([value, words])
    })
  test('a hidden stat obeys its player', () =>
    expect(
      valueAt(applyManualChange(schema, instantiate(schema), { 'player.secret': 5 }).after, 'player.secret'),
    ).toBe(5))
})

describe('by hand', () => {
  const set = (values: Record<string, unknown>, before = instantiate(rock)) =>
    applyManualChange(rock, before, values)
  const cases: [path: string, value: unknown, stands: unknown, words: string][] = [
    ['player.warmth', 3, 3, 'manual'],
    ['player.warmth', 99, 40, 'manual: 40 is the most'],
    ['player.warmth', 'abc', 32, 'refused: not a number'],
    ['player.warmth', '', 32, 'refused: not a number'],
    ['player.warmth', 32, 32, 'nothing'],
    ['player.coat', ' furs ', 'furs', 'manual'],
    ['flags.lamp_lit', false, false, 'manual'],
    ['flags.lamp_lit', 'false', true, 'refused: not a boolean'],
    ['milestones.signal_sent', true, { reached: true }, 'manual'],
    ['npc.kraken.mood', 1, undefined, 'refused: unknown npc'],
  ]
  for (const [path, value, stands, words] of cases)
    test(`${path} to ${JSON.stringify(value)}: ${words}`, () => {
      const { after, verdicts } = set({ [path]: value })
      const [verdict] = verdicts
      expect(valueAt(after, path)).toEqual(stands)
      expect(verdict ? [verdict.verdict, verdict.reason].filter(Boolean).join(': ') : 'nothing').toBe(words)
    })
  test('neither cap nor counter nor cooldown holds, and no rest begins', () => {
    const rested = one(rock, 'world.sea', 1).after
    const { after } = set({ 'world.sea': 12, 'world.night': 1 }, rested)
    expect(valueAt(after, 'world.sea')).toBe(12)
    expect(valueAt(after, '_meta.last_changed')).toEqual({ 'world.sea': 4 })
    const late = one(rock, 'world.night', 1).after
    expect(valueAt(set({ 'world.night': 1 }, late).after, 'world.night')).toBe(1)
  })
  test('a milestone is taken back, and one that stands keeps its turn', () => {
    const reached = one(rock, 'milestones.signal_sent', true).after
    expect(valueAt(set({ 'milestones.signal_sent': true }, reached).after, 'milestones.signal_sent')).toEqual(
      {
        reached: true,
        at: 4,
      },
    )
    expect(valueAt(set({ 'milestones.signal_sent': false }, reached).after, 'milestones')).toEqual({})
  })
})

describe('what old and broken files hold', () => {
  const cases: [what: string, schema: unknown, state: unknown, path: string, value: unknown][] = [
    ['a bound that is text', { player: { hp: { min: 'low', initial: 5 } } }, {}, 'player.hp', 3],
    [
      'a text where a number is due',
      { player: { hp: { initial: 5 } } },
      { player: { hp: 'full' } },
      'player.hp',
      3,
    ],
    ['a cap below zero', { player: { hp: { initial: 5, max_delta_per_turn: -5 } } }, {}, 'player.hp', 3],
    ['a cast that is a list', { npcs: [1], player: { hp: { initial: 5 } } }, {}, 'player.hp', 3],
    ['a stat that is no object', { player: { mp: 7, hp: { initial: 5 } } }, {}, 'player.hp', 3],
    ['a missing section', { player: { hp: { initial: 5 } } }, { world: {} }, 'player.hp', 3],
    ['null for a state', { player: { hp: { initial: 5 } } }, null, 'player.hp', 3],
    [
      'a milestone that is just true',
      { milestones: { won: {} } },
      { milestones: { won: true } },
      'milestones.won',
      true,
    ],
  ]
  for (const [what, schema, state, path, value] of cases)
    test(`${what} is read for what it can be`, () => {
      const change = path.startsWith('milestones') ? true : -2
      const { after } = referee(schema as StatSchema, state as WorldState, { [path]: change }, 4)
      expect(valueAt(after, path)).toEqual(value)
    })
  test('a delta that is a list or a text changes nothing', () => {
    for (const delta of [[1], 'x', null, 5])
      expect(referee(rock, instantiate(rock), delta, 4)).toEqual({ after: instantiate(rock), verdicts: [] })
  })
})
