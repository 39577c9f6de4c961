import { expect, test } from 'bun:test'
import type { Condition, How } from '../../../src/domain/timing/timing.ts'
import { timingLinter } from '../../../src/domain/timing/timing-lint.ts'

const BANDS: [number, number, string][] = [
  [0, 5, 'dying'],
  [5, 20, 'well'],
]
const SCHEMA = {
  player: {
    health: { initial: 10, min: 0, max: 20, bands: BANDS },
    mood: { type: 'text', initial: 'calm', options: ['calm', 'angry'] },
    steps: { type: 'counter', initial: 3 },
    dread: { initial: 0, min: 0, max: 100, hidden: true },
    luck: { initial: 5, min: 0, max: 10, hidden: true },
    trust: { initial: 10, min: 0, max: 100, max_gain_per_turn: 5, max_loss_per_turn: 0, cooldown: 3 },
  },
  npcs: { brisa: { name: 'Brisa' } },
  flags: { lit: { initial: false } },
  milestones: { crossed: { desc: 'Crossed' } },
  checks: {
    Climb: {
      dice: '1d20',
      difficulties: [{ name: 'normal', number: 10 }],
      outcomes: [
        { name: 'failure', effects: { 'player.luck': -1 } },
        { name: 'success', from: 0 },
      ],
    },
  },
}

interface Named {
  name: string
  keys?: string
  entry: string
  timing: { when: Condition[]; how: How }
}

const when = (
  kind: Condition['kind'],
  of: string,
  is: Condition['is'],
  value: Condition['value'],
): Condition => ({ kind, of, is, value })
const told = (of: string) => when('card', of, 'is', true)
const card = (name: string, conditions: Condition[], how: How = {}): Named => ({
  name,
  entry: name,
  timing: { when: conditions, how },
})
const remarksOn = (linted: Named, ...others: Named[]) => timingLinter(SCHEMA, [linted, ...others])(linted)

const stat = (name: string, is: Condition['is'], value: Condition['value']) =>
  when('stat', `player.${name}`, is, value)
const crossed = (value: boolean) => when('milestone', 'milestones.crossed', 'is', value)

const MISTAKES: [what: Named, sentence: string, ...others: Named[]][] = [
  [card('A', [when('stat', 'player.courage', 'at least', 1)]), 'There is no stat “courage”.'],
  [
    card('A', [when('stat', 'player.Helth', 'at least', 1)]),
    'There is no stat “Helth”. Did you mean “health”?',
  ],
  [
    card('A', [when('present', 'npc.brissa', 'is', true)]),
    'There is no character “brissa”. Did you mean “Brisa”?',
  ],
  [card('A', [when('flag', 'flags.out', 'is', true)]), 'There is no flag “out”.'],
  [card('A', [when('present', 'npc.nobody', 'is', true)]), 'There is no character “nobody”.'],
  [card('A', [when('milestone', 'milestones.won', 'is', true)]), 'There is no milestone “won”.'],
  [
    card('A', [when('stat', 'player.health', 'at least', 21)]),
    'Health is never more than 20, so it is never at least 21.',
  ],
  [
    card('A', [when('stat', 'player.steps', 'at most', 2)]),
    'Steps is never less than 3, so it is never at most 2.',
  ],
  [card('A', [when('stat', 'player.health', 'is', 'fine')]), 'Health has no label “fine”.'],
  [card('A', [when('stat', 'player.mood', 'is', 'sad')]), 'Mood can never be “sad”.'],
  [
    card('A', [when('stat', 'player.mood', 'at least', 1)]),
    'Mood is a text, which is never “at least” anything.',
  ],
  [card('A', [told('Z')]), 'There is no card “Z”, so it is never included.'],
  [
    card('A', [when('turn', '', 'at least', 9), when('turn', '', 'at most', 5)]),
    'The conditions about the turn never hold together.',
  ],
  [
    card('A', [when('turn', '', 'at most', 5)], { begins: 5 }),
    'It begins after turn 5, so turn 5 is over by then.',
  ],
  [card('A', [], { once: true, rests: 3 }), 'It is included once, so it needs no rest.'],
  [card('A', [], { check: 'Swim' }), 'There is no check “Swim”.'],
  [card('A', [], { check: 'Climb', difficulty: 'icy' }), 'The check “Climb” has no difficulty “icy”.'],
  [card('A', [], { difficulty: 'normal' }), 'It has a difficulty, but calls for no check.'],
  [card('A', [], { group: 'storms' }), 'No other card is in the group “storms”.'],
]

test('every planted mistake is named, and nothing else', () => {
  for (const [linted, sentence, ...others] of MISTAKES)
    expect(remarksOn(linted, ...others)).toEqual([sentence])
})

test('what can hold is not remarked on', () => {
  const conditions = [
    when('stat', 'player.health', 'at least', 20),
    when('stat', 'player.health', 'is', 'Well'),
    when('stat', 'player.mood', 'is not', 'angry'),
    when('stat', 'player.steps', 'at least', 300),
    when('turn', '', 'at least', 6),
    when('turn', '', 'at most', 6),
    when('card', 'Gone', 'is', false),
    told('B'),
    stat('luck', 'at most', 2),
    stat('trust', 'at least', 15),
    crossed(false),
    when('present', 'npc.brisa', 'is', true),
  ]
  const sound = card('A', conditions, {
    begins: 5,
    group: 'storms',
    rests: 2,
    check: 'Climb',
    difficulty: 'normal',
  })
  expect(remarksOn(sound, card('B', [], { group: 'storms', priority: 5 }))).toEqual([])
  const inTime = card('A', [stat('trust', 'at least', 60), when('turn', '', 'at most', 20)])
  expect(remarksOn(inTime)).toEqual([])
})
