import { describe, expect, test } from 'bun:test'
import { LineFilter } from '../../../src/domain/reply/line-filter.ts'
import { PathResolver } from '../../../src/domain/world/path-resolver.ts'
import { readRules } from '../../../src/domain/world/rules.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'
import { CASES_1 } from './blocks/cases-1.ts'
import { CASES_2 } from './blocks/cases-2.ts'
import { CASES_3 } from './blocks/cases-3.ts'
import { CASES_4 } from './blocks/cases-4.ts'
import { CASES_5 } from './blocks/cases-5.ts'

const CASES = [...CASES_1, ...CASES_2, ...CASES_3, ...CASES_4, ...CASES_5]
const paths = new PathResolver(readRules(LANTERN_ROCK))

/** Comments and texts of several lines, tags in mid-sentence: a part of the block is shown, or a break is shorter. */
const SHOWN_IN_PART = new Set([
  95, 99, 112, 185, 196, 225, 226, 274, 323, 346, 359, 361, 368, 369, 396, 398, 405,
])

/** What a reader sees of a reply. */
function heard(pieces: Iterable<string>): string {
  const filter = new LineFilter({ playerLines: [], paths })
  let prose = ''
  for (const piece of pieces) prose += filter.push(piece)
  return (prose + filter.end()).trim()
}

describe('a reply with a state block, which nobody asked for, is shown without it', () => {
  for (const [i, { kind, reply, prose }] of CASES.entries())
    test(`${kind} ${i}`, () => {
      const whole = heard([reply])
      expect(heard(reply)).toBe(whole)
      const shown = new Set(whole.split(/\s+/))
      expect(prose.split(/\s+/).filter((word) => !shown.has(word))).toEqual([])
      if (!SHOWN_IN_PART.has(i)) expect(whole).toBe(prose)
    })
})

test('there are ten replies of each kind, no two of them alike', () => {
  const kinds = Map.groupBy(CASES, ({ kind }) => kind)
  expect(kinds.size).toBeGreaterThanOrEqual(30)
  expect([...kinds.values()].filter((cases) => cases.length !== 10)).toEqual([])
  expect(new Set(CASES.map(({ reply }) => reply.replace(/\d/g, '0'))).size).toBe(CASES.length)
})
