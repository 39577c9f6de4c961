import { describe, expect, test } from 'bun:test'
import { presentCharacters } from '../../../src/domain/prompt/present-characters.ts'
import { EMPTY_SCENARIO } from '../../../src/domain/scenario.ts'
import { beginningOf, questionsOf } from '../../../src/domain/start-from-scenario.ts'
import { lintSchema } from '../../../src/domain/world/lint.ts'
import { guideOf } from '../../../src/domain/world/prompt/guide.ts'
import { liveValueLines, liveValuesSection } from '../../../src/domain/world/prompt/live-values.ts'
import { ALL_WORLD_STATE, reconcile } from '../../../src/domain/world/reconcile.ts'
import { bandOf, type NumberStat, readRules } from '../../../src/domain/world/rules.ts'
import { instantiate, type StatSchema, type WorldState } from '../../../src/domain/world/state.ts'
import { schemaErrors } from '../../../src/domain/world/validate-schema.ts'
import { STARTERS } from '../../../src/practice/starters/starters.ts'
import { HALCYON_DEEP, LANTERN_ROCK, SALT_TRIBUNAL } from '../../support/stories/worlds.ts'

const rock: StatSchema = LANTERN_ROCK
const many = (count: number) => Array.from({ length: count }, (_, at) => at)
const player = (def: unknown): StatSchema => ({ player: { hp: def } })

describe('an invalid schema is refused with the path of each error', () => {
  const cases: [schema: unknown, paths: string[]][] = [
    [LANTERN_ROCK, []],
    [SALT_TRIBUNAL, []],
    [HALCYON_DEEP, []],
    [null, []],
    [{}, []],
    [{ npcs: [] }, ['/npcs']],
    [{ player: 5 }, ['/player']],
    [{ player: { hp: 5 } }, ['/player/hp']],
    [player({ min: 'low' }), ['/player/hp/min']],
    [player({ min: 5, max: 1 }), ['/player/hp/min']],
    [
      player({ initial: 'x', cooldown: 1.5, max_delta_per_turn: -5 }),
      ['/player/hp/cooldown', '/player/hp/initial', '/player/hp/max_delta_per_turn'],
    ],
    [player({ max_gain_per_turn: -1, max_loss_per_turn: null }), ['/player/hp/max_gain_per_turn']],
    [player({ type: 'gauge' }), ['/player/hp/type']],
    [
      player({ bands: [[0, 1, 'a'], [2, 1, 'b'], ['x'], 7] }),
      ['/player/hp/bands/1', '/player/hp/bands/2', '/player/hp/bands/3'],
    ],
    [
      player({ type: 'text', initial: 5, max_length: 0, options: [] }),
      ['/player/hp/initial', '/player/hp/max_length', '/player/hp/options'],
    ],
    [
      player({ desc: 5, label: 1, hidden: 'yes' }),
      ['/player/hp/desc', '/player/hp/label', '/player/hp/hidden'],
    ],
    [{ player: { 'a.b': {} } }, ['/player/a.b']],
    [
      { player: { ' hp': {}, '12': {}, 'a"b': {}, '': {} } },
      ['/player/12', '/player/ hp', '/player/a"b', '/player/'],
    ],
    [{ flags: { lit: { initial: 'yes' }, on: 1 } }, ['/flags/lit/initial', '/flags/on']],
    [{ milestones: { won: [] } }, ['/milestones/won']],
    [{ npcs: { a: { name: 1, stats: [] }, 'b/c~': 5 } }, ['/npcs/a/name', '/npcs/a/stats', '/npcs/b~1c~0']],
    [player({ max: 1e300 }), ['/player/hp/max']],
    [player({ bands: many(50).map((at) => [at, at, 'b']) }), []],
    [player({ bands: many(51).map((at) => [at, at, 'b']) }), ['/player/hp/bands']],
    [player({ type: 'text', options: ['x'.repeat(1_000)] }), []],
    [player({ type: 'text', options: ['x'.repeat(1_001)] }), ['/player/hp/options']],
    [{ npcs: Object.fromEntries(many(100).map((at) => [`n${at}`, {}])) }, []],
    [{ npcs: Object.fromEntries(many(101).map((at) => [`n${at}`, {}])) }, ['/npcs']],
    [{ unknown: many(9_990) }, []],
    [{ unknown: many(10_000) }, ['']],
    [{ unknown: 'x'.repeat(200_000) }, ['']],
  ]
  for (const [schema, paths] of cases)
    test(JSON.stringify(schema).slice(0, 80), () =>
      expect(
        schemaErrors(schema)
          .map(({ path }) => path)
          .sort(),
      ).toEqual([...paths].sort()),
    )
})

