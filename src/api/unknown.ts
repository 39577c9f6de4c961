import { Elysia } from 'elysia'
import { StoryError } from '../domain/errors.ts'
import { API_HEADERS } from '../http/headers.ts'
import { matchesRoute, type Route } from '../http/match-route.ts'
import { problemResponse } from '../http/problem.ts'

/**
 * Answers all other requests under `/api`: 405 if the path exists with another method, else 404. Register it last.
 */
export const unknownApi = (routes: () => readonly Route[]) => {
  const respond = ({ request }: { request: Request }) => {
    const allowed = allowedMethods(routes(), pathOf(request))
    if (allowed.length === 0)
      return problemResponse(new StoryError('not_found', 'There is nothing at this address.'), API_HEADERS)
    const sentence = `This address accepts ${allowed.join(', ')}, not ${request.method}.`
    return problemResponse(new StoryError('wrong_method', sentence), {
      ...API_HEADERS,
      Allow: allowed.join(', '),
    })
  }
  const hidden = { detail: { hide: true } }
  // The pages have a catch-all for GET, which wins over `all`: so GET is registered by name.
  return new Elysia({ name: 'unknown' })
    .onRequest(({ request }) => {
      const path = pathOf(request)
      const method = request.method === 'HEAD' ? 'GET' : request.method
      const named = path.startsWith('/api/')
        ? routes().filter((route) => !route.path.includes(':') && matchesRoute(route, path))
        : []
      // Otherwise `/api/scenarios/import` would pass for a scenario whose id is not a number.
      if (named.length > 0 && named.every((route) => route.method !== method)) return respond({ request })
    })
    .get('/api', respond, hidden)
    .all('/api', respond, hidden)
    .get('/api/*', respond, hidden)
    .head('/api/*', respond, hidden)
    .all('/api/*', respond, hidden)
}

function pathOf(request: Request): string {
  return new URL(request.url).pathname
}

function allowedMethods(routes: readonly Route[], path: string): string[] {
  const matching = routes.filter(
    (route) => route.path.startsWith('/api/') && !route.path.endsWith('*') && matchesRoute(route, path),
  )
  return [...new Set(matching.map(({ method }) => method))].sort()
}
