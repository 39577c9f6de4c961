import {
  Kind,
  type Static,
  type TObject,
  type TSchema,
  type TUnsafe,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'

// Building blocks of the TypeBox objects that describe the nouns of the API.

export const Time = Type.String({ description: 'ISO 8601 in UTC' })

export const DateTime = Type.Unsafe<Date>(Time)

export const nullable = <S extends TSchema>(shape: S) => Type.Union([shape, Type.Null()])

export const oneOf = <const T extends string>(values: readonly T[], description?: string): TUnsafe<T> =>
  Type.Unsafe<T>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      description === undefined ? {} : { description },
    ),
  )

/**
 * The fields without their limits, for responses: older libraries may exceed today's limits, and filled placeholders
 * lengthen texts.
 */
export const unbounded = <T extends TObject>(fields: T): T =>
  Type.Object(
    Object.fromEntries(
      Object.entries(fields.properties).map(([name, shape]) => [name, withoutLimits(shape)]),
    ),
  ) as TSchema as T

function withoutLimits(shape: TSchema): TSchema {
  if (shape[Kind] === 'Text') return Type.String()
  const { minimum: _, maximum: __, anyOf, ...rest } = shape
  return Array.isArray(anyOf) ? { ...rest, anyOf: anyOf.map(withoutLimits) } : rest
}

TypeRegistry.Set('Documented', () => true)

/**
 * A response shape for the OpenAPI document that the framework does not check: an old value must not fail a whole
 * story. It is in `allOf`, the one keyword that the framework ignores.
 */
export const documented = <T = never, S extends TSchema = TSchema>(
  shape: S,
): TUnsafe<[T] extends [never] ? Static<S> : T> => Type.Unsafe({ [Kind]: 'Documented', allOf: [shape] })
