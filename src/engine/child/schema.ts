type Schema = Record<string, unknown>

/** Up to this many whole numbers between two bounds are listed: the engine's grammar has no bounds. */
const MAX_LISTED = 200

/** A JSON Schema in the dialect of node-llama-cpp, which has `oneOf` but neither `anyOf` nor bounds of numbers. */
export function engineSchema(schema: unknown): object {
  if (typeof schema !== 'object' || schema === null) return {}
  const { anyOf, oneOf = anyOf, properties, items, minimum, maximum, ...rest } = schema as Schema
  return {
    ...(rest.type === 'integer' ? (listed(minimum, maximum) ?? rest) : rest),
    ...(Array.isArray(oneOf) ? { oneOf: oneOf.map(engineSchema) } : {}),
    ...(typeof properties === 'object' && properties !== null
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [name, engineSchema(one)]),
          ),
        }
      : {}),
    ...(items === undefined ? {} : { items: engineSchema(items) }),
  }
}

function listed(minimum: unknown, maximum: unknown): object | null {
  if (typeof minimum !== 'number' || typeof maximum !== 'number') return null
  const count = maximum - minimum + 1
  if (!Number.isInteger(count) || count < 1 || count > MAX_LISTED) return null
  return { enum: Array.from({ length: count }, (_, i) => minimum + i) }
}
