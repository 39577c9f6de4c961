import { Elysia } from 'elysia'

/** Seconds after which a connection is closed on which nothing is sent. */
export const IDLE_TIMEOUT = 60

interface Served {
  request: Request
  server: Bun.Server<unknown> | null
}

/**
 * Lifts the idle timeout between the arrival of a request and its response, however long a model takes to answer. A client that
 * is slow to send its body, or to read the response, keeps it.
 */
export const idleTimeout = new Elysia({ name: 'idle timeout' })
  .onTransform({ as: 'global' }, ({ request, server }) => {
    if (hasArrived(request)) server?.timeout(request, 0)
  })
  .mapResponse({ as: 'global' }, (served: Served) => restore(served))
  .onError({ as: 'global' }, (served) => restore(served))

function hasArrived({ headers, bodyUsed }: Request): boolean {
  return bodyUsed || (Number(headers.get('content-length') ?? 0) === 0 && !headers.has('transfer-encoding'))
}

function restore({ request, server }: Served): void {
  server?.timeout(request, IDLE_TIMEOUT)
}
