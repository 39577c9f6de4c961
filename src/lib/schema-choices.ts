import type { TSchema } from '@sinclair/typebox'

/** The values that a schema allows, if it allows only a few; null if it allows more. */
export function literalChoices(schema: TSchema): string[] | null {
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
