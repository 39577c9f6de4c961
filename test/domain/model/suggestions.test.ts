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
    [
      // Qwen2.5 1.5B, cut by the schema.
      'up to a sentence or a clause, if they were cut',
      '{"careful":"You carefully open the green book at the ribbon. It is a novel about love and a girl who lives by a寻","bold":"You see that the lantern is hanging over the door, and a book is bound in green cloth and still dampis","unexpected":"轻轻地打开那本绿色的书，' +
        '看'.repeat(89) +
        '"}',
      [
        'carefully open the green book at the ribbon',
        'see that the lantern is hanging over the door',
        '轻轻地打开那本绿色的书',
      ],
    ],
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

  test('without sentences of the story and lines of the player', () => {
    // Qwen2.5 1.5B.
    const answer =
      '{"careful":"pick up the green book","bold":"Marmalade, did you bring this?","unexpected":"You look at the man"}'
    const told = [
      '"Marmalade, did you bring this?"',
      'You look at the man.',
      'You pick up the green book with care.',
    ]
    expect(parseSuggestions(answer, told)).toEqual([{ manner: 'careful', text: 'pick up the green book' }])
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
