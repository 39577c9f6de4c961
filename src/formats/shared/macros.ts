import { fillWithNames, questionsIn, READER_QUESTION } from '../../domain/text/placeholder.ts'

/** The placeholder where a file means its reader. */
const READER_PLACEHOLDER = `\${${READER_QUESTION}}`

// A comment is not for the model, and "original" refers to another program's prompt.
const NOTES = /\{\{\s*(?:\/\/|comment:|original\b)[^{}]*\}\}/gi
const NAMES = /\{\{\s*(char|user)\s*\}\}|<(BOT|USER|CHAR)>/gi
const LEFT = /\{\{[^{}]{1,200}\}\}/

/** A text with its stand-ins for names filled: `char` for the character, `user` for the reader. */
export function withNames(text: string, char: string, user: string): string {
  if (!text.includes('{{') && !text.includes('<')) return text
  return text
    .replace(NOTES, '')
    .replace(NAMES, (_, macro: string | undefined, tag: string | undefined) =>
      (macro ?? tag ?? '').toLowerCase() === 'user' ? user : char,
    )
}

/**
 * An author's text with its stand-ins filled: the reader's is a placeholder, which the player answers. What looks like another
 * placeholder asks nothing in these programs, so it loses its sign.
 */
export function asTemplate(text: string, char: string): string {
  return withNames(text.replaceAll('${', '{'), char, READER_PLACEHOLDER)
}

/** Finds stand-ins that only another program could fill, such as a roll of dice. */
export function hasMacros(text: string): boolean {
  return LEFT.test(text)
}

/**
 * A text whose placeholders are the macros of other programs: the reader where it asks for a name, else the words of the
 * question, since nobody is asked there. The name of the character is a macro too; '' for a file that does not say it.
 */
export function withMacros(text: string, char = ''): string {
  const names = questionsIn([text]).filter((question) => /\bname\b/i.test(question))
  const filled = fillWithNames(text, Object.fromEntries(names.map((question) => [question, USER])))
  return char === '' || !filled.includes(char) ? filled : filled.replace(nameOrMacro(char), withoutName)
}

const [USER, CHAR] = ['{{user}}', '{{char}}']

function nameOrMacro(char: string): RegExp {
  return new RegExp(
    String.raw`\{\{[^{}]*\}\}|(?<![\p{L}\p{N}_])${RegExp.escape(char)}(?![\p{L}\p{N}_])`,
    'gu',
  )
}

// A name in a macro is left alone.
function withoutName(found: string): string {
  return found.startsWith('{{') ? found : CHAR
}
