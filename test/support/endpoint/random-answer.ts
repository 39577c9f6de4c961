import fc from 'fast-check'

/** The subset of JSON Schema that we use. */
interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  maxLength?: number
  minimum?: number
  maximum?: number
}

/** Any reply that matches a schema. `because` is one of `quotes`. */
export function repliesMatching(schema: object, quotes: readonly string[]): fc.Arbitrary<unknown> {
  const { type, anyOf, items = {}, properties = {}, ...only } = schema as Schema
  if ('const' in only) return fc.constant(only.const)
  if (only.enum) return fc.constantFrom(...only.enum)
  if (anyOf) return fc.oneof(...anyOf.map((schema) => repliesMatching(schema, quotes)))
  switch (type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(properties).map(([name, schema]) => [
            name,
            name === 'because' ? fc.constantFrom(...quotes) : repliesMatching(schema, quotes),
          ]),
        ),
      )
    case 'array':
      return fc.array(repliesMatching(items, quotes), {
        minLength: only.minItems ?? 0,
        maxLength: only.maxItems ?? 20,
      })
    case 'string':
      return fc.string({ unit: 'binary', maxLength: only.maxLength ?? 100 })
    case 'integer':
      return fc.integer({ min: only.minimum ?? Number.NaN, max: only.maximum ?? Number.NaN })
    case 'number':
      return fc.double({ min: -1_000, max: 1_000, noNaN: true })
    case 'boolean':
      return fc.boolean()
  }
  throw new Error(`Unsupported schema: ${JSON.stringify(schema)}`)
}
