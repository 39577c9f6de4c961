import type { Place, Question } from '../domain/beginning.ts'
import { LIMITS } from '../domain/limits.ts'
import { type Answers, answers } from '../domain/placeholder.ts'
import { validated } from '../domain/validation.ts'
import type { Fields } from './answer.tsx'
import { Field } from './field.tsx'
import type { Markup } from './jsx/jsx-runtime.ts'

/** A field for each question, with the answer that is known or was typed. */
export function QuestionFields({
  questions,
  known,
  typed,
}: {
  questions: readonly Question[]
  known: Answers
  typed?: Fields | undefined
}): Markup {
  const said = { ...known, ...(typed && saidIn(typed)) }
  return (
    <>
      {questions.map(({ name, places }, i) => (
        <>
          <input type="hidden" name={`question-${i}`} value={name} />
          <Field
            label={name}
            name={`answer-${i}`}
            value={Object.hasOwn(said, name) ? (said[name] ?? '') : ''}
            limit={LIMITS.answer}
            hint={`Asked in ${[...new Set(places.map(wordsFor))].join(', ')}.`}
          />
        </>
      ))}
    </>
  )
}

/**
 * The answers that such fields hold. A field that was left empty answers nothing; an answer that is emptied is empty from
 * now on. Throws invalid.
 */
export function answersIn(fields: Fields, known: Answers): Answers {
  const given = Object.entries(saidIn(fields)).filter(
    ([name, text]) => text !== '' || Object.hasOwn(known, name),
  )
  return validated(answers(), Object.fromEntries(given))
}

function saidIn(fields: Fields): Answers {
  const said = Object.entries(fields).flatMap(([field, name]): [string, string][] => {
    const [, place] = /^question-(\d+)$/.exec(field) ?? []
    return place === undefined ? [] : [[name, fields[`answer-${place}`] ?? '']]
  })
  return Object.fromEntries(said)
}

const PLACES: Record<Exclude<Place['at'], 'card' | 'character'>, string> = {
  prompt: 'the opening',
  memory: 'the plot essentials',
  authors_note: "the author's note",
  ai_instructions: 'the AI instructions',
  stats: 'what is counted',
}

function wordsFor({ at, name }: Place): string {
  if (at === 'card') return name.trim() === '' ? 'a card without a name' : `the card “${name}”`
  return at === 'character' ? `the character “${name}”` : PLACES[at]
}
