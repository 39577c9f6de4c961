import { describe, expect, test } from 'bun:test'
import { LineFilter } from '../../../src/domain/reply/line-filter.ts'
import { type FilteredPart, MarkFilter } from '../../../src/domain/reply/mark-filter.ts'
import { PathResolver } from '../../../src/domain/world/path-resolver.ts'
import { readRules } from '../../../src/domain/world/rules.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'
import QWEN from './replies/qwen.json'
import SMOLLM from './replies/smollm2.json'

const REPLIES: { note: string; line: string; notes?: string; raw: string; expected: string }[] = [
  ...SMOLLM,
  ...QWEN,
]

const paths = new PathResolver(readRules(LANTERN_ROCK))

function cleaned(pieces: Iterable<string>, line: string, notes: readonly string[]): string {
  const marks = new MarkFilter()
  const lines = new LineFilter({ playerLines: [line], notes, paths })
  let prose = ''
  const take = (parts: Iterable<FilteredPart>) => {
    for (const part of parts) if (part.kind === 'text') prose += lines.push(part.text)
  }
  for (const piece of pieces) take(marks.push(piece))
  take(marks.end())
  return (prose + lines.end()).trim()
}

/** What SmolLM2 135M and Qwen2.5 1.5B said in stories; what a reader would want of it was decided by reading. */
describe('a reply of a small model is read as a person would want it', () => {
  for (const [i, { note, line, notes, raw, expected }] of REPLIES.entries())
    test(`${i}: ${note}`, () => {
      const sent = notes === undefined ? [] : [notes]
      expect(cleaned([raw], line, sent)).toBe(expected)
      expect(cleaned(raw, line, sent)).toBe(expected)
      expect(cleaned(raw.split(/(?<= )/), line, sent)).toBe(expected)
    })

  test('there are sixty, no two of them alike', () => {
    expect(REPLIES.length).toBeGreaterThanOrEqual(60)
    expect(new Set(REPLIES.map(({ raw }) => raw)).size).toBe(REPLIES.length)
  })
})
