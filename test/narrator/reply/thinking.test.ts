import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Piece } from '../../../src/domain/model/model-request.ts'
import { ThinkingSplitter } from '../../../src/narrator/thinking.ts'

function split(...texts: string[]): string[] {
  const splitter = new ThinkingSplitter()
  const pieces = [...texts.flatMap((text) => [...splitter.push(text)]), ...splitter.finish()]
  return joined(pieces)
}

function joined(pieces: readonly Piece[]): string[] {
  const all: [string, string][] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    const text = 'text' in piece ? piece.text : ''
    if (last?.[0] === piece.kind) last[1] += text
    else all.push([piece.kind, text])
  }
  return all.map(([kind, text]) => (text ? `${kind}: ${text}` : kind))
}

describe('literal thinking tags', () => {
  test.each([
    ['no tag', ['The door opens.'], ['text: The door opens.']],
    ['a thought first', ['<think>hm</think>The door'], ['thinking: hm', 'text: The door']],
    ['the longer tag', ['<thinking>hm</thinking>The door'], ['thinking: hm', 'text: The door']],
    ['in capitals', ['<THINK>hm</Think>The door'], ['thinking: hm', 'text: The door']],
    [
      'cut anywhere',
      ['<th', 'ink', '>h', 'm<', '/thi', 'nk>The', ' door'],
      ['thinking: hm', 'text: The door'],
    ],
    ['a thought between', ['The <think>hm</think>door'], ['text: The ', 'thinking: hm', 'text: door']],
    ['never closed', ['<think>hm, the'], ['thinking: hm, the']],
    ['an open tag inside a thought', ['<think>a <think> b</think>c'], ['thinking: a <think> b', 'text: c']],
    ['opened in the prompt', ['hm</think>The door'], ['text: hm', 'recast', 'text: The door']],
    ['opened in the prompt, closed at once', ['</think>The door'], ['text: The door']],
    ['a second close', ['<think>a</think>b</think>c'], ['thinking: a', 'text: b', 'recast', 'text: c']],
    ['what only looks like a tag', ['a <thin line> and 1 < 2'], ['text: a <thin line> and 1 < 2']],
    ['a tag begun at the end', ['The door <thi'], ['text: The door <thi']],
    ['other markup', ['<b>The</b> <thinker>'], ['text: <b>The</b> <thinker>']],
  ])('%s', (_name, texts, pieces) => expect(split(...texts)).toEqual(pieces))

  const words = fc.string({
    unit: fc.constantFrom('a', 'ß', '🌲', ' ', '\n', '>', '/'),
    minLength: 1,
    maxLength: 8,
  })
  const tags = fc.constantFrom(['<think>', '</think>'], ['<thinking>', '</thinking>'])
  const part = fc.record({ text: words, thought: words, tags })

  test('come out alike however the pieces are cut', () =>
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
  const places = [0, ...new Set(cuts.filter((cut) => cut < text.length).sort((a, b) => a - b)), text.length]
  return places.slice(1).map((end, at) => text.slice(places[at], end))
}
