import { Elysia, type ValidationError } from 'elysia'
import { type FieldError, StoryError } from '../domain/errors.ts'
import { invalid } from '../domain/validation.ts'
import { isApi } from './guard.ts'
import { asStoryError, problemOf, statusOf } from './problem.ts'

export const errors = new Elysia({ name: 'errors' }).onError(
  { as: 'global' },
  ({ code, error, request, status, route }) => {
    if (!isApi(request)) return
    const storyError = storyErrorFrom(code, error, `${request.method} ${route || 'an unknown address'}`)
    return status(statusOf(storyError), problemOf(storyError))
  },
)

export function storyErrorFrom(code: string | number, error: unknown, where: string): StoryError {
  if (code === 'PARSE') return unreadable((error as Error).cause)
  if (code === 'NOT_FOUND') return new StoryError('not_found', 'There is nothing at this address.')
  if (code === 'VALIDATION') return invalid(fieldErrorsOf(error as ValidationError))
  return asStoryError(error, where)
}

// Elysia wraps what our body parser throws.
function unreadable(cause: unknown): StoryError {
  return cause instanceof StoryError
    ? cause
    : new StoryError('malformed_body', 'The request body could not be read.')
}

// Elysia's summary may quote the request, and with it story text.
function fieldErrorsOf(error: ValidationError): FieldError[] {
  return error.all.slice(0, 20).map((fieldError): FieldError => {
    const { path = '', message } = fieldError as { path?: string; message?: string }
    return { path, message: message ?? 'Invalid value' }
  })
}
