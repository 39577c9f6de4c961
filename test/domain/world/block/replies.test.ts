import { describe, expect, test } from 'bun:test'
import { parseDelta } from '../../../../src/domain/world/block/delta.ts'
import { Hider } from '../../../../src/domain/world/block/hider.ts'
import { PathResolver } from '../../../../src/domain/world/block/path-resolver.ts'
import { referee } from '../../../../src/domain/world/referee.ts'
import { readRules } from '../../../../src/domain/world/rules.ts'
import { instantiate } from '../../../../src/domain/world/state.ts'
import { LANTERN_ROCK } from '../../../support/stories/worlds.ts'
import { CASES_1 } from './replies/cases-1.ts'
import { CASES_2 } from './replies/cases-2.ts'
import { CASES_3 } from './replies/cases-3.ts'
import { CASES_4 } from './replies/cases-4.ts'
import { CASES_5 } from './replies/cases-5.ts'

const CASES = [...CASES_1, ...CASES_2, ...CASES_3, ...CASES_4, ...CASES_5]
const paths = new PathResolver(readRules(LANTERN_ROCK))

/** What a reader sees of a reply, and what is changed by it, from a fresh world at action 4. */
function heard(pieces: Iterable<string>) {
  const hider = new Hider(paths)
  let prose = ''
  for (const piece of pieces) prose += hider.push(piece)
  prose += hider.end()
  const { delta } = parseDelta(hider.blocks, paths)
  const { verdicts } = referee(LANTERN_ROCK, instantiate(LANTERN_ROCK), delta, 4)
  const changes = verdicts.flatMap((one) => {
    if (one.verdict === 'refused') return []
    const isFlag = one.path.startsWith('flags.')
    return [[one.path, isFlag ? one.given : typeof one.asked === 'string' ? one.asked.trim() : one.asked]]
  })
  return { prose: prose.trim(), changes: Object.fromEntries(changes) }
}

describe('a reply that a model has botched is read as a person would read it', () => {
  for (const [i, { kind, reply, prose, changes }] of CASES.entries())
    test(`${kind} ${i}`, () => {
      expect(heard([reply])).toEqual({ prose, changes })
      expect(heard(reply)).toEqual({ prose, changes })
    })
})

test('there are ten replies of each kind, no two of them alike', () => {
  const kinds = Map.groupBy(CASES, ({ kind }) => kind)
  expect(kinds.size).toBeGreaterThanOrEqual(30)
  expect([...kinds.values()].filter((cases) => cases.length !== 10)).toEqual([])
  expect(new Set(CASES.map(({ reply }) => reply.replace(/\d/g, '0'))).size).toBe(CASES.length)
})
