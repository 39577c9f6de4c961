import { StoryError } from '../domain/errors.ts'
import { type Answers, answers } from '../domain/placeholder.ts'
import { validated } from '../domain/validation.ts'
import type { Fields } from './respond.tsx'

/** The answers of a form by their questions. Each answer stands beside its question: a scenario may ask otherwise by now. */
export function answersIn(fields: Fields): Answers {
  const asked = Object.entries(fields).filter(([name]) => name.startsWith('question-'))
  return Object.fromEntries(
    asked.map(([name, question]) => [question, fields[name.replace('question', 'answer')] ?? '']),
  )
}

/**
 * The answers that a story is given anew. A field that was left empty answers nothing; an answer that is emptied is empty
 * from now on. Throws invalid.
 */
export function answersAnew(fields: Fields, known: Answers): Answers {
  const given = Object.entries(answersIn(fields)).filter(
    ([name, text]) => text !== '' || Object.hasOwn(known, name),
  )
  return validated(answers(), Object.fromEntries(given))
}

/** The answers to all questions of a scenario. Throws invalid when the form did not ask them all. */
export function allAnswers(fields: Fields, questions: readonly string[]): Answers {
  const given = answersIn(fields)
  // A form gives line ends back in its own way.
  const key = (question: string) => question.replace(/\r\n?/g, '\n')
  const missing = questions.filter((question) => !Object.hasOwn(given, key(question)))
  if (missing.length > 0)
    throw new StoryError('invalid', `This scenario asks more by now. Please answer: ${missing.join(', ')}.`)
  return Object.fromEntries(questions.map((question) => [question, given[key(question)] ?? '']))
}
