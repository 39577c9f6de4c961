import { describe, expect, test } from 'bun:test'
import { parseSuggestions, suggestionsFrom, suggestionTask } from '../../../src/domain/model/suggestions.ts'

const texts = (answer: string) => parseSuggestions(answer).map(({ text }) => text)

describe('suggestions are read', () => {
  const cases: [name: string, answer: string, texts: string[]][] = [
    ['as they should be', '{"careful":"wait","bold":"run","unexpected":"sing"}', ['wait', 'run', 'sing']],
    ['from what stands around them', 'Sure! ```json\n{"careful":"wait"}\n```', ['wait']],
    [
      'as the player would type them',
      '{"careful":"> You open the door.","bold":"I  run\\naway"}',
      ['open the door', 'run away'],
    ],
    ['without what names nobody', '{"careful":"You","bold":"I, Maren, run..."}', ['You', 'I, Maren, run...']],
    [
      'once where two say the same',
      '{"careful":"Wait!","bold":"wait","unexpected":"sing"}',
      ['wait', 'sing'],
    ],
    ['without empty and long ones', `{"careful":" ","bold":"${'x'.repeat(121)}","unexpected":7}`, []],
    ['without numbers of a list', '{"careful":"1. Wait.","bold":"2) I run"}', ['Wait', 'run']],
    ['without those that have no word', '{"careful":"116 451","bold":"...","unexpected":"sing"}', ['sing']],
    ['as none', 'I would open the door.', []],
    ['as none in a list', '["wait"]', []],
    ['in any script', '{"careful":"静かに待つ。"}', ['静かに待つ。']],
  ]
  for (const [name, answer, expected] of cases)
    test(name, () => {
      expect(texts(answer)).toEqual(expected)
    })

  test('from a column that another program has written', () => {
    expect(suggestionsFrom('x')).toEqual([])
    expect(suggestionsFrom([null, { manner: 'rude', text: 'a' }, { manner: 'bold', text: 5 }])).toEqual([])
    expect(suggestionsFrom([{ manner: 'bold', text: 'run', more: 1 }])).toEqual([
      { manner: 'bold', text: 'run' },
    ])
  })
})

test('the request shows how the player types, and what is so', () => {
  const task = suggestionTask(['open the door', '"Hello."'], '[World state now (totals):\nYou: health 3.]')
  expect(task).toContain('- open the door\n- "Hello."')
  expect(task).toContain('You: health 3.]\nSuggest nothing that these rule out.')
  expect(suggestionTask([], '')).not.toContain('types like this')
})
