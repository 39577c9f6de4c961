import { describe, expect, test } from 'bun:test'
import {
  filledCards,
  filledPassage,
  filledSchemaForModel,
  filledState,
} from '../../../src/domain/prompt/filled-texts.ts'
import { answersOrNames, filledCard, openQuestionsOf } from '../../../src/domain/start-from-scenario.ts'
import { EMPTY_CARD } from '../../../src/domain/story-card.ts'
import { type Answers, fillWithNames } from '../../../src/domain/text/placeholder.ts'

const card = (fields: object) => ({
  ...EMPTY_CARD,
  ...{ id: 7, scenario_id: null, adventure_id: 1, source_ref: null },
  ...fields,
})

describe('what the model is sent of a placeholder', () => {
  const cases: [what: string, text: string, answers: Answers, sent: string][] = [
    ['its answer', '${A} and ${ A }', { A: 'Mira' }, 'Mira and Mira'],
    ['an empty answer', 'a${A}b', { A: '' }, 'ab'],
    ['its name without an answer', '${Your name} waits.', {}, 'Your name waits.'],
    ['the trimmed name', '${ Your name } waits.', { Other: 'x' }, 'Your name waits.'],
    ['nothing where it is blank', 'a${ }b${}c', { '': 'x' }, 'abc'],
    ['nothing that looks like one again', '${a${b}}', {}, 'ab}'],
    ['what is no placeholder', 'costs $5, ${ and no end', {}, 'costs $5, ${ and no end'],
    ['what an answer has in it', '${A}', { A: '${B}' }, '${B}'],
    ['what an answer brought into the text', 'I am ${B}.', { A: '${B}' }, 'I am ${B}.'],
    ['no property of every object', '${constructor} ${__proto__}', {}, 'constructor __proto__'],
    ['an answer as it stands', '${A}', { A: "$& $1 $'" }, "$& $1 $'"],
  ]
  for (const [what, text, answers, sent] of cases)
    test(what, () => expect(fillWithNames(text, answers)).toBe(sent))

  test('is the same for keys, names and entries; a card without one is not copied', () => {
    const plain = card({ name: 'Lamp', keys: 'lamp', entry: 'It burns.' })
    const [same, filled] = filledCards([plain, card({ name: '${A}', keys: '${A}, boat', entry: '${B}' })], {
      A: 'Mira',
    })
    expect(same).toBe(plain)
    expect(filled).toMatchObject({ name: 'Mira', keys: 'Mira, boat', entry: 'B' })
  })

  for (const [type, sent] of [
    ['start', 'A'],
    ['ai', '${A}'],
    ['do', '${A}'],
    ['story', '${A}'],
  ])
    test(`of the passages in the opening alone: ${type}`, () =>
      expect(filledPassage({ type: `${type}`, text: '${A}' }, () => ({})).text).toBe(`${sent}`))

  test('in stats is filled, in values where the stats ask for it', () => {
    const schema = { player: { coat: { type: 'text', initial: '${A}’s coat', desc: 'Of ${A}' } } }
    expect(filledSchemaForModel(schema, {})).toEqual({
      player: { coat: { type: 'text', initial: 'A’s coat', desc: 'Of A' } },
    })
    const state = { player: { coat: '${A}’s coat', hat: '${mine}' } }
    expect(filledState(state, schema, {})).toEqual({ player: { coat: 'A’s coat', hat: '${mine}' } })
    expect(filledState(state, schema, { A: 'Mira' })).toEqual({
      player: { coat: 'Mira’s coat', hat: '${mine}' },
    })
  })
})

describe('the questions that a story still asks', () => {
  const texts = {
    prompt: '${1}',
    memory: '${2} ${1}',
    authors_note: '',
    ai_instructions: '',
    example_dialogue: '',
    stat_schema: null,
  }
  const open = (answers: Answers) =>
    openQuestionsOf({ ...texts, answers, cards: [card({ name: '${no}', keys: '${3}', entry: '${4}' })] })

  test('are those of its own texts, in order', () => expect(open({})).toEqual(['1', '2', '3', '4']))
  test('are not asked once they are answered', () => expect(open({ 1: 'x', 3: '' })).toEqual(['2', '4']))
  test('are not what an answer brought in', () => expect(open({ 1: '${2}', 9: '${3}' })).toEqual(['4']))
  test('have their names for blank answers', () =>
    expect(answersOrNames(['a', 'b', 'c', 'x${y'], { a: 'A ', b: ' ' })).toEqual({
      ...{ a: 'A ', b: 'b', c: 'c' },
      'x${y': 'xy',
    }))
  test('are filled in a card as a new story has them', () => {
    const asking = { name: '${A}', keys: '${A}', entry: '${A} ${B}', notes: '${A}' }
    expect(filledCard(card(asking), { A: 'x' })).toEqual({ name: '${A}', keys: 'x', entry: 'x ${B}' })
    expect(filledCard(card({ ...asking, source_ref: 'npc:a' }), { A: 'x' }).name).toBe('x')
    expect(filledCard(card(asking), { C: 'x' })).toEqual({})
  })
})
