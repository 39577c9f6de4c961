import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ReplyCleaner } from '../../../src/domain/reply/reply-cleaner.ts'
import { PathResolver } from '../../../src/domain/world/block/path-resolver.ts'
import { readRules } from '../../../src/domain/world/rules.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'
import { cutAnywhere } from './pieces.ts'

const BLOCK = '```state_delta\n{"player.warmth": -3}\n```'
const paths = new PathResolver(readRules(LANTERN_ROCK))

function cleaned(pieces: Iterable<string>, resolver: PathResolver | null = paths) {
  const cleaner = new ReplyCleaner(resolver, { playerLines: ['> You open the door.'] })
  let prose = ''
  for (const piece of pieces) prose += cleaner.push(piece)
  prose += cleaner.end()
  const { blocks, hasCleaned, isEnded } = cleaner
  return { prose: prose.trim(), blocks: blocks.length, hasCleaned, isEnded }
}

test.each<[string, object]>([
  [`The door opens.\n\n${BLOCK}`, { prose: 'The door opens.', blocks: 1, hasCleaned: false }],
  [`The door opens.\n\n${BLOCK}<|im_end|>`, { prose: 'The door opens.', blocks: 1, isEnded: true }],
  [`The door opens.<|im_end|>\n${BLOCK}`, { prose: 'The door opens.', blocks: 0, hasCleaned: true }],
  [`The door opens.\nUser: I go in.\n${BLOCK}`, { prose: 'The door opens.', blocks: 0, isEnded: true }],
  [
    `<|im_start|>assistant\nNarrator: It is dark.\n${BLOCK}`,
    { prose: 'It is dark.', blocks: 1, isEnded: false },
  ],
  [
    `You open the door.\n\nIt is dark.\n\n[World state now (totals):\nYou: warm.]\n${BLOCK}`,
    { prose: 'It is dark.', blocks: 1 },
  ],
])('%j', (reply, expected) => {
  expect(cleaned([reply])).toMatchObject(expected)
  expect(cleaned(reply)).toMatchObject(expected)
})

test('a story without stats keeps what looks like a block', () => {
  expect(cleaned([`The note says:\n\n${BLOCK}`], null)).toMatchObject({ prose: `The note says:\n\n${BLOCK}` })
})

test('however a reply is cut, the prose and the blocks are the same', () => {
  const scrap = fc.constantFrom(BLOCK, '\n', '<|im_end|>', '<|im_start|>', 'user', 'User:', 'The door ', '{}', '```', '[', ']', 'World lore: ') // biome-ignore format: one list
  const reply = fc.array(scrap, { maxLength: 8 }).map((scraps) => scraps.join(''))
  fc.assert(
    fc.property(reply, fc.array(fc.nat({ max: 30 })), (text, cuts) => {
      expect(cleaned(cutAnywhere(text, cuts))).toEqual(cleaned([text]))
    }),
    { numRuns: 500 },
  )
})
