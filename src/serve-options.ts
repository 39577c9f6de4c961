import { Elysia } from 'elysia'

/** Seconds after which a connection is closed on which nothing is sent. */
const IDLE_TIMEOUT = 60

/**
 * Lifts the idle timeout between the arrival of a request and its response, however long a model takes to answer. A client that
 * is slow to send its body, or to read the response, keeps it. For a hook that takes the whole context, Elysia would parse the
 * body of every route.
 */
export const idleTimeout = new Elysia({ name: 'idle timeout' })
  .onTransform({ as: 'global' }, ({ request, server }) => {
    if (hasArrived(request)) server?.timeout(request, 0)
  })
  .mapResponse({ as: 'global' }, ({ request, server }) => restore(request, server))
  .onError({ as: 'global' }, ({ request, server }) => restore(request, server))

function hasArrived({ headers, bodyUsed }: Request): boolean {
  return bodyUsed || (Number(headers.get('content-length') ?? 0) === 0 && !headers.has('transfer-encoding'))
}

function restore(request: Request, server: Bun.Server<unknown> | null): void {
  server?.timeout(request, IDLE_TIMEOUT)
}

/** Settings of Bun's server for everything that we answer. */
export function serveOptions(hostname: string, port: number, idleTimeout = IDLE_TIMEOUT) {
  return {
    hostname,
    port,
    // Otherwise two copies of the service would share the port and answer in turns.
    reusePort: false,
    idleTimeout,
    // The guard refuses bodies that are too long, with a message, and never reads them.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // Otherwise an uncaught error would be answered with a page of source code and paths of this machine.
    development: false,
  }
}
