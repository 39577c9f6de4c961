import { PathResolver, type StatTarget } from '../block/path-resolver.ts'
import type { Verdict, VerdictReason } from '../referee.ts'
import { type Rules, readRules } from '../rules.ts'
import type { StatSchema } from '../state.ts'

/** Opens the note on refused changes. */
export const REFUSALS = '[Not accepted from your last block.'

const MAX_NAMES = 12
const MAX_NOTES = 6

/**
 * Tells the model once which changes of its last turn were refused, with the names that it may use; '' if there were
 * none. It does not mention a change that was only reduced: the model would propose the remainder again.
 */
export function refusalNote(schema: StatSchema | null, verdicts: readonly Verdict[]): string {
  const rules = readRules(schema)
  const notes = verdicts.flatMap((one) => {
    if (one.verdict === 'refused') return [`${one.path}: ${fixFor(one.reason, one.path, rules)}`]
    const isStuck = one.verdict === 'limited' && one.old === one.new
    return isStuck ? [`${one.path}: it stands at ${String(one.new)} already, and ${one.reason}`] : []
  })
  if (notes.length === 0) return ''
  return `${REFUSALS} ${notes.slice(0, MAX_NOTES).join('. ')}.]`
}

function fixFor(reason: VerdictReason, path: string, rules: Rules): string {
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

function listed(kind: StatTarget['kind'], rules: Rules, prefix: string): string {
  const names = new PathResolver(rules).pathsOf(kind).filter((name) => name.startsWith(prefix))
  if (names.length === 0) return 'this story has none'
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return `there are ${names.slice(0, MAX_NAMES).join(', ')}${more}`
}

function optionsOf(path: string, rules: Rules): string {
  const stat = rules.stats.find((one) => one.path === path)
  return stat?.kind === 'text' ? (stat.options ?? []).join(', ') : ''
}
