import { expect, test } from 'bun:test'
import { isLoop, notProseIn } from '../../../bench/real/shown-text.ts'

test.each([
  ['<|im_end|>', 'template token'],
  ['The end.<end_of_turn>', 'template token'],
  ['assistant', 'role label'],
  ['**User:** I wait.', 'role label'],
  ['World lore: The shelf hangs low.', 'our note'],
  ['[World state now (totals):', 'our note'],
  ['[Earlier in the story: They met.]', 'our note'],
  ["[Author's note: Slow.]", 'our note'],
  ['[End your reply with the block]', 'our question'],
  ['[Tell what happens after this, in prose.]', 'our question'],
  ['```state_delta', 'state block'],
])('%s is a %s', (line, what) => {
  expect(notProseIn(`You wait.\n${line}\nIt rains.`)).toEqual([{ what, line }])
})

test.each([
  'You wait. "User," he says, and laughs.',
  'The player, a small man with a fiddle, bows.',
  'A model of a ship stands in the window < and > leans.',
  'The world is wide [and old].',
])('%s is prose', (text) => {
  expect(notProseIn(text)).toEqual([])
})

test('a text that says the same again and again is a loop', () => {
  expect(isLoop('The lamp is lit and the sea is calm. '.repeat(5))).toBe(true)
  expect(isLoop('The lamp is lit. Far out a boat turns towards the harbour, and somebody waves.')).toBe(false)
})
