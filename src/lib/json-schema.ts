import { isObject } from './objects.ts'

interface Schema {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}

/** Checks scalars, lists, and objects whose properties are all required. */
export function fitsSchema(schema: Schema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((one) => fitsSchema(one, value))
  if (schema.enum) return schema.enum.includes(value)
  if ('const' in schema) return value === schema.const
  const { properties = {}, items = {}, minItems = 0, maxItems = Infinity } = schema
  switch (schema.type) {
    case 'object': {
      const names = Object.keys(properties)
      return (
        isObject(value) &&
        Object.keys(value).length === names.length &&
        names.every((name) => Object.hasOwn(value, name) && fitsSchema(properties[name] ?? {}, value[name]))
      )
    }
    case 'array':
      return (
        Array.isArray(value) &&
        value.length >= minItems &&
        value.length <= maxItems &&
        value.every((one) => fitsSchema(items, one))
      )
    case 'integer':
    case 'number':
      return typeof value === 'number' && isWithin(schema, value)
    default:
      return typeof value === schema.type
  }
}

function isWithin({ type, minimum = -Infinity, maximum = Infinity }: Schema, value: number): boolean {
  return value >= minimum && value <= maximum && (type === 'number' || Number.isInteger(value))
}