describe('warnings for the author', () => {
  const cases: [def: unknown, warning: RegExp | null][] = [
    [{ initial: 5, min: 0, max: 10, desc: 'Positive when fed.' }, null],
    [
      { initial: 50, min: 0, max: 10, desc: 'Positive when fed.' },
      /above its maximum of 10; it will start at 10/,
    ],
    [{ initial: -5, min: 0, desc: 'Positive when fed.' }, /below its minimum of 0/],
    [{ initial: 5, min: 0, max: 10 }, /no description/],
    [{ initial: 10, min: 0, max: 10, desc: 'Health' }, /wrong sign would go unnoticed/],
    [{ initial: 10, min: 0, max: 10, desc: 'Health; negative when hurt' }, null],
    [{ max_delta_per_turn: 0, desc: 'x' }, /limit of 0 per turn/],
    [{ type: 'counter', desc: 'Moons' }, /does not say when/],
    [{ type: 'counter', desc: 'Add 1 when a moon rises' }, null],
    [
      {
        desc: 'x',
        bands: [
          [0, 5, 'a'],
          [7, 9, 'b'],
        ],
      },
      /no label from 5 to 7/,
    ],
    [
      {
        desc: 'Add when filled.',
        min: 0,
        max: 60,
        initial: 1,
        bands: [
          [0, 10, 'dry'],
          [11, 60, 'stocked'],
        ],
      },
      /no label at 10: .* write 0 to 11/,
    ],
    [
      {
        desc: 'x',
        bands: [
          [0, 5, 'a'],
          [3, 9, 'b'],
        ],
      },
      /two labels from 3 to 5/,
    ],
    [
      {
        desc: 'x',
        min: 0,
        max: 10,
        initial: 1,
        bands: [
          [0, 10, 'a'],
          [12, 20, 'b'],
        ],
      },
      /can never be “b”/,
    ],
    [{ desc: 'x', min: 0, max: 10, initial: 1, bands: [[2, 10, 'a']] }, /no label from 0 to 2/],
    [{ type: 'text', desc: 'x', initial: 'grey', options: ['red'] }, /not one of its options/],
    [{ type: 'text', desc: 'x', initial: 'grey', max_length: 2 }, /more than 2 characters/],
  ]
  for (const [def, warning] of cases)
    test(JSON.stringify(def), () => {
      const found = lintSchema(player(def)).map(({ message }) => message)
      if (warning === null) expect(found).toEqual([])
      else expect(found.some((message) => warning.test(message))).toBe(true)
    })
  test('names that look alike, and triggers that match by accident', () => {
    const schema: StatSchema = {
      player: { HP: { desc: 'x' }, hp: { desc: 'x' } },
      npcs: { a: { name: 'Ed', keys: 'Ed' }, b: { name: 'ed', keys: 'Edward' } },
    }
    const found = lintSchema(schema).map(({ path, message }) => `${path} ${message}`)
    expect(found.filter((text) => /spelled almost like player.HP/.test(text))).toHaveLength(1)
    expect(found.filter((text) => /same name as npc/.test(text))).toHaveLength(2)
    expect(found.filter((text) => /trigger “Ed”/.test(text))).toHaveLength(1)
  })
  test('the starter scenarios have none', () =>
    expect(STARTERS.flatMap(({ stat_schema }) => lintSchema(stat_schema ?? null))).toEqual([]))
})

