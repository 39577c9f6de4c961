import { Kind, type TSchema, type TString, Type, TypeRegistry } from '@sinclair/typebox'
import { DefaultErrorFunction, SetErrorFunction } from '@sinclair/typebox/errors'

export function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

export function cutTo(text: string, limit: number): string {
  return text.length <= limit ? text : [...text].slice(0, limit).join('')
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Count with its noun: `1 story`, `2 stories`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

export function readYesNo(text: string): boolean | null {
  const word = text.toLowerCase()
  if (word === 'yes' || word === 'true') return true
  return word === 'no' || word === 'false' ? false : null
}

/** True for white space only. Blank text never enters a prompt. */
export function isBlank(text: string): boolean {
  return text.trim() === ''
}

/**
 * True for white space, control characters, characters without a glyph (zero-width ones, soft hyphens, direction
 * marks, fillers), and the blank Braille pattern.
 */
export function isInvisible(text: string): boolean {
  return !/[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
}

/**
 * Removes control characters, except tabs and line ends, and marks that override or embed a direction: invisible,
 * they can disguise a line. Isolates (U+2066 to U+2069) stay, since Hebrew and Arabic use them.
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

/** Schema of a text of at most `maxLength` code points. A new object each time: the server modifies schemas. */
export function Text(
  maxLength: number,
  more: { minLength?: number; description?: string; examples?: string[] } = {},
): TString {
  return Type.Unsafe<string>({ [Kind]: 'Text', type: 'string', maxLength, ...more }) as TSchema as TString
}

function literalChoices(schema: TSchema): string[] | null {
  if (schema.const !== undefined) return [String(schema.const)]
  if (Array.isArray(schema.enum)) return schema.enum.map(String)
  if (schema.type === 'null') return ['null']
  if (schema.type === 'boolean') return ['true', 'false']
  // The boolean texts of a query are named elsewhere.
  if (schema.format === 'boolean') return []
  if (!Array.isArray(schema.anyOf)) return null
  const each = (schema.anyOf as TSchema[]).map(literalChoices)
  return each.some((choices) => choices === null) ? null : each.flatMap((choices) => choices ?? [])
}
