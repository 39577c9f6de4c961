import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ReplyPart } from '../../../src/domain/model/model-request.ts'
import { ThinkingSplitter } from '../../../src/narrator/reply/thinking.ts'

function split(...texts: string[]): string[] {
  const splitter = new ThinkingSplitter()
  const parts = [...texts.flatMap((text) => [...splitter.push(text)]), ...splitter.finish()]
  return joined(parts)
}

function joined(parts: readonly ReplyPart[]): string[] {
  const all: [string, string][] = []
  for (const part of parts) {
    const last = all.at(-1)
    const text = 'text' in part ? part.text : ''
    if (last?.[0] === part.kind) last[1] += text
    else all.push([part.kind, text])
  }
  return all.map(([kind, text]) => (text ? `${kind}: ${text}` : kind))
}

describe('literal thinking tags', () => {
  test.each([
    ['no tag', ['The door opens.'], ['text: The door opens.']],
    ['reasoning first', ['<think>hm</think>The door'], ['thinking: hm', 'text: The door']],
    ['the longer tag', ['<thinking>hm</thinking>The door'], ['thinking: hm', 'text: The door']],
    ['in capitals', ['<THINK>hm</Think>The door'], ['thinking: hm', 'text: The door']],
    [
      'split anywhere',
      ['<th', 'ink', '>h', 'm<', '/thi', 'nk>The', ' door'],
      ['thinking: hm', 'text: The door'],
    ],
    ['reasoning in the middle', ['The <think>hm</think>door'], ['text: The ', 'thinking: hm', 'text: door']],
    ['never closed', ['<think>hm, the'], ['thinking: hm, the']],
    [
      'an opening tag inside reasoning',
      ['<think>a <think> b</think>c'],
      ['thinking: a <think> b', 'text: c'],
    ],
    ['opened in the prompt', ['hm</think>The door'], ['text: hm', 'recast', 'text: The door']],
    ['opened in the prompt, closed at once', ['</think>The door'], ['text: The door']],
    ['a second closing tag', ['<think>a</think>b</think>c'], ['thinking: a', 'text: b', 'recast', 'text: c']],
    ['text that looks like a tag', ['a <thin line> and 1 < 2'], ['text: a <thin line> and 1 < 2']],
    ['half a tag at the end', ['The door <thi'], ['text: The door <thi']],
    ['other markup', ['<b>The</b> <thinker>'], ['text: <b>The</b> <thinker>']],
  ])('%s', (_name, texts, parts) => expect(split(...texts)).toEqual(parts))

  const words = fc.string({
    unit: fc.constantFrom('a', 'ß', '🌲', ' ', '\n', '>', '/'),
    minLength: 1,
    maxLength: 8,
  })
  const tags = fc.constantFrom(['<think>', '</think>'], ['<thinking>', '</thinking>'])
  const part = fc.record({ text: words, thought: words, tags })

  test('give the same result wherever the chunks are split', () =>
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), fc.array(fc.nat(80)), (parts, cuts) => {
        const whole = parts.map(({ text, thought, tags }) => text + tags.join(thought)).join('')
        const expected = parts.flatMap(({ text, thought }) => [`text: ${text}`, `thinking: ${thought}`])
        expect(split(...cutAt(whole, cuts))).toEqual(expected)
      }),
      { numRuns: 2_000 },
    ))
})

function cutAt(text: string, cuts: readonly number[]): string[] {
  const bounds = [0, ...new Set(cuts.filter((cut) => cut < text.length).sort((a, b) => a - b)), text.length]
  return bounds.slice(1).map((end, at) => text.slice(bounds[at], end))
}
