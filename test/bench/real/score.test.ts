import { describe, expect, test } from 'bun:test'
import { scoreReply } from '../../../bench/real/score.ts'
import { changesIn, judge } from '../../../bench/real/score-changes.ts'

const LINE = 'ring the first bell by hand'
const EARLIER = ['The key is heavy in your hand. Brisa laughs at the pigeon.']
const NEW = 'The bell swings once, and every shutter in the square folds open.'

test.each<[what: string, text: string, score: object]>([
  ['something new', NEW, { own: 12, actsForPlayer: false, good: true }],
  ['the line again', 'You ring the first bell by hand.', { own: 0, copiesLine: true, good: false }],
  [
    'the line and more',
    `You ring the first bell by hand. ${NEW}`,
    { own: 12, copiesLine: false, good: true },
  ],
  [
    'a sentence of an earlier passage',
    `Brisa laughs at the pigeon. ${NEW}`,
    { copiesEarlier: true, good: false },
  ],
  ['an act of the player', `${NEW} You nod and follow her.`, { actsForPlayer: true, good: false }],
  ['what the player sees', `${NEW} You see a boy.`, { actsForPlayer: false, good: true }],
  [
    'somebody who says "you take it"',
    `${NEW} "You take it," she says.`,
    { actsForPlayer: false, good: true },
  ],
  ['too little', 'It swings once.', { own: 3, good: false }],
  ['an unfinished end', `${NEW} And`, { good: false }],
  ['a note', `${NEW}\n\n[World state now (totals):`, { good: false }],
  [
    'a valid block',
    `${NEW}\n\n\`\`\`state_delta\n{"world.alarm":5}\n\`\`\``,
    { own: 12, blockIsValid: true, good: true },
  ],
  ['a broken block', `${NEW}\n\n\`\`\`state_delta\n{"world.alarm":}\n\`\`\``, { blockIsValid: false }],
])('a reply is scored: %s', (_, text, score) => {
  expect(scoreReply({ text, finish: 'stop' }, { line: LINE, earlier: EARLIER })).toMatchObject(score)
})

describe('changes', () => {
  test.each<[form: string, answer: string, moves: unknown[] | null]>([
    ['of the recorder', '{"edits":[{"because":"A.","changes":[{"path":"world.alarm","by":5}]}]}', [5]],
    ['of a block', '{"world.alarm":5,"flags.lit":true}', [5, true]],
    ['none', '{"edits":[]}', []],
    ['of no JSON', 'Nothing.', null],
  ])('are read: %s', (_, answer, moves) => {
    expect(changesIn(answer)?.map((change) => change.moves) ?? null).toEqual(moves)
  })

  test.each<
    [what: string, path: string, moves: unknown, counts: [right: number, wrong: number, missed: number]]
  >([
    ['the right way, by another amount', 'world.alarm', 2, [1, 0, 1]],
    ['the wrong way', 'world.alarm', -5, [0, 1, 2]],
    ['another value', 'world.tension', 5, [0, 1, 2]],
    ['nothing', 'world.tension', 0, [0, 0, 2]],
    ['a flag', 'flags.lit', true, [1, 0, 1]],
    ['a flag as it was', 'flags.lit', false, [0, 0, 2]],
  ])('are compared with the labels: %s', (_, path, moves, counts) => {
    const labels = [
      { words: 'seen', path: 'world.alarm', by: 5 },
      { words: 'lit', path: 'flags.lit', to: true },
    ]
    const { right, wrong, missed } = judge([{ path, moves }], {
      changes: labels,
      before: { 'flags.lit': false },
    })
    expect([right, wrong, missed].map(({ length }) => length)).toEqual(counts as number[])
  })
})
