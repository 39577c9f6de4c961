import { StoryError } from '../../domain/errors.ts'
import { type Answers, answersSchema } from '../../domain/text/placeholder.ts'
import { matching } from '../../domain/validation.ts'
import type { FormFields } from '../respond.tsx'

/** The form sends each name too, since the scenario may have changed. */
export function answersIn(fields: FormFields): Answers {
  const asked = Object.entries(fields).filter(([name]) => name.startsWith('question-'))
  return Object.fromEntries(
    asked.map(([name, question]) => [question, fields[name.replace('question', 'answer')] ?? '']),
  )
}

/** An empty field counts only if there was a value before. Throws invalid. */
export function changedAnswersIn(fields: FormFields, known: Answers): Answers {
  const given = Object.entries(answersIn(fields)).filter(
    ([name, text]) => text !== '' || Object.hasOwn(known, name),
  )
  return matching(answersSchema(), Object.fromEntries(given))
}

/** Blank values are answers too. Throws invalid. */
export function sentAnswers(fields: FormFields, questions: readonly string[]): Answers {
  const given = answersIn(fields)
  const sent = questions.filter((question) => Object.hasOwn(given, fieldName(question)))
  const answers = sent.map((question) => [question, given[fieldName(question)] ?? ''])
  return matching(answersSchema(), Object.fromEntries(answers))
}

export function blankAnswers(answers: Answers): Answers {
  return Object.fromEntries(Object.keys(answers).map((question) => [question, '']))
}

// Browsers send line ends as CRLF.
function fieldName(question: string): string {
  return question.replace(/\r\n?/g, '\n')
}

/** Throws invalid if the form lacks one. */
export function allAnswers(fields: FormFields, questions: readonly string[]): Answers {
  const given = answersIn(fields)
  const missing = questions.filter((question) => !Object.hasOwn(given, fieldName(question)))
  if (missing.length > 0)
    throw new StoryError(
      'invalid',
      `This scenario has new placeholders. Please fill in: ${missing.join(', ')}.`,
    )
  return Object.fromEntries(questions.map((question) => [question, given[fieldName(question)] ?? '']))
}
