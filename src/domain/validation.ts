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
  throw invalid(faults, (field) => field.replaceAll('_', ' '))
}

/** The refusal of a value for its faults, with a sentence that names each field, and what may stand there if it is a choice. */
export function invalid(faults: Fault[], nameOf = (field: string) => field): StoryError {
  const where = faults
    .filter(({ path }) => path.length > 1)
    .map(({ path, message }) => nameOf(path.slice(1)) + (isChoice(message) ? ` (${lowered(message)})` : ''))
  const sentence =
    where.length > 0
      ? `Please look at: ${[...new Set(where)].join(', ')}.`
      : 'What was sent is not what is expected here.'
  return new StoryError('invalid', sentence, { errors: faults })
}

const isChoice = (message: string) => message.startsWith('Expected one of ')

const lowered = (message: string) => message.charAt(0).toLowerCase() + message.slice(1)
