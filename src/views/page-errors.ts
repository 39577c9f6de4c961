import { Elysia } from 'elysia'
import { faultFrom } from '../http/errors.ts'
import { isApi } from '../http/guard.ts'
import { refusalAnswer } from './respond.tsx'

/** Turns whatever a page or a form throws, and what is refused before either, into a page that says so. */
export const pageErrors = new Elysia({ name: 'page-errors' }).onError(
  { as: 'global' },
  ({ code, error, request }) => {
    if (isApi(request)) return
    return refusalAnswer(request, faultFrom(code, error, `${request.method} of a page`))
  },
)
