import type { Config } from './config.ts'
import { PLAIN_PAGE_HEADERS, plainPage } from './http/plain-page.ts'

/** Seconds after which the page asks again. */
const RETRY = 1

/** Why the address does not answer yet. */
interface Wait {
  title: string
  reason: string
}

export const CHECKING: Wait = {
  title: 'Checking your library',
  reason: `This version of Inglenook has not opened this library before, or another program has changed it, so it is being
checked first. That takes about a second for each 100 MB. Your library opens here when the check is done.`,
}

export const RESTORING: Wait = {
  title: 'Restoring your library',
  reason: 'The backup is being checked and put in place. Your library opens here when that is done.',
}

const PROBLEM = { code: 'library_busy', detail: 'The library is being checked. Try again in a moment.' }

/** A server that answers until the service itself can. */
export interface Opening {
  stop(): Promise<void>
}

/**
 * Answers at the address of the service while the library is checked or restored: with a page that asks again, and for
 * programs with 503. Null where the port is not known or is taken, which `start` reports when it listens.
 */
export function serveOpening({ host, port }: Config, { title, reason }: Wait): Opening | null {
  if (port === 0) return null
  try {
    return Bun.serve({
      hostname: host,
      port,
      reusePort: false,
      development: false,
      fetch: ({ url }) => {
        const headers = { 'Retry-After': String(RETRY), 'Cache-Control': 'no-store', Connection: 'close' }
        if (new URL(url).pathname.startsWith('/api/')) return Response.json(PROBLEM, { status: 503, headers })
        return new Response(plainPage({ title, paragraphs: [reason], retry: RETRY }), {
          status: 503,
          headers: { ...headers, ...PLAIN_PAGE_HEADERS },
        })
      },
    })
  } catch {
    return null
  }
}
