import { describe, expect, test } from 'bun:test'
import { cardMatcher, type Hit } from '../../../src/domain/cards/card-triggers.ts'
import type { StoryCard } from '../../../src/domain/story-card.ts'
import type { StoryMoment } from '../../../src/domain/timing/due-cards.ts'
import { hitsIn } from '../../../src/domain/timing/timed-hits.ts'
import type { How, Timing } from '../../../src/domain/timing/timing.ts'
import { readRules } from '../../../src/domain/world/rules.ts'
import { instantiate } from '../../../src/domain/world/state.ts'

const SCHEMA = { flags: { lit: { initial: false } } }

const card = (name: string, timing?: Partial<Timing>, keys = name): StoryCard => ({
  id: name.length,
  scenario_id: null,
  adventure_id: 1,
  type: '',
  name,
  keys,
  entry: `About ${name}.`,
  notes: '',
  ...(timing && { timing: { when: [], how: {}, ...timing } }),
})
const how = (name: string, rules: How, keys?: string) => card(name, { how: rules }, keys)
const moment = (began: Record<string, number>, turn = 5): StoryMoment => ({
  turn,
  rules: readRules(SCHEMA),
  state: instantiate(SCHEMA),
  record: { turn: turn - 1, began, told: [], seed: '' },
  present: new Set<string>(),
  callers: null,
  seed: null,
})

/** The names of the cards that come and of those that are kept away, of cards that were mentioned in this order. */
function outcome(cards: StoryCard[], mentioned: string[], began: Record<string, number> = {}) {
  const search = { cards, matcher: cardMatcher(cards), moment: moment(began) }
  const { hits, withheld } = hitsIn(mentioned.join(' '), search)
  const names = (some: Hit[]) =>
    some.toSorted((one, other) => one.at - other.at).map((hit) => cards[hit.card]?.name ?? '')
  return [names(hits), names(withheld)]
}

describe('of the cards that are mentioned', () => {
  const dark = card('dark', { when: [{ kind: 'flag', of: 'flags.lit', is: 'is', value: true }] })
  const cases: [name: string, outcome: unknown, expected: [string[], string[]]][] = [
    ['those without timing come', outcome([card('a'), card('b')], ['b', 'a']), [['b', 'a'], []]],
    [
      'one whose condition does not hold stays away',
      outcome([card('a'), dark], ['a', 'dark']),
      [['a'], ['dark']],
    ],
    ['one that was told once stays away', outcome([how('a', { once: true })], ['a'], { a: 2 }), [[], ['a']]],
    ['one that rests stays away', outcome([how('a', { rests: 4 })], ['a'], { a: 2 }), [[], ['a']]],
    ['one that has rested comes', outcome([how('a', { rests: 2 })], ['a'], { a: 2 }), [['a'], []]],
    [
      'the highest priority of a group comes',
      outcome([how('a', { group: 'g' }), how('b', { group: 'g', priority: 5 }), card('c')], ['b', 'c', 'a']),
      [['b', 'c'], ['a']],
    ],
    [
      'of equals of a group the last mentioned comes',
      outcome([how('a', { group: 'g' }), how('b', { group: 'g' })], ['b', 'a']),
      [['a'], ['b']],
    ],
    [
      'of a group one that stays goes before a higher priority',
      outcome([how('a', { group: 'g', stays: 9 }), how('b', { group: 'g', priority: 5 })], ['b'], { a: 2 }),
      [['a'], ['b']],
    ],
    [
      'two groups do not meet',
      outcome([how('a', { group: 'g' }), how('b', { group: 'h' })], ['a', 'b']),
      [['a', 'b'], []],
    ],
  ]
  for (const [name, found, expected] of cases) test(name, () => expect(found).toEqual(expected))
})

describe('a card that stays', () => {
  test('comes without being mentioned, until its turns are over', () => {
    const cards = [how('a', { stays: 4 })]
    expect(outcome(cards, [], { a: 2 })).toEqual([['a'], []])
    expect(outcome(cards, [], { a: 1 })).toEqual([[], []])
  })

  test('comes once where it is mentioned as well', () => {
    expect(outcome([how('a', { stays: 4 })], ['a'], { a: 2 })).toEqual([['a'], []])
  })

  test('does not come without an entry', () => {
    expect(outcome([{ ...how('a', { stays: 4 }), entry: ' ' }], [], { a: 2 })).toEqual([[], []])
  })
})

test('without a moment the triggers alone decide', () => {
  const cards = [how('a', { once: true, triggered_by: 'cards' })]
  const search = { cards, matcher: cardMatcher(cards), moment: null }
  expect(hitsIn('a', search)).toEqual({ hits: [{ card: 0, key: 'a', at: 0 }], withheld: [] })
})

describe('the text of a due card', () => {
  const entry = (one: StoryCard, text: string): StoryCard => ({ ...one, entry: text })
  const cards = [
    entry(how('mint', { triggers_others: true }), 'It strikes money for the king.'),
    entry(how('king', { triggers_others: true, triggered_by: 'cards' }), 'He wears the crown.'),
    entry(card('crown'), 'It is heavy, and sought by a thief.'),
    entry(card('thief'), 'She is quick.'),
    entry(how('money', { triggered_by: 'story' }), 'It is silver.'),
    entry(how('heir', { triggers_others: true, begins: 9 }), 'A coin bears her face.'),
    entry(card('coin'), 'It is small.'),
  ]
  const search = { cards, matcher: cardMatcher(cards), moment: moment({}) }
  const cases: [text: string, names: string[]][] = [
    ['The mint.', ['mint', 'king', 'crown']],
    ['A crown.', ['crown']],
    ['The king.', []],
    ['The mint has money.', ['mint', 'money', 'king', 'crown']],
    ['The heir.', []],
  ]
  for (const [text, names] of cases)
    test(`triggers other cards: ${text}`, () => {
      const { hits } = hitsIn(text, search)
      expect(hits.map((hit) => cards[hit.card]?.name)).toEqual(names)
      for (const { at, why } of hits.filter(
        ({ card: i }) => ['king', 'crown'].includes(cards[i]?.name ?? '') && text !== 'A crown.',
      ))
        expect([at, why]).toEqual([-1, ['triggered by the text of another card']])
    })

  test('leads to cards that lead back, once', () => {
    const round = ['a-side', 'b-side'].map((name, i, both) =>
      entry(how(name, { triggers_others: true }), `To the ${both[1 - i]}.`),
    )
    const { hits } = hitsIn('a-side', { cards: round, matcher: cardMatcher(round), moment: moment({}) })
    expect(hits.map((hit) => round[hit.card]?.name)).toEqual(['a-side', 'b-side'])
  })
})
