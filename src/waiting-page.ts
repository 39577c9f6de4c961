import type { Config } from './config.ts'
import { PLAIN_PAGE_HEADERS, plainPage } from './http/plain-page.ts'

/** Seconds before the page reloads. */
const RELOAD_SECONDS = 1

interface WaitingPage {
  title: string
  reason: string
}

export const CHECKING: WaitingPage = {
  title: 'Checking your library',
  reason: `This version of Inglenook has not opened this library before, or another program has changed it, so it is being
checked first. That takes about a second for each 100 MB. Your library opens here when the check is done.`,
}

export const RESTORING: WaitingPage = {
  title: 'Restoring your library',
  reason: 'The backup is being checked and put in place. Your library opens here when that is done.',
}

const PROBLEM = { code: 'library_busy', detail: 'The library is being checked. Try again in a moment.' }

export interface WaitingServer {
  stop(): Promise<void>
}

/**
 * Serves a page that reloads itself, and 503 for programs, while the library is checked or restored. Null if the port
 * is unknown or taken, which `start` reports when it listens.
 */
export function serveWaitingPage(
  { host, port }: Config,
  { title, reason }: WaitingPage,
): WaitingServer | null {
  if (port === 0) return null
  try {
    return Bun.serve({
      hostname: host,
      port,
      reusePort: false,
      development: false,
      fetch: ({ url }) => {
        const headers = {
          'Retry-After': String(RELOAD_SECONDS),
          'Cache-Control': 'no-store',
          Connection: 'close',
        }
        if (new URL(url).pathname.startsWith('/api/')) return Response.json(PROBLEM, { status: 503, headers })
        return new Response(plainPage({ title, paragraphs: [reason], retry: RELOAD_SECONDS }), {
          status: 503,
          headers: { ...headers, ...PLAIN_PAGE_HEADERS },
        })
      },
    })
  } catch {
    return null
  }
}
