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

/** A time that becomes text when the response is written. */
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
 * The fields without their limits, for responses: an older library may hold longer texts and larger numbers than we
 * accept today, and filled placeholders may make a text longer than it was written.
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
 * A shape that the OpenAPI document lists and the framework does not check. Every response is one: a value in an old library
 * that we would not accept today is no reason to refuse a whole story. The shape goes into `allOf` because the framework
 * looks into `properties`, `items` and `anyOf` but leaves `allOf` alone.
 */
export const documented = <T = never, S extends TSchema = TSchema>(
  shape: S,
): TUnsafe<[T] extends [never] ? Static<S> : T> => Type.Unsafe({ [Kind]: 'Documented', allOf: [shape] })
