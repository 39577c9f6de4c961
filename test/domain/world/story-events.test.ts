import { describe, expect, test } from 'bun:test'
import { readRules } from '../../../src/domain/world/rules.ts'
import { eventsOf } from '../../../src/domain/world/story-events.ts'
import { ROLL } from '../../support/stories/rolls.ts'

const rules = readRules({
  player: {
    warmth: {
      type: 'number',
      min: 0,
      max: 40,
      initial: 20,
      bands: [
        [0, 10, 'freezing'],
        [10, 40, 'warm'],
      ],
    },
    coins: { type: 'number', min: 0, max: 100, initial: 50 },
    debts: { type: 'number', min: 0, initial: 0 },
    coat: { type: 'text', initial: 'red' },
  },
  flags: { gate_open: { initial: false } },
  milestones: { found: { desc: 'Find the bell' } },
})

const change = (path: string, old: unknown, next: unknown, verdict = 'applied') => ({
  verdict,
  path,
  asked: next,
  given: next,
  old,
  new: next,
})
describe('what matters of a turn', () => {
  const cases: [name: string, verdicts: object[], words: string[]][] = [
    ['a milestone, by its name', [change('milestones.found', false, true)], ['milestone ✓ Find the bell']],
    ['a flag, both ways', [change('flags.gate_open', true, false)], ['flag gate open: no']],
    ['a number whose label changes', [change('player.warmth', 10, 9)], ['change warmth −1 → 9 (freezing)']],
    ['not one whose label stays', [change('player.warmth', 40, 10)], []],
    ['a quarter of a range without labels', [change('player.coins', 50, 25)], ['change coins −25 → 25']],
    ['not less than a quarter', [change('player.coins', 50, 26)], []],
    ['nothing without an end', [change('player.debts', 0, 1_000)], []],
    ['no text', [change('player.coat', 'red', 'blue')], []],
    [
      'nothing that stayed or was refused',
      [change('flags.gate_open', true, true), change('flags.gate_open', false, true, 'refused')],
      [],
    ],
    [
      'what the player or the dice changed as well',
      [change('player.coins', 0, 90, 'manual'), change('player.coins', 90, 0, 'rolled')],
      ['change coins +90 → 90', 'change coins −90 → 0'],
    ],
    ['nothing of what no schema knows', [change('player.gone', 0, 100)], []],
  ]
  for (const [name, verdicts, words] of cases)
    test(name, () => {
      const events = eventsOf(rules, { id: 7, index: 3, world_delta: { verdicts }, roll: null })
      expect(events.map((event) => `${event.kind} ${event.words}`)).toEqual(words)
    })

  test('its roll comes first', () => {
    const world_delta = { verdicts: [change('flags.gate_open', false, true)] }
    expect(eventsOf(rules, { id: 7, index: 3, world_delta, roll: ROLL })).toEqual([
      { action_id: 7, index: 3, kind: 'roll', words: 'Climb (hard): 12 against 10, you are up' },
      { action_id: 7, index: 3, kind: 'flag', words: 'gate open: yes' },
    ])
  })

  test('whatever a row holds, nothing is thrown', () => {
    for (const world_delta of [null, {}, { verdicts: 5 }, { verdicts: [null, { path: 'x' }] }])
      expect(eventsOf(rules, { id: 1, index: 1, world_delta, roll: null })).toEqual([])
  })
})
