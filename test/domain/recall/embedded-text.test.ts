import { describe, expect, test } from 'bun:test'
import {
  embeddedLine,
  embeddedTextFor,
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

describe('what is embedded of a line', () => {
  const rows: [what: string, line: string, embedded: string][] = [
    ['the line, without its mark', '> You whistle.', 'You whistle.'],
    ['of a speech what is said', '> You say "Where is Ada?"', 'Where is Ada?'],
    ['the end of an endless one', `${'a '.repeat(3_000)}end`, `${'a '.repeat(3_000)}end`.slice(-1_500)],
  ]
  for (const [what, line, embedded] of rows) test(what, () => expect(embeddedLine(line)).toBe(embedded))
})