describe('bands', () => {
  const label = (schema: StatSchema, path: string, value: number) =>
    bandOf(readRules(schema).stats.find((stat) => stat.path === path) as NumberStat, value)
  test('hold their lower edge, and the last one both', () =>
    expect([0, 0.5, 1, 28, 40].map((value) => label(rock, 'player.warmth', value))).toEqual([
      'frozen',
      'frozen',
      'numb',
      'warm',
      'warm',
    ]))
  test('leave gaps where there are some', () =>
    expect(
      [59, 60, 199.5, 205, 220, 600, 601, -1].map((value) => label(HALCYON_DEEP, 'player.air', value)),
    ).toEqual(['blackout', 'thin', 'thin', null, 'full', 'full', null, null]))
  test('a last one that makes no sense closes nothing', () =>
    expect(
      label(
        player({
          bands: [
            [0, 5, 'low'],
            [5, 'x'],
          ],
        }),
        'player.hp',
        5,
      ),
    ).toBeNull())
})

const PLAYED: WorldState = {
  world: { night: 1, sea: 6 },
  player: { warmth: 24, lamp_oil: 16, coat: 'tarred canvas coat' },
  npc: { ottoline: { faith: 11, wound: 'a gashed palm' }, gull: {} },
  milestones: { signal_sent: { reached: true, at: 4 } },
  flags: { lamp_lit: true, door_barred: true },
  _meta: {
    last_changed: {
      'player.warmth': 4,
      'player.lamp_oil': 4,
      'world.sea': 4,
      'npc.ottoline.faith': 4,
      'npc.ottoline.wound': 4,
    },
  },
}

describe('a state is fitted to a schema that has changed', () => {
  const { sea: _sea, ...world } = LANTERN_ROCK.world
  const { door_barred: _barred, ...flags } = LANTERN_ROCK.flags
  const edited: StatSchema = {
    ...LANTERN_ROCK,
    world,
    player: { ...LANTERN_ROCK.player, resolve: { initial: 3 } },
    npcs: { gull: LANTERN_ROCK.npcs.gull, kraken: { stats: { mood: { initial: 1 } } } },
    flags: { ...flags, fog: {} },
    milestones: { survivors_ashore: {} },
  }
  test('nobody is healed; what is new begins, what is gone goes with its rest', () => {
    const { state, added, removed, changed } = reconcile(edited, PLAYED)
    expect({ added, removed, changed }).toEqual({
      added: ['player.resolve', 'npc.kraken.mood', 'flags.fog'],
      removed: ['world.sea', 'npc.ottoline', 'flags.door_barred', 'milestones.signal_sent'],
      changed: [],
    })
    expect(state).toMatchObject({
      player: { warmth: 24, lamp_oil: 16, resolve: 3 },
      npc: { gull: {}, kraken: { mood: 1 } },
    })
    expect(state._meta).toEqual({ last_changed: { 'player.warmth': 4, 'player.lamp_oil': 4 } })
  })
  test('twice is once', () => {
    const { state } = reconcile(edited, PLAYED)
    expect(reconcile(edited, state)).toEqual({ state, added: [], removed: [], changed: [] })
  })
  test('the same schema changes nothing', () => expect(reconcile(rock, PLAYED).state).toEqual(PLAYED))
  test('without a schema everything goes, and says so', () => {
    expect(reconcile(null, PLAYED)).toEqual({ state: {}, added: [], removed: [ALL_WORLD_STATE], changed: [] })
    expect(reconcile(null, {}).removed).toEqual([])
  })
  test('a first schema brings everything', () =>
    expect(reconcile(SALT_TRIBUNAL, {}).added).toContain('player.standing'))

  const kept: [what: string, def: unknown, old: unknown, next: unknown, changed: string | null][] = [
    ['a narrower range', { max: 50 }, 100, 50, 'range'],
    ['a text that became a number', { initial: 7 }, 'full', 7, 'kind'],
    ['a number that became a text', { type: 'text', initial: 'x' }, 5, 'x', 'kind'],
    ['a shorter text', { type: 'text', max_length: 3 }, 'abcdef', 'abc', 'length'],
    ['an option that is gone', { type: 'text', initial: 'a', options: ['a'] }, 'b', 'a', 'option'],
    ['what was no number', { initial: 7 }, null, 7, 'kind'],
    ['what fits', { max: 50 }, 40, 40, null],
  ]
  for (const [what, def, old, next, how] of kept)
    test(what, () => {
      const { state, changed } = reconcile(player(def), { player: { hp: old } })
      expect((state.player as { hp: unknown }).hp).toEqual(next)
      expect(changed).toEqual(
        how === null ? [] : [{ path: 'player.hp', what: how as 'kind', old, new: next }],
      )
    })
})

