import { type Static, Type } from '@sinclair/typebox'
import { cutTo, Text } from '../../lib/text.ts'
import { LIMITS, MAX_ANSWERS } from '../limits.ts'

/**
 * A placeholder in an author's text: `${Your name}`. Its trimmed content is its name. An unclosed one matches the rest of
 * the text, so that matching stays linear, and is ignored.
 */
const PLACEHOLDER = /\$\{([^}]*)\}|\$\{[^}]*$/g

export const answersSchema = () =>
  Type.Record(Type.String(), Text(LIMITS.answer), { maxProperties: MAX_ANSWERS })

export type Answers = Static<ReturnType<typeof answersSchema>>

/** The question that asks for the player's name. Its last answers are remembered. */
export const READER_QUESTION = 'Your name'

/** Ignores the case of letters. */
export function asksForReader(question: string): boolean {
  return question.toLowerCase() === READER_QUESTION.toLowerCase()
}

/** Each once, in order of appearance. A blank `${ }` is ignored. */
export function questionsIn(texts: readonly string[]): string[] {
  const names = texts.flatMap((text) =>
    [...text.matchAll(PLACEHOLDER)].map((match) => (match[1] ?? '').trim()),
  )
  return [...new Set(names)].filter(Boolean)
}

/** Fills the placeholders of a text. One without an answer stays as it is; answers are not filled again. */
export function fillPlaceholders(text: string, answers: Answers): string {
  return text.replace(PLACEHOLDER, (placeholder, words = '') => {
    const name = words.trim()
    return name !== '' && Object.hasOwn(answers, name) ? (answers[name] ?? placeholder) : placeholder
  })
}

/** Cheap, so that a text without a placeholder costs nothing. */
export function mayAsk(text: string): boolean {
  return text.includes('${')
}

/** The name of a placeholder as an answer to it, without any placeholder inside. */
export function nameAsAnswer(name: string): string {
  return cutTo(name.replaceAll('${', ''), LIMITS.answer)
}

/**
 * Fills every placeholder of a text, for the model: with its answer, else with its name, a blank one with nothing. A
 * placeholder that an answer has brought into the text stays as the player typed it.
 */
export function fillWithNames(text: string, answers: Answers): string {
  if (!mayAsk(text)) return text
  const typed = new Set(questionsIn(Object.values(answers)))
  return text.replace(PLACEHOLDER, (placeholder, words?: string) => {
    const name = words?.trim()
    if (name === undefined || name === '') return name ?? placeholder
    if (Object.hasOwn(answers, name)) return answers[name] ?? placeholder
    return typed.has(name) ? placeholder : nameAsAnswer(name)
  })
}

/** Shows unanswered placeholders as their names in brackets. */
export function fillForPreview(text: string, answers: Answers = {}): string {
  const answerTo = (name: string) => (Object.hasOwn(answers, name) ? (answers[name] ?? '') : '').trim()
  const shown = questionsIn([text]).map((name) => [name, answerTo(name) || `[${name}]`])
  return fillWithNames(text, Object.fromEntries(shown))
}

/** Leaves out values that are not text. */
export function answersFrom(stored: Readonly<Record<string, unknown>>): Answers {
  return Object.fromEntries(
    Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
