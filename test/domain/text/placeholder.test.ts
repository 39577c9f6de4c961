import { describe, expect, test } from 'bun:test'
import { EMPTY_SCENARIO, type ScenarioFields } from '../../../src/domain/scenario.ts'
import { beginningOf, questionsOf, questionsWithPlaces } from '../../../src/domain/start-from-scenario.ts'
import type { CardFields } from '../../../src/domain/story-card.ts'
import type { Answers } from '../../../src/domain/text/placeholder.ts'

const scenario = (fields: Partial<ScenarioFields>) => ({
  ...EMPTY_SCENARIO,
  ...fields,
  id: 1,
  created_at: '',
  updated_at: '',
})
const card = (fields: Partial<CardFields>) => ({
  id: 7,
  scenario_id: 1,
  adventure_id: null,
  type: '',
  name: '',
  keys: '',
  entry: '',
  notes: '',
  ...fields,
})

describe('questions', () => {
  const cases: [what: string, fields: Partial<ScenarioFields>, asked: string[]][] = [
    ['P1 are asked once', { prompt: '${Hero} wakes.', memory: '${Hero} is brave.' }, ['Hero']],
    ['P2 have no white space around them', { prompt: '${ Hero }', memory: '${Hero}' }, ['Hero']],
    ['P3 differ by the case of a letter', { prompt: '${hero} ${Hero}' }, ['hero', 'Hero']],
    ['P4 have words', { prompt: '${} ${  } $ {x} ${' }, []],
    ['have an end', { prompt: '${a} ${b', memory: '${c ${d} ${e' }, ['a', 'c ${d']],
    [
      'can be a whole sentence',
      { prompt: '${What is your name, "friend"? (first.)}' },
      ['What is your name, "friend"? (first.)'],
    ],
    [
      'P8 may stand with a character alone',
      {
        stat_schema: {
          npcs: { mira: { name: '${A}', keys: '${B}', desc: '${C}', stats: { x: { desc: '${D}' } } } },
        },
      },
      ['A', 'B', 'C', 'D'],
    ],
    [
      'may stand with what is counted',
      { stat_schema: { player: { hp: { desc: '${How hurt}' } } } },
      ['How hurt'],
    ],
    ['P10 are none where only people look', { title: '${X}', description: '${X}', tags: '${X}' }, []],
    [
      'keep the order of their places',
      { ai_instructions: '${4}', authors_note: '${3}', memory: '${2}', prompt: '${1}' },
      ['1', '2', '3', '4'],
    ],
  ]
  for (const [what, fields, asked] of cases)
    test(what, () => expect(questionsOf(scenario(fields), [])).toEqual(asked))

  test('P10 are none in the name, the kind and the notes of a card', () =>
    expect(questionsOf(scenario({}), [card({ name: '${X}', type: '${X}', notes: '${X}' })])).toEqual([]))

  test('name all their places', () =>
    expect(
      questionsWithPlaces(
        scenario({ prompt: '${A} ${A}', stat_schema: { npcs: { mira: { name: 'Mira', desc: '${A}' } } } }),
        [card({ name: 'Lamp', keys: '${A}', entry: '${B}' })],
      ),
    ).toEqual([
      {
        name: 'A',
        places: [
          { at: 'prompt', name: '' },
          { at: 'card', name: 'Lamp' },
          { at: 'character', name: 'Mira' },
        ],
      },
      { name: 'B', places: [{ at: 'card', name: 'Lamp' }] },
    ]))
})

describe('answers', () => {
  const cases: [what: string, text: string, answers: Answers, filled: string][] = [
    ['P2 fill it however it is spaced', '${ Hero } and ${Hero}', { Hero: 'Mira' }, 'Mira and Mira'],
    ['P3 fill their own question alone', '${hero} ${Hero}', { Hero: 'Mira' }, '${hero} Mira'],
    ['P4 leave what asks nothing', '${} ${ }', { '': 'x' }, '${} ${ }'],
    ['P5 are not filled again', '${A}', { A: '${B}', B: 'x' }, '${B}'],
    ['P6 may be empty', 'a${A}b', { A: '' }, 'ab'],
    ['P7 that were not given leave the question', 'a ${A}', {}, 'a ${A}'],
    ['are no properties of every object', '${constructor} ${__proto__}', {}, '${constructor} ${__proto__}'],
    ['stand as they are', '${A}', { A: "$& $1 $'" }, "$& $1 $'"],
  ]
  for (const [what, text, answers, filled] of cases)
    test(what, () => expect(beginningOf(scenario({ memory: text }), [], answers).memory).toBe(filled))

  test('P8 fill the texts of characters, and P10 leave the name of a card', () => {
    const schema = { npcs: { mira: { name: '${A}', keys: '${A}', desc: '${A} waits.', stats: {} } } }
    const { cards, stat_schema } = beginningOf(
      scenario({ stat_schema: schema }),
      [card({ name: '${A}', keys: '${A}', entry: '${A}', notes: '${A}' })],
      { A: 'Mira' },
    )
    expect(cards).toMatchObject([
      { name: '${A}', keys: 'Mira', entry: 'Mira', notes: '${A}', source_ref: 'card:7' },
    ])
    expect(stat_schema).toMatchObject({ npcs: { mira: { name: 'Mira', keys: 'Mira', desc: 'Mira waits.' } } })
  })

  test('P8 of a character that no card is named after make a card', () => {
    const npcs = { mira: { name: '${A}', desc: '${A} waits.' }, gull: { desc: ' ' } }
    expect(beginningOf(scenario({ stat_schema: { npcs } }), [], { A: 'Mira' }).cards).toEqual([
      {
        type: 'character',
        name: 'Mira',
        keys: 'Mira',
        entry: 'Mira waits.',
        notes: '',
        source_ref: 'npc:mira',
      },
    ])
  })
})
