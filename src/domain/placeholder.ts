import { type Static, Type } from '@sinclair/typebox'
import { LIMITS } from './limits.ts'
import { Text } from '../lib/text.ts'

/**
 * A question in an author's text: `${Your name}`. Its trimmed words are its name. One that never ends takes the rest of the
 * text, in which no other can end, and asks nothing.
 */
const PLACEHOLDER = /\$\{([^}]+)\}|\$\{[^}]*$/g

/** Answers by the name of their question. */
export const answers = () => Type.Record(Type.String(), Text(LIMITS.answer))

export type Answers = Static<ReturnType<typeof answers>>

/** The questions in some texts, each once, in order of first appearance. A blank `${ }` asks nothing. */
export function questionsIn(texts: readonly string[]): string[] {
  const names = texts.flatMap((text) =>
    [...text.matchAll(PLACEHOLDER)].map((match) => (match[1] ?? '').trim()),
  )
  return [...new Set(names)].filter(Boolean)
}

/** A text with its questions answered. A question without an answer stays as it is; answers are not filled again. */
export function fill(text: string, answers: Answers): string {
  return text.replace(PLACEHOLDER, (asked, words = '') => {
    const name = words.trim()
    return name !== '' && Object.hasOwn(answers, name) ? (answers[name] ?? asked) : asked
  })
}

/** Answers as they were stored: what is no text is none. */
export function answersFrom(stored: Readonly<Record<string, unknown>>): Answers {
  return Object.fromEntries(
    Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
