import { Elysia } from 'elysia'
import type { App } from '../app/app.ts'
import { storyErrorFrom } from '../http/errors.ts'
import { isApi } from '../http/guard.ts'
import { branchRoutes } from './branches/routes.tsx'
import { cardRoutes } from './cards/routes.tsx'
import { deviceRoutes } from './devices/routes.tsx'
import { engineRoutes } from './engine/routes.tsx'
import { importRoutes } from './import/routes.tsx'
import { insightsRoutes } from './insights/routes.tsx'
import { libraryRoutes } from './library/routes.tsx'
import { panelRoutes } from './panels/routes.tsx'
import { playRoutes } from './play/routes.tsx'
import { readingRoutes } from './reading/routes.tsx'
import { refreshRoutes } from './refresh/routes.tsx'
import { refusalResponse } from './respond.tsx'
import { scenarioRoutes } from './scenario/routes.tsx'
import { schemaRoutes } from './scenario/schema-routes.tsx'
import { searchRoutes } from './search/routes.tsx'
import { settingsRoutes } from './settings/routes.tsx'
import { storageRoutes } from './storage/routes.tsx'
import { unknownPages } from './unknown.tsx'

/** `api` answers a request to the JSON interface. */
export const webRoutes = (app: App, api: (request: Request) => Promise<Response>) => {
  const web = new Elysia({ name: 'web' })
    .use(libraryRoutes(app))
    .use(scenarioRoutes(app))
    .use(schemaRoutes(app))
    .use(cardRoutes(app))
    .use(playRoutes(app))
    .use(branchRoutes(app))
    .use(panelRoutes(app))
    .use(insightsRoutes(app))
    .use(refreshRoutes(app, api))
    .use(readingRoutes(app))
    .use(searchRoutes(app))
    .use(settingsRoutes(app))
    .use(deviceRoutes(app))
    .use(engineRoutes(app))
    .use(importRoutes(app))
    .use(storageRoutes(app))
  return web.use(unknownPages(() => web.routes))
}

/** Registered before the routes. */
export const pageErrors = new Elysia({ name: 'page-errors' }).onError(
  { as: 'global' },
  ({ code, error, request }) => {
    if (isApi(request)) return
    return refusalResponse(request, storyErrorFrom(code, error, `${request.method} of a page`))
  },
)
