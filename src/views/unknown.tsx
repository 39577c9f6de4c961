import { Elysia } from 'elysia'
import { matchesRoute, type Route } from '../http/match-route.ts'
import { NotFoundPage } from './error-pages.tsx'
import { pageResponse, seeOther } from './respond.tsx'

/**
 * Handles every GET that no page handles. A path that only takes POST redirects to its page, so that reloading the
 * response to a form leads somewhere; any other path is not found. Must be registered last. `routes` are those of all pages.
 */
export const unknownPages = (routes: () => readonly Route[]) =>
  new Elysia({ name: 'unknown-pages', detail: { hide: true } }).get('/*', ({ path, request }) => {
    const has = (method: string, asked: string) =>
      routes().some((route) => route.method === method && matchesRoute(route, asked))
    if (has('POST', path))
      return seeOther(
        request,
        pageAbove(path, (asked) => has('GET', asked)),
      )
    return pageResponse(<NotFoundPage sentence={`There is no page at ${path.slice(0, 200)}.`} />)
  })

/** The nearest page on the way up to the library. A story opens at its end. */
function pageAbove(path: string, isPage: (path: string) => boolean): string {
  const above = path.slice(0, path.lastIndexOf('/'))
  if (above === '') return '/'
  if (!isPage(above)) return pageAbove(above, isPage)
  return above.startsWith('/adventures/') ? `${above}#end` : above
}
