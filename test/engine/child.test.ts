import { describe, expect, test } from 'bun:test'
import { engineSchema, StopTexts } from '../../src/engine/child/generate.ts'
import { PromptTokens } from '../../src/engine/child/template.ts'
import type { EngineMessage } from '../../src/engine/protocol.ts'

describe('a schema in the words of the engine', () => {
  test('choices and bounds, at any depth', () => {
    const schema = {
      type: 'object',
      properties: {
        edits: {
          type: 'array',
          maxItems: 8,
          items: {
            anyOf: [{ type: 'object', properties: { by: { type: 'integer', minimum: -1, maximum: 1 } } }],
          },
        },
      },
      required: ['edits'],
    }
    expect(engineSchema(schema)).toEqual({
      type: 'object',
      properties: {
        edits: {
          type: 'array',
          maxItems: 8,
          items: { oneOf: [{ type: 'object', properties: { by: { enum: [-1, 0, 1] } } }] },
        },
      },
      required: ['edits'],
    })
  })

  test('bounds that are far apart are left to the referee', () => {
    expect(engineSchema({ type: 'integer', minimum: 0, maximum: 9_999 })).toEqual({ type: 'integer' })
    expect(engineSchema({ type: 'integer', minimum: 5, maximum: 1 })).toEqual({ type: 'integer' })
  })
})

describe('texts that end a reply', () => {
  const all = (stops: string[], pieces: string[]) => {
    const texts = new StopTexts(stops)
    return pieces.map((piece) => texts.push(piece)).join('') + texts.end()
  }

  test.each<[string, string[], string[], string]>([
    ['none', [], ['The door', ' opens.'], 'The door opens.'],
    ['in one piece', ['\n> '], ['The door.\n> You go'], 'The door.'],
    ['in pieces', ['\n> You'], ['The door.', '\n', '> ', 'You', ' go'], 'The door.'],
    ['the first of several', ['<b>', '<a>'], ['x<a>y<b>'], 'x'],
    ['begun and not ended', ['\n> You'], ['The door.', '\n> '], 'The door.\n> '],
  ])('%s', (_, stops, pieces, text) => {
    expect(all(stops, pieces)).toBe(text)
  })
})

describe('a prompt in the chat template', () => {
  class Template {
    render({ messages }: { messages: EngineMessage[] }) {
      return `${messages.map(({ role, content }) => `<${role}>${content}</${role}>`).join('')}<assistant>`
    }
  }
  const library = {
    LlamaText: (parts: string[]) => ({ tokenize: () => [parts.map(String).join('')] }),
    SpecialTokensText: class {
      constructor(readonly text: string) {}
      toString = () => this.text
    },
  }
  const model = { fileInfo: { metadata: {} }, tokens: { bos: null, shouldPrependBosToken: false } }
  const prompt = new PromptTokens(library as never, model as never, Template as never)

  test.each<[string, EngineMessage[], string]>([
    ['asks for a reply', [{ role: 'user', content: 'Hm?' }], '<user>Hm?</user><assistant>'],
    [
      'leaves its own last message open',
      [
        { role: 'user', content: 'Hm?' },
        { role: 'assistant', content: 'Mara' },
      ],
      '<user>Hm?</user><assistant>Mara',
    ],
  ])('%s', (_, messages, text) => {
    expect(prompt.of(messages, {}).map(String)).toEqual([text])
  })
})
