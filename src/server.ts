import { html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { openApiDocument } from './api/openapi-document.ts'
import { apiRoutes } from './api/routes.ts'
import { unknownApi } from './api/unknown.ts'
import type { App } from './app/app.ts'
import { assets } from './http/assets.ts'
import { forReader } from './http/current-reader.ts'
import { errors } from './http/errors.ts'
import { type Access, guard } from './http/guard.ts'
import { machineOnly } from './http/visitor.ts'
import { idleTimeout } from './serve-options.ts'
import { apiDocs } from './views/api-docs.tsx'
import { pageErrors, webRoutes } from './views/routes.ts'

/** The whole service except its port. */
export async function createServer(app: App, access: Access) {
  // By default Elysia assumes that host names have at least four characters.
  const server = new Elysia({ handler: { standardHostname: false } })
    .wrap(forReader(() => app.libraryProblem()))
    .use(guard(access))
    .use(idleTimeout)
    .use(errors)
    .use(pageErrors)
    .use(machineOnly)
    // Every change may make the daily copy due.
    .onAfterResponse({ as: 'global' }, ({ request }) => {
      if (request.method !== 'GET') app.idle.wake()
    })
    .use(html({ autoDetect: false, contentType: 'text/html; charset=utf-8' }))
    .use(await assets())
    .use(apiRoutes(app))
  server.use(apiDocs(() => openApiDocument(server)))
  server.use(unknownApi(() => server.routes))
  return server.use(webRoutes(app, async (request) => server.handle(request)))
}
