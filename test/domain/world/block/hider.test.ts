import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { StateBlock } from '../../../../src/domain/world/block/delta.ts'
import { Hider } from '../../../../src/domain/world/block/hider.ts'
import { PathResolver } from '../../../../src/domain/world/block/path-resolver.ts'
import { readRules } from '../../../../src/domain/world/rules.ts'
import { runs } from '../../../support/depth.ts'
import { LANTERN_ROCK } from '../../../support/stories/worlds.ts'
import { CASES_1 } from './replies/cases-1.ts'
import { CASES_3 } from './replies/cases-3.ts'
import { CASES_5 } from './replies/cases-5.ts'

const paths = new PathResolver(readRules(LANTERN_ROCK))
const F = '```'

function heard(pieces: Iterable<string>): { prose: string; blocks: StateBlock[] } {
  const hider = new Hider(paths)
  let prose = ''
  for (const piece of pieces) prose += hider.push(piece)
  return { prose: prose + hider.end(), blocks: hider.blocks }
}

/** A text in pieces that end at some places. */
function cutAt(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
  return [...ends, text.length].map((end, i) => text.slice(ends[i - 1] ?? 0, end))
}

const scraps = fc.constantFrom(
  '```',
  '``',
  '`',
  '~~~',
  '{',
  '}',
  '[',
  ']',
  '"',
  '“',
  ':',
  ',',
  '\n',
  '\n\n',
  ' ',
  'state',
  'state_delta',
  'json',
  '<state>',
  '</state>',
  'State delta:',
  '**',
  '"player.warmth"',
  'player.warmth',
  '"from"',
  '-5',
  'true',
  '// cold',
  '#',
  'The door opens.',
  'She said: no',
  '🦊',
)
const replies = fc.oneof(
  fc.array(scraps, { maxLength: 40 }).map((some) => some.join('')),
  fc.constantFrom(...[...CASES_1, ...CASES_3, ...CASES_5].map(({ reply }) => reply)),
)

describe('whatever the pieces', () => {
  test('the prose and the blocks are the same', () => {
    fc.assert(
      fc.property(replies, fc.array(fc.nat(4_000), { maxLength: 12 }), (reply, places) => {
        const whole = heard([reply])
        expect(heard(cutAt(reply, places))).toEqual(whole)
        expect(heard(reply)).toEqual(whole)
      }),
      { numRuns: runs(20_000) },
    )
  })

  test('what is shown is never taken back, and outside a block little is held', () => {
    fc.assert(
      fc.property(replies, (reply) => {
        const hider = new Hider(paths)
        let [shown, fed, blocks] = ['', 0, 0]
        for (const c of reply) {
          shown += hider.push(c)
          fed += c.length
          if (hider.blocks.length > blocks) [blocks, shown, fed] = [hider.blocks.length, '', 0]
          // Inside a block nothing is shown; the prose before it is not held for it.
          if (!/[{`~<[]|state|delta|["“]|true|:/i.test(reply.slice(0, fed)))
            expect(fed - shown.length).toBeLessThan(130)
        }
      }),
      { numRuns: runs(5_000) },
    )
  })

  test('a reply that breaks off anywhere shows the beginning of its prose, and no character of its block', () => {
    const prose = 'The lamp gutters; she *waits*.\n\n“Well?” says Ottoline.'
    for (const block of [
      `\n\n${F}state_delta\n{"player.warmth": -5, "player.coat": "red"}\n${F}`,
      `\n${F}json\n{"player.warmth": -5}\n${F}`,
      '\n{"player.warmth": -5}',
      '\n<state>\n{"player.warmth": -5}\n</state>',
      `\n~~~state\nplayer.warmth: -5\n~~~`,
    ]) {
      const reply = prose + block
      for (let end = 1; end <= reply.length; end++) {
        const shown = heard([reply.slice(0, end)]).prose.trimEnd()
        expect([prose.startsWith(shown), end < prose.length || shown === prose]).toEqual([true, true])
      }
    }
  })
})
