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

/** A time in a shape that is {@link documented}: it becomes text only after the framework would have checked it. */
export const DateTime = Type.Unsafe<Date>(Time)

export const nullable = <S extends TSchema>(shape: S) => Type.Union([shape, Type.Null()])

export const oneOf = <const T extends string>(values: readonly T[]): TUnsafe<T> =>
  Type.Unsafe<T>(Type.Union(values.map((value) => Type.Literal(value))))

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
 * A shape that the OpenAPI document lists but responses are not checked against: any value passes, and no key is dropped.
 * For records that older versions stored with other keys, and for reports too large to check on every request. The
 * shape goes into `allOf` because the framework looks into `properties`, `items` and `anyOf` but leaves `allOf` alone.
 */
export const documented = <T = never, S extends TSchema = TSchema>(
  shape: S,
): TUnsafe<[T] extends [never] ? Static<S> : T> => Type.Unsafe({ [Kind]: 'Documented', allOf: [shape] })
