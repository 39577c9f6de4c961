import type { VerdictReason } from './referee.ts'

export const REFUSAL_WORDS: Record<VerdictReason, string> = {
  'unknown flag': 'there is no such flag',
  'unknown milestone': 'there is no such milestone',
  'unknown stat': 'there is no such stat',
  'unknown npc': 'there is no such character',
  'unknown npc stat': 'this character has no such stat',
  'unknown path': 'nothing in this story has that name',
  'not a boolean': 'it must be yes or no',
  'not true': 'a milestone can only be set as reached',
  'not a number': 'it must be a number',
  'not a string': 'it must be a text',
  'not an option': 'it must be one of the options',
  cooldown: 'it changed recently and is on cooldown',
  "counter can't decrease": 'a counter only goes up',
  'written twice': 'it was changed twice; only the later change counts',
  'too many changes': 'there were too many changes at once',
  'too long to read': 'the block was too long to read',
  'not readable': 'it could not be read',
  'not told': 'the passage does not say so',
  'no change given': 'no new value was given',
}
