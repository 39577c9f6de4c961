import type { Reason, Verdict } from '../referee.ts'
import { Paths, type Target } from '../block/path-resolver.ts'
import { type Rules, readRules } from '../rules.ts'
import type { StatSchema } from '../state.ts'

const MOST_NAMES = 12
const MOST_NOTES = 6

/**
 * What the model is told, once, of the changes that were refused in its last turn, with the names that it may use; '' when
 * there were none. A change that was only made smaller is not told: it would come again as the rest.
 */
export function refusalNote(schema: StatSchema | null, verdicts: readonly Verdict[]): string {
  const rules = readRules(schema)
  const notes = verdicts.flatMap((one) => {
    if (one.verdict === 'refused') return [`${one.path}: ${fixFor(one.reason, one.path, rules)}`]
    const isStuck = one.verdict === 'limited' && one.old === one.new
    return isStuck ? [`${one.path}: it stands at ${String(one.new)} already, and ${one.reason}`] : []
  })
  if (notes.length === 0) return ''
  return `[Not accepted from your last block. ${notes.slice(0, MOST_NOTES).join('. ')}.]`
}

function fixFor(reason: Reason, path: string, rules: Rules): string {
  switch (reason) {
    case 'unknown flag':
      return `there is no such flag; ${listed('flag', rules, 'flags.')}`
    case 'unknown milestone':
      return `there is no such milestone; ${listed('milestone', rules, 'milestones.')}`
    case 'unknown npc':
      return `there is no such character; ${listed('stat', rules, 'npc.')}`
    case 'unknown npc stat':
      return `this character has no such number; ${listed('stat', rules, path.split('.').slice(0, 2).join('.'))}`
    case 'unknown stat':
      return `there is no such path; ${listed('stat', rules, `${path.split('.')[0]}.`)}`
    case 'unknown path':
      return 'write world.<name>, player.<name>, npc.<id>.<name>, flags.<name> or milestones.<id> from the list'
    case 'not a boolean':
      return 'a flag takes true or false'
    case 'not true':
      return 'a milestone only takes true'
    case 'not a number':
      return 'give by how much it moves, as a number'
    case 'not a string':
      return 'give the new text in quotation marks'
    case 'not an option':
      return `it takes one of: ${optionsOf(path, rules)}`
    case 'cooldown':
      return 'it has just changed and rests; leave it out for now'
    case "counter can't decrease":
      return 'it only counts up: give how much it goes up, never a total'
    case 'written twice':
      return 'give each path once'
    case 'too many changes':
    case 'too long to read':
      return 'give only what the passage changed'
    case 'not readable':
      return 'its value could not be read; give plain JSON'
    case 'not told':
      return 'copy the words of the passage that show it'
    case 'no change given':
      return 'give by how much it moves, or its new value'
  }
}

function listed(kind: Target['kind'], rules: Rules, prefix: string): string {
  const names = new Paths(rules).names(kind).filter((name) => name.startsWith(prefix))
  if (names.length === 0) return 'this story has none'
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  return `there are ${names.slice(0, MOST_NAMES).join(', ')}${more}`
}

function optionsOf(path: string, rules: Rules): string {
  const stat = rules.stats.find((one) => one.path === path)
  return stat?.kind === 'text' ? (stat.options ?? []).join(', ') : ''
}

/** A refusal in the player's words. */
export const REFUSED: Record<Reason, string> = {
  'unknown flag': 'there is no such flag',
  'unknown milestone': 'there is no such milestone',
  'unknown stat': 'there is no such stat',
  'unknown npc': 'there is no such character',
  'unknown npc stat': 'this character has no such stat',
  'unknown path': 'that names nothing in this story',
  'not a boolean': 'a flag takes yes or no',
  'not true': 'a milestone, once reached, stays reached',
  'not a number': 'that is no number',
  'not a string': 'that is no text',
  'not an option': 'that is not one of its options',
  cooldown: 'it has just changed and rests',
  "counter can't decrease": 'a counter only goes up',
  'written twice': 'it was given twice, and the later one counts',
  'too many changes': 'there were too many changes at once',
  'too long to read': 'the block was too long to read',
  'not readable': 'it could not be read',
  'not told': 'the passage does not say so',
  'no change given': 'it was not said how it changes',
}
