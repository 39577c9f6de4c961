import { Kind, type TSchema, type TString, Type, TypeRegistry } from '@sinclair/typebox'
import { DefaultErrorFunction, SetErrorFunction } from '@sinclair/typebox/errors'

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

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A number of things: `1 story`, `2 stories`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

/** A yes or no as people and models write it; null for everything else. */
export function readYesNo(text: string): boolean | null {
  const word = text.toLowerCase()
  if (word === 'yes' || word === 'true') return true
  return word === 'no' || word === 'false' ? false : null
}

/** Whether there is nothing to read: only space, tabs and line ends. Blank text never enters a prompt. */
export function isBlank(text: string): boolean {
  return text.trim() === ''
}

/**
 * Whether a text is invisible: only white space, control characters, characters without a glyph (zero-width ones, soft
 * hyphens, direction marks, fillers), and the blank Braille pattern.
 */
export function isInvisible(text: string): boolean {
  return !/[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
}

/**
 * The text without control characters, except for tabs and line ends, and without marks that override or embed a direction: no
 * reader sees them, and they can make a line read as another one. Isolates (U+2066 to U+2069) stay: Hebrew and Arabic use them, they
 * end with their paragraph, and they turn no letters around.
 */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]|[\u202a-\u202e]/gu, '')
}

TypeRegistry.Set<{ maxLength: number; minLength?: number }>(
  'Text',
  ({ maxLength, minLength = 0 }, value) =>
    typeof value === 'string' &&
    value.length >= minLength &&
    (value.length <= maxLength || (value.length <= 2 * maxLength && lengthOf(value) <= maxLength)),
)

/** The message for a whole number that may also be null, or be text in a query; null for other schemas. */
function expectedNumber({ anyOf = [] }: TSchema): string | null {
  const found = (anyOf as TSchema[]).find(({ type }) => type === 'integer')
  if (!found) return null
  const { minimum, maximum } = found
  return `Expected a whole number${minimum === undefined ? '' : ` from ${minimum} to ${maximum}`}`
}

SetErrorFunction((error) => {
  if (error.schema[Kind] === 'Text') return `Expected text of at most ${error.schema.maxLength} characters`
  if (error.schema[Kind] === 'StatSchema') return 'Expected an object or null'
  const choices = literalChoices(error.schema)
  if (choices !== null) return `Expected one of ${choices.join(', ')}`
  return expectedNumber(error.schema) ?? DefaultErrorFunction(error)
})

/** The schema of a text of at most `maxLength` code points. A new object each time: the server alters those it is given. */
export function Text(
  maxLength: number,
  more: { minLength?: number; description?: string; examples?: string[] } = {},
): TString {
  return Type.Unsafe<string>({ [Kind]: 'Text', type: 'string', maxLength, ...more }) as TSchema as TString
}

/** The values that a schema allows, if it allows only a few; null if it allows more. */
function literalChoices(schema: TSchema): string[] | null {
  if (schema.const !== undefined) return [String(schema.const)]
  if (Array.isArray(schema.enum)) return schema.enum.map(String)
  if (schema.type === 'null') return ['null']
  if (schema.type === 'boolean') return ['true', 'false']
  // The texts that stand for a boolean in a query are named elsewhere.
  if (schema.format === 'boolean') return []
  if (!Array.isArray(schema.anyOf)) return null
  const each = (schema.anyOf as TSchema[]).map(literalChoices)
  return each.some((choices) => choices === null) ? null : each.flatMap((choices) => choices ?? [])
}
