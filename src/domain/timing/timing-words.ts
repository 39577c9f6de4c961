import { counted } from '../../lib/text.ts'
import { pathWords } from '../world/change-words.ts'
import type { Condition, How, Timing } from './timing.ts'

/** In the order of the form. */
const HOW_WORDS: { [Name in keyof How]-?: (value: NonNullable<How[Name]>) => string } = {
  once: () => 'once',
  chance: (value) => `with a chance of ${value}%`,
  stays: (value) => `stays for ${counted(value, 'turn')}`,
  rests: (value) => `rests for ${counted(value, 'turn')}`,
  begins: (value) => `after turn ${value}`,
  priority: (value) => `priority ${value}`,
  group: (value) => `one of the group “${value}”`,
  triggers_others: () => 'its text triggers other cards',
  triggered_by: (value) =>
    value === 'story' ? 'not triggered by other cards' : 'triggered by other cards alone',
  check: (value) => `calls for the check “${value}”`,
  difficulty: (value) => `at the difficulty “${value}”`,
}

/** A line for each condition and rule; '' without timing. */
export function timingWords(timing: Timing | null): string {
  if (timing === null) return ''
  const rules = (Object.keys(HOW_WORDS) as (keyof How)[]).flatMap((name) => {
    const value = timing.how[name]
    return value === undefined ? [] : [(HOW_WORDS[name] as (value: unknown) => string)(value)]
  })
  return [...timing.when.map(conditionWords), ...rules].join('\n')
}

/** A condition in words: “when health is at least 20”. */
function conditionWords({ kind, of, is, value }: Condition): string {
  const wanted = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
  const compared = is === 'is' ? 'is' : is === 'is not' ? 'is not' : `is ${is}`
  const words: Record<Condition['kind'], string> = {
    stat: `${pathWords(of)} ${compared} ${wanted}`,
    flag: `${pathWords(of)} is ${wanted}`,
    milestone: `${pathWords(of)} is ${value === true ? 'reached' : 'not reached'}`,
    turn: `the turn ${compared} ${wanted}`,
    card: `“${of}” was ${value === true ? 'included' : 'not included'} before`,
    present: `${pathWords(of)} is ${value === true ? 'present' : 'not present'}`,
  }
  return `when ${words[kind]}`
}
