import { Elysia } from 'elysia'
import { StoryError } from '../domain/errors.ts'
import { API_HEADERS } from '../http/headers.ts'
import { problemAnswer } from '../http/problem.ts'

/** A route as the framework lists it. */
export interface Route {
  method: string
  path: string
}

/**
 * Answers under `/api` what no route answers: 405 where another method would do, 404 everywhere else, always JSON
 * (specification 4). It must be registered last. `routes` are all that the service has.
 */
export const unknownApi = (routes: () => readonly Route[]) => {
  const answer = ({ request }: { request: Request }) => {
    const allowed = allowedMethods(routes(), new URL(request.url).pathname)
    if (allowed.length === 0)
      return problemAnswer(new StoryError('not_found', 'There is nothing at this address.'), API_HEADERS)
    const sentence = `This address takes ${allowed.join(', ')}, not ${request.method}.`
    return problemAnswer(new StoryError('wrong_method', sentence), {
      ...API_HEADERS,
      Allow: allowed.join(', '),
    })
  }
  const hidden = { detail: { hide: true } }
  // `all` loses to the page that answers every GET, so GET is named.
  return new Elysia({ name: 'unknown' })
    .get('/api', answer, hidden)
    .all('/api', answer, hidden)
    .get('/api/*', answer, hidden)
    .head('/api/*', answer, hidden)
    .all('/api/*', answer, hidden)
}

function allowedMethods(routes: readonly Route[], path: string): string[] {
  const asked = segments(path)
  const fitting = routes.filter(
    (route) =>
      route.path.startsWith('/api/') && !route.path.endsWith('*') && fits(segments(route.path), asked),
  )
  return [...new Set(fitting.map(({ method }) => method))].sort()
}

function fits(known: string[], asked: string[]): boolean {
  return (
    known.length === asked.length &&
    known.every((part, i) => part === asked[i] || (part.startsWith(':') && /^\d+$/.test(asked[i] ?? '')))
  )
}

function segments(path: string): string[] {
  return path.replace(/\/$/, '').split('/')
}