describe('the notes for the model', () => {
  test('every path, with ranges, caps, bands and ids', () =>
    expect(guideOf(readRules(LANTERN_ROCK))).toBe(`What this story counts, by path:
- world.night (number that only counts up): Which night of the watch it is. Never below 1. At most 1 a turn.
- world.sea (number): Sea state. Positive worsens it, negative calms it. Range 0–12. At most 3 a turn. 0–3 glassy; 3–7 choppy; 7–10 breaking; 10–12 murderous.
- player.warmth (number): Body heat; negative when soaked or exposed. Range 0–40. At most 8 a turn. 0–1 frozen; 1–12 numb; 12–28 cold; 28–40 warm.
- player.lamp_oil (number): Tins of oil left. Never below 0.
- player.coat (free text, at most 24 characters): What the keeper has on. Rests a turn after a change.
- npc.ottoline: Ottoline Marsh. First mate of the wrecked brig. Proud and half-drowned.
- npc.ottoline.faith (number): Range -50 to 50. At most 10 a turn. -50 to -10 bitter; -10 to 10 guarded; 10–35 steady; 35–50 sworn.
- npc.ottoline.wound (free text, at most 500 characters)
- npc.gull: gull. A one-eyed gull.
- flags.lamp_lit (true or false): The great lamp is burning.
- flags.door_barred (true or false)
- milestones.signal_sent (true once it is reached, for good): Send the distress signal.
- milestones.survivors_ashore (true once it is reached, for good): Bring the survivors ashore.`))
  test('nothing that is hidden, anywhere', () => {
    const schema = player({ hidden: true, desc: 'SECRET' })
    const rules = readRules(schema)
    const told = guideOf(rules) + liveValueLines(rules, instantiate(schema), new Set()).join()
    expect(told).not.toMatch(/hp|SECRET/)
  })
  test('the live values of the world, the player and those who are there', () => {
    const rules = readRules(LANTERN_ROCK)
    expect(
      liveValuesSection(liveValueLines(rules, PLAYED, presentCharacters(rules, 'Ottoline waits.'))),
    ).toBe(`[World state now (totals):
World: night 1, sea 6/12 (choppy).
You: warmth 24/40 (cold), lamp_oil 16, coat "tarred canvas coat".
Ottoline Marsh (npc.ottoline): faith 11/50 (steady), wound "a gashed palm".
Flags: lamp_lit yes, door_barred yes.
Goals (milestones, true when reached): survivors_ashore — Bring the survivors ashore.
Achieved: signal_sent — Send the distress signal.]`)
    expect(liveValueLines(rules, PLAYED, presentCharacters(rules, 'Nobody is here.')).join()).not.toContain(
      'Ottoline',
    )
    expect([
      ...presentCharacters(readRules(SALT_TRIBUNAL), 'the third juror coughs; the clerks whisper'),
    ]).toEqual(['juror_3', 'clerk'])
  })
  test('a milestone without words by its id', () =>
    expect(liveValueLines(readRules(SALT_TRIBUNAL), {}, new Set()).join()).toContain('acquitted.'))
})

test('questions in a schema are asked, and answered when the story begins', () => {
  const scenario = { ...EMPTY_SCENARIO, id: 1, created_at: '', updated_at: '', stat_schema: HALCYON_DEEP }
  expect(questionsOf(scenario, [])).toEqual(['Partner'])
  const { stat_schema, cards } = beginningOf(scenario, [], { Partner: 'Iris' })
  expect(stat_schema).toMatchObject({
    npcs: { diver: { name: 'Iris', keys: 'Iris, diver' } },
    palette: 'teal',
  })
  expect(cards).toMatchObject([{ name: 'Iris', source_ref: 'npc:diver' }])
})
