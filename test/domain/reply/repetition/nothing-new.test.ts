import { describe, expect, test } from 'bun:test'
import { toldBefore } from '../../../../src/domain/reply/repetition/nothing-new.ts'
import { formatLine } from '../../../../src/domain/text/player-line.ts'

function told(reply: string, lines: readonly string[], passages: readonly string[], notes: string[] = []) {
  return toldBefore(reply, { lines, passages, notes })
}

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
      expect(told(reply, [formatLine(type, typed)], [FOG])).toBe('lines')
      const more = `${reply} A bell rings twice under the black water.`
      expect(told(more, [formatLine(type, typed)], [FOG])).toBeNull()
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
      expect(told(reply, [formatLine(type, typed)], [FOG])).toBeNull()
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
    ['You wait. Nothing.', [FOG, 'You wait. Nothing.'], true],
    ['You wait. Something.', [FOG, 'You wait. Nothing.'], false],
    ['Yes.', [FOG, 'Her eyes open.'], false],
    ['', [FOG], false],
  ]
  for (const [reply, earlier, repeats] of cases)
    test(`${repeats ? '' : 'is not '}${JSON.stringify(reply)}`, () => {
      expect(told(reply, [], earlier)).toBe(repeats ? 'passages' : null)
    })
})

test('a reply that tells a note as if it happened', () => {
  const lore = 'World lore: The compass is warm. The nearest wheel turns a little towards it.'
  expect(told('The nearest wheel turns a little towards it.', [], [FOG], [lore])).toBe('notes')
  expect(told('The nearest wheel turns a little towards it. You let go.', [], [FOG], [lore])).toBeNull()
})
