import { type Static, Type } from '@sinclair/typebox'
import { foldQuote } from '../../lib/fold-text.ts'
import { jsonIn } from '../../lib/json-in-text.ts'
import { isObject } from '../../lib/objects.ts'
import { isBlank } from '../../lib/text.ts'
import { oneOf } from '../../lib/typebox.ts'
import { ASIDE } from '../memory.ts'
import { sentenceSpans } from '../text/sentence-spans.ts'

/** One suggestion of each is asked for, in this order. */
export const MANNERS = ['careful', 'bold', 'unexpected'] as const

export const Suggestion = Type.Object({
  manner: oneOf(MANNERS),
  text: Type.String({ description: 'As the player would type it after Do' }),
})
export type Suggestion = Static<typeof Suggestion>

/** A suggestion has fewer characters. One that reaches them was cut by the schema, or says more than what to do. */
const MAX_LENGTH = 100

export const SUGGESTION_TASK = `${ASIDE} suggest what the player might do next.`

/** `lines` are the player's newest lines as typed, for their style; `stats` the live values, '' without any. */
export function suggestionTask(lines: readonly string[], stats: string): string {
  const style =
    lines.length === 0
      ? ''
      : `\n\nThe player types like this:\n${lines.map((line) => `- ${line}`).join('\n')}`
  const state = stats === '' ? '' : `\n\n${stats}\nSuggest nothing that these rule out.`
  return `${SUGGESTION_TASK}${style}${state}\n\nGive three different things that can be done right now with who and what is there: one careful, one bold, one unexpected. Each is at most ten words, begins with a verb, and says nothing of what comes of it. Use the language of the story. Answer with JSON alone: {"careful": "", "bold": "", "unexpected": ""}]`
}

/** Small models do not come to an end by themselves. */
export const SUGGESTION_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(
    MANNERS.map((manner) => [manner, { type: 'string', minLength: 3, maxLength: MAX_LENGTH }]),
  ),
  required: [...MANNERS],
  additionalProperties: false,
}

/** The suggestions in an answer, in which the JSON may be anywhere; without duplicates, and without what was `told` already. */
export function parseSuggestions(answer: string, told: readonly string[] = []): Suggestion[] {
  const parsed = jsonIn(answer)
  const values = isObject(parsed) ? parsed : {}
  const found = MANNERS.flatMap((manner) => {
    const text = textOf(values[manner])
    return text === null ? [] : [{ manner, text }]
  })
  const known = new Set(told.map((one) => foldQuote(textOf(one) ?? '')))
  const different = new Map(found.map((one) => [foldQuote(one.text), one]))
  return [...different].flatMap(([folded, one]) => (known.has(folded) ? [] : [one]))
}

/** A suggestion as a player would type it: "open the door", not "You open the door."; null if it is not usable. */
function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || isBlank(value)) return null
  const line = value.toWellFormed().replace(/\s+/g, ' ').trim()
  const bare = shortened(line)
    .replace(/^(?:\d[.)] |> ?)?(?:(?:You|I) (?=\p{Ll}))?/u, '')
    .replace(/(?<![.!?…])\.$/, '')
  return /\p{L}/u.test(bare) ? bare : null
}

/** A line that is too long ends after its first sentence, or after its last clause that does; '' if it has none. */
function shortened(line: string): string {
  if ([...line].length < MAX_LENGTH) return line
  const [first, ...others] = sentenceSpans(line)
  if (first && others.length > 0 && first.end < MAX_LENGTH) return line.slice(0, first.end)
  return (
    /^(.+)(?:[,;:–—](?= )|[，、；：])/u.exec([...line].slice(0, MAX_LENGTH).join(''))?.[1]?.trimEnd() ?? ''
  )
}

/** Suggestions from a column; [] for anything that another program has put there. */
export function suggestionsFrom(items: unknown): Suggestion[] {
  return (Array.isArray(items) ? items : []).flatMap((one) => {
    const manner = MANNERS.find((name) => isObject(one) && one.manner === name)
    const text = isObject(one) ? textOf(one.text) : null
    return manner && text !== null ? [{ manner, text }] : []
  })
}
