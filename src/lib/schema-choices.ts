import type { TSchema } from '@sinclair/typebox'

/** What may stand where a schema allows a few values and no others; null where it allows more than can be named. */
export function literalChoices(schema: TSchema): string[] | null {
  if (schema.const !== undefined) return [String(schema.const)]
  if (Array.isArray(schema.enum)) return schema.enum.map(String)
  if (schema.type === 'null') return ['null']
  if (schema.type === 'boolean') return ['true', 'false']
  // What a query writes for a boolean: it is named already.
  if (schema.format === 'boolean') return []
  if (!Array.isArray(schema.anyOf)) return null
  const each = (schema.anyOf as TSchema[]).map(literalChoices)
  return each.some((choices) => choices === null) ? null : each.flatMap((choices) => choices ?? [])
}
