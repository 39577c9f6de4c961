import { Elysia, type ValidationError } from 'elysia'
import { type Fault, StoryError } from '../domain/errors.ts'
import { invalid } from '../domain/validation.ts'
import { isApi } from './guard.ts'
import { asStoryError, problemOf, statusOf } from './problem.ts'

/** Turns whatever a route of the JSON face throws into the one shape of an error. */
export const errors = new Elysia({ name: 'errors' }).onError(
  { as: 'global' },
  ({ code, error, request, status, route }) => {
    if (!isApi(request)) return
    const fault = faultFrom(code, error, `${request.method} ${route || 'an unknown address'}`)
    return status(statusOf(fault), problemOf(fault))
  },
)

/** What a fault of the framework means in our words. */
export function faultFrom(code: string | number, error: unknown, where: string): StoryError {
  if (code === 'PARSE') return unreadable((error as Error).cause)
  if (code === 'NOT_FOUND') return new StoryError('not_found', 'There is nothing at this address.')
  if (code !== 'VALIDATION') return asStoryError(error, where)
  const faults = faultsOf(error as ValidationError)
  if ((error as ValidationError).type !== 'response') return invalid(faults)
  // Its own message holds the whole answer, a story with it.
  const words = faults.map(({ path, message }) => `${path}: ${message}`).join('; ')
  return asStoryError(new Error(`The answer is not in its shape. ${words}`), where)
}

// The framework wraps what our reader of bodies throws.
function unreadable(cause: unknown): StoryError {
  return cause instanceof StoryError ? cause : new StoryError('malformed_body', 'The body cannot be read.')
}

// The framework's summary of a fault may quote what was sent: words of a story.
function faultsOf(error: ValidationError): Fault[] {
  return error.all.slice(0, 20).map((fault): Fault => {
    const { path = '', message } = fault as { path?: string; message?: string }
    return { path, message: message ?? 'Not as expected' }
  })
}
