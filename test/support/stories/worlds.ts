import type { StatSchema } from '../../../src/domain/world/state.ts'

/** A keeper's night on a rock: every kind of stat, a cap, a cooldown, flags, milestones and a cast of two. */
export const LANTERN_ROCK = {
  world: {
    night: {
      type: 'counter',
      min: 1,
      initial: 1,
      max_delta_per_turn: 1,
      desc: 'Which night of the watch it is.',
    },
    sea: {
      min: 0,
      max: 12,
      initial: 4,
      max_delta_per_turn: 3,
      cooldown: 2,
      desc: 'Sea state. Positive worsens it, negative calms it',
      bands: [
        [0, 3, 'glassy'],
        [3, 7, 'choppy'],
        [7, 10, 'breaking'],
        [10, 12, 'murderous'],
      ],
    },
  },
  player: {
    warmth: {
      min: 0,
      max: 40,
      initial: 32,
      max_delta_per_turn: 8,
      desc: 'Body heat; negative when soaked or exposed.',
      bands: [
        [0, 1, 'frozen'],
        [1, 12, 'numb'],
        [12, 28, 'cold'],
        [28, 40, 'warm'],
      ],
    },
    lamp_oil: { min: 0, initial: 18, desc: 'Tins of oil left' },
    coat: {
      type: 'text',
      initial: 'tarred canvas coat',
      max_length: 24,
      cooldown: 3,
      desc: 'What the keeper has on',
    },
  },
  npcs: {
    ottoline: {
      name: 'Ottoline Marsh',
      keys: 'Ottoline, the mate',
      desc: 'First mate of the wrecked brig. Proud and half-drowned.',
      stats: {
        faith: {
          min: -50,
          max: 50,
          initial: 5,
          max_delta_per_turn: 10,
          cooldown: 2,
          bands: [
            [-50, -10, 'bitter'],
            [-10, 10, 'guarded'],
            [10, 35, 'steady'],
            [35, 50, 'sworn'],
          ],
        },
        wound: { type: 'text', initial: '' },
      },
    },
    gull: { desc: 'A one-eyed gull.', stats: {} },
  },
  flags: { lamp_lit: { initial: true, desc: 'The great lamp is burning' }, door_barred: {} },
  milestones: {
    signal_sent: { desc: 'Send the distress signal' },
    survivors_ashore: { desc: 'Bring the survivors ashore' },
  },
} as const satisfies StatSchema

/** Negative ranges, fractions, no bounds, blank names, a stat that begins at its most. */
export const SALT_TRIBUNAL = {
  world: {
    recess: { type: 'counter', initial: 0 },
    gallery: {
      min: -10,
      max: 10,
      initial: 0,
      bands: [
        [-10, -4, 'jeering'],
        [-4, 4, 'murmuring'],
        [4, 10, 'cheering'],
      ],
    },
  },
  player: {
    standing: { min: 0, max: 1, initial: 0.5, max_delta_per_turn: 0.1 },
    debt: { initial: 0 },
    alibi: { type: 'text' },
  },
  npcs: {
    juror_3: {
      name: 'The Third Juror',
      stats: { doubt: { min: 0, max: 20, initial: 20, max_delta_per_turn: 4, cooldown: 2 } },
    },
    clerk: { name: '  ', keys: '', stats: { bribes: { type: 'counter', max: 3 } } },
  },
  flags: { oath_taken: { initial: false } },
  milestones: { acquitted: {} },
} as const satisfies StatSchema

/** Gaps, a frozen stat, a bare one, questions in a character, a key that is not ours. */
export const HALCYON_DEEP = {
  player: {
    air: {
      min: 0,
      max: 600,
      initial: 600,
      max_delta_per_turn: 90,
      bands: [
        [0, 60, 'blackout'],
        [60, 200, 'thin'],
        [220, 600, 'full'],
      ],
    },
    depth: { type: 'counter', min: 0, max: 90, cooldown: 1 },
    crew_size: { initial: 3, max_delta_per_turn: 0 },
    pressure: {},
  },
  npcs: {
    diver: {
      name: '${Partner}',
      keys: '${Partner}, diver',
      desc: '${Partner} learned to dive beside you.',
      stats: { nerve: { min: 0, max: 10, initial: 7 } },
    },
  },
  flags: { hatch_open: {} },
  milestones: { black_box: { desc: 'Bring up the black box' } },
  palette: 'teal',
} as const satisfies StatSchema
