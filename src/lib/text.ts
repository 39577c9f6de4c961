import { Kind, type TSchema, type TString, Type, TypeRegistry } from '@sinclair/typebox'
import { DefaultErrorFunction, SetErrorFunction } from '@sinclair/typebox/errors'
import { choicesOf } from './schema-choices.ts'

/** The length of a text in code points: what a person counts, not what UTF-16 does. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

/** The first `limit` code points of a text. */
export function cutTo(text: string, limit: number): string {
  return text.length <= limit ? text : [...text].slice(0, limit).join('')
}

/** Whether there is nothing to read: only space, tabs and line ends. Blank text never enters a prompt. */
export function isBlank(text: string): boolean {
  return text.trim() === ''
}

TypeRegistry.Set<{ maxLength: number; minLength?: number }>(
  'Text',
  ({ maxLength, minLength = 0 }, value) =>
    typeof value === 'string' &&
    value.length >= minLength &&
    (value.length <= maxLength || (value.length <= 2 * maxLength && lengthOf(value) <= maxLength)),
)

SetErrorFunction((error) => {
  if (error.schema[Kind] === 'Text') return `Expected text of at most ${error.schema.maxLength} characters`
  if (error.schema[Kind] === 'StatSchema') return 'Expected an object or null'
  const choices = choicesOf(error.schema)
  return choices === null ? DefaultErrorFunction(error) : `Expected one of ${choices.join(', ')}`
})

/** The schema of a text of at most `maxLength` code points. A new object each time: the server alters those it is given. */
export function Text(
  maxLength: number,
  more: { minLength?: number; description?: string; examples?: string[] } = {},
): TString {
  return Type.Unsafe<string>({ [Kind]: 'Text', type: 'string', maxLength, ...more }) as TSchema as TString
}
