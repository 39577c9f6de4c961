import { describe, expect, test } from 'bun:test'
import {
  embeddedTextFor,
  embeddedTurn,
  embeddingModel,
  passageInContext,
} from '../../../src/domain/recall/embedded-text.ts'

describe('prefixes', () => {
  const rows: [model: string, memory: string, query: string, name: string][] = [
    ['multilingual-e5-small', 'passage: A.', 'query: A.', 'passage in context: multilingual-e5-small'],
    ['intfloat/e5-base-v2', 'passage: A.', 'query: A.', 'passage in context: intfloat/e5-base-v2'],
    ['E5-large.Q8_0.gguf', 'passage: A.', 'query: A.', 'passage in context: E5-large.Q8_0.gguf'],
    ['multilingual-e5-large-instruct', 'A.', 'A.', 'in context: multilingual-e5-large-instruct'],
    ['e5-mistral-7b', 'A.', 'A.', 'in context: e5-mistral-7b'],
    ['nomic-embed-text', 'A.', 'A.', 'in context: nomic-embed-text'],
    ['the5th', 'A.', 'A.', 'in context: the5th'],
    ['bge-m3-e52', 'A.', 'A.', 'in context: bge-m3-e52'],
  ]
  for (const [model, memory, query, name] of rows)
    test(`of ${model}`, () => {
      const form = embeddedTextFor(model)
      expect([form.passage('A.'), form.query('A.'), form.name]).toEqual([memory, query, name])
    })
})

test('a request says what its texts are where the model makes a difference', () => {
  const asked = (model: string) => embeddingModel(embeddedTextFor(model), model, 'passage')
  expect(asked('e5-small')).toEqual({ model: 'e5-small', input_type: 'passage' })
  // OpenAI refuses what it does not know.
  expect(asked('text-embedding-3-small')).toEqual({ model: 'text-embedding-3-small' })
})

test('a passage is embedded behind the end of the one before it', () => {
  expect(passageInContext({ text: 'She nods.', before: '' })).toBe('She nods.')
  expect(passageInContext({ text: 'She nods.', before: 'Ada waits.' })).toBe('Ada waits.\nShe nods.')
  expect(passageInContext({ text: 'She nods.', before: 'x'.repeat(5_000) })).toHaveLength(510)
})

describe('what is embedded of a turn', () => {
  const long = `${'The road goes on. '.repeat(40)}A hound barks.`

  test('is the line alone, without its mark', () =>
    expect(embeddedTurn({ newest: [long], line: '> You whistle.' }).line).toBe('You whistle.'))

  test('is what is said, of a speech', () =>
    expect(embeddedTurn({ newest: [], line: '> You say "Where is Ada?"' }).line).toBe('Where is Ada?'))

  test('is the end of the newest passage, from the start of a sentence', () => {
    const { passage } = embeddedTurn({ newest: ['Old.', long], line: '' })
    expect(passage).toStartWith('The road')
    expect(passage).toEndWith('A hound barks.')
    expect(passage.length).toBeLessThanOrEqual(200)
  })

  const passages: [what: string, text: string, end: string][] = [
    ['a short one is whole', 'Rain. Wind.', 'Rain. Wind.'],
    [
      'a sentence that is too long is cut at its end',
      `${'on and '.repeat(60)}on`,
      `${'on and '.repeat(60)}on`.slice(-200),
    ],
    ['a speech ends a sentence', `${'x'.repeat(190)} “Go!” He went far away.`, 'He went far away.'],
    ['none', '', ''],
  ]
  for (const [what, text, end] of passages)
    test(what, () => expect(embeddedTurn({ newest: [text], line: '' }).passage).toBe(end))

  test('keeps the end of an endless line', () => {
    const { line } = embeddedTurn({ newest: [], line: `${'a '.repeat(3_000)}end` })
    expect(line).toHaveLength(1_500)
    expect(line).toEndWith('end')
  })
})
