import { describe, expect, test } from 'bun:test'
import { onlyRepeats, onlySaysBack } from '../../../src/domain/reply/said-back.ts'
import { formatLine } from '../../../src/domain/text/player-line.ts'

const FOG = 'The fog is thick and dark. You take a deep breath.'

describe('a reply that only says the line of the player back', () => {
  // Qwen2.5 1.5B.
  const cases: [type: 'do' | 'say', typed: string, reply: string][] = [
    [
      'say',
      'Madam, your dress is wet. Did you fall in?',
      'The woman in the ball gown says, “Madam, your dress is wet. Did you fall in?”',
    ],
    ['say', 'Boy, what sings in your cage?', 'The boy says, "Boy, what sings in your cage?"'],
    [
      'do',
      'keep the bow pointed at the Far Stair',
      'The fog is thick and dark. You keep the bow pointed at the Far Stair.',
    ],
  ]
  for (const [type, typed, reply] of cases)
    test(reply, () => {
      expect(onlySaysBack(reply, [formatLine(type, typed)], [FOG])).toBe(true)
      expect(
        onlySaysBack(`${reply} A bell rings twice under the black water.`, [formatLine(type, typed)], [FOG]),
      ).toBe(false)
    })
})

describe('is not one that', () => {
  const cases: [name: string, type: 'do' | 'say' | 'story', typed: string, reply: string][] = [
    ['answers with a short line', 'say', 'Who are you?', '"Who are you?" Mara asks.'],
    ['tells what comes of it', 'do', 'open the iron door', 'You open the iron door. It is dark.'],
    ['has other words', 'say', 'What sings in your cage?', '"A wren," says the boy.'],
    ['is empty', 'say', 'What sings in your cage?', ''],
  ]
  for (const [name, type, typed, reply] of cases)
    test(name, () => {
      expect(onlySaysBack(reply, [formatLine(type, typed)], [FOG])).toBe(false)
    })

  test('follows no line', () => {
    expect(onlySaysBack(FOG, [], [FOG])).toBe(false)
  })
})

describe('a reply that only repeats earlier passages', () => {
  // Qwen2.5 1.5B, which was to tell how a throw of the dice ends.
  const BOARDING =
    'The boy claps and says, "It\'s a boy with a birdcage! "\n\n> You wave the boy with the birdcage aboard first.'
  const cases: [reply: string, earlier: string[], repeats: boolean][] = [
    ['You wave the boy with the birdcage aboard first.', [FOG, BOARDING], true],
    ['You take a deep breath. You wave the boy with the birdcage aboard first!', [FOG, BOARDING], true],
    ['You wave the boy aboard first.', [FOG, BOARDING], false],
    ['You take a deep breath. The ferry turns.', [FOG, BOARDING], false],
    ['The boy claps.', [FOG, BOARDING], false],
    ['You wave the boy with the birdcage aboard first.', [], false],
    ['You take a deep breath. '.repeat(30), [FOG, BOARDING], false],
    ['', [FOG], false],
  ]
  for (const [reply, earlier, repeats] of cases)
    test(`${repeats ? '' : 'is not '}${JSON.stringify(reply)}`, () => {
      expect(onlyRepeats(reply, earlier)).toBe(repeats)
    })
})
