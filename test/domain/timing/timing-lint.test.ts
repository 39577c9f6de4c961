import { expect, test } from 'bun:test'
import type { Condition, How } from '../../../src/domain/timing/timing.ts'
import { timingRemarks } from '../../../src/domain/timing/timing-lint.ts'
import { readRules } from '../../../src/domain/world/rules.ts'

const BANDS: [number, number, string][] = [
  [0, 5, 'dying'],
  [5, 20, 'well'],
]
const rules = readRules({
  player: {
    health: { initial: 10, min: 0, max: 20, bands: BANDS },
    mood: { type: 'text', initial: 'calm', options: ['calm', 'angry'] },
    steps: { type: 'counter', initial: 3 },
  },
  flags: { lit: { initial: false } },
  milestones: { crossed: { desc: 'Crossed' } },
})

interface Named {
  name: string
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
const remarksOn = (linted: Named, ...others: Named[]) =>
  timingRemarks(linted, { rules, cards: [linted, ...others] })

const ITSELF = 'It waits for itself to be told, directly or by way of other cards.'
const MISTAKES: [what: Named, sentence: string, ...others: Named[]][] = [
  [card('A', [when('stat', 'player.courage', 'at least', 1)]), 'There is no stat player.courage.'],
  [card('A', [when('flag', 'flags.out', 'is', true)]), 'There is no flag flags.out.'],
  [card('A', [when('present', 'npc.nobody', 'is', true)]), 'There is no character npc.nobody.'],
  [card('A', [when('milestone', 'milestones.won', 'is', true)]), 'There is no milestone milestones.won.'],
  [
    card('A', [when('stat', 'player.health', 'at least', 21)]),
    'player.health is never more than 20, so it is never at least 21.',
  ],
  [
    card('A', [when('stat', 'player.steps', 'at most', 2)]),
    'player.steps is never less than 3, so it is never at most 2.',
  ],
  [card('A', [when('stat', 'player.health', 'is', 'fine')]), 'player.health has no label “fine”.'],
  [card('A', [when('stat', 'player.mood', 'is', 'sad')]), 'player.mood can never be “sad”.'],
  [
    card('A', [when('stat', 'player.mood', 'at least', 1)]),
    'player.mood is a text, which is never “at least” anything.',
  ],
  [card('A', [told('Z')]), 'There is no card “Z”, so it is never told.'],
  [card('A', [told('A')]), ITSELF],
  [card('A', [told('B')]), ITSELF, card('B', [told('A')])],
  [
    card('A', [when('turn', '', 'at least', 9), when('turn', '', 'at most', 5)]),
    'Two conditions about the turn never hold together.',
  ],
  [
    card('A', [when('turn', '', 'at most', 5)], { begins: 5 }),
    'It begins after turn 5, so turn 5 is over by then.',
  ],
  [
    card('A', [when('flag', 'flags.lit', 'is', true), when('flag', 'flags.lit', 'is', false)]),
    'Two conditions about flags.lit never hold together.',
  ],
  [card('A', [], { once: true, rests: 3 }), 'It is told once, so it need not rest.'],
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
  ]
  const sound = card('A', conditions, { begins: 5, group: 'storms', rests: 2 })
  expect(remarksOn(sound, card('B', [], { group: 'storms' }))).toEqual([])
})
