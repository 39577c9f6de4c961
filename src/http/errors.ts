import { Elysia, type ValidationError } from 'elysia'
import { type Fault, StoryError } from '../domain/errors.ts'
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
  const fault = error as ValidationError
  return fault.type === 'response' ? asStoryError(misshapen(fault), where) : invalid(fault)
}

// The framework's own words quote the whole answer, story and all.
function misshapen({ all }: ValidationError): Error {
  const where = all.slice(0, 20).map((fault) => (fault as { path?: string }).path ?? '')
  return new Error(`The answer is not as it is documented, at ${where.join(', ')}.`)
}

// The framework wraps what our reader of bodies throws.
function unreadable(cause: unknown): StoryError {
  return cause instanceof StoryError ? cause : new StoryError('malformed_body', 'The body cannot be read.')
}

function invalid(error: ValidationError): StoryError {
  const found = error.all.slice(0, 20).map((fault): Fault => {
    const { path = '', summary, message } = fault as { path?: string; summary?: string; message?: string }
    return { path, message: summary ?? message ?? 'Not as expected' }
  })
  const where = [...new Set(found.map(({ path }) => path.slice(1)).filter(Boolean))]
  const detail =
    where.length > 0 ? `Please look at: ${where.join(', ')}.` : 'What was sent is not what is expected here.'
  return new StoryError('invalid', detail, { errors: found })
}
