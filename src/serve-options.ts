import { Elysia } from 'elysia'

/** Seconds before a silent connection is closed. */
const IDLE_TIMEOUT = 60

/**
 * Suspends the idle timeout between the arrival of a request and its response, however long a model takes. Clients
 * that are slow to send or read keep it. A hook that takes the whole context would make Elysia parse every body.
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

/** Bun options of every listener. */
export function serveOptions(hostname: string, port: number, idleTimeout = IDLE_TIMEOUT) {
  return {
    hostname,
    port,
    // Otherwise two copies of the service would share the port and answer in turns.
    reusePort: false,
    idleTimeout,
    // The guard refuses long bodies with a message, and never reads them.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // Otherwise an uncaught error would be answered with source code and paths of this machine.
    development: false,
  }
}
