import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Fault, StoryError } from './errors.ts'

/** A value that fits its shape, with keys that the shape does not name left out. Throws invalid, naming each fault. */
export function validated<S extends TSchema>(shape: S, value: unknown): Static<S> {
  const clean = Value.Clean(shape, structuredClone(value))
  const faults = [...Value.Errors(shape, clean)]
    .slice(0, 20)
    .map(({ path, message }): Fault => ({ path, message }))
  if (faults.length === 0) return clean as Static<S>
  const where = [...new Set(faults.map(({ path }) => path.slice(1).replaceAll('_', ' ')))]
  throw new StoryError('invalid', `Please look at: ${where.join(', ')}.`, { errors: faults })
}
