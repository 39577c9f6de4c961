import { html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { actionsApi } from './api/adventure/actions.ts'
import { adventuresApi } from './api/adventure/adventures.ts'
import { bookmarksApi } from './api/adventure/bookmarks.ts'
import { branchesApi } from './api/adventure/branches.ts'
import { cardProposalsApi } from './api/adventure/card-proposals.ts'
import { memoriesApi } from './api/adventure/memories.ts'
import { promptsApi, recallApi } from './api/adventure/prompts.ts'
import { refreshApi } from './api/adventure/refresh.ts'
import { turnsApi } from './api/adventure/turns.ts'
import { worldStateApi } from './api/adventure/world-state.ts'
import { devicesApi } from './api/devices.ts'
import { engineApi } from './api/engine.ts'
import { filesApi } from './api/files.ts'
import { healthApi } from './api/health.ts'
import { importApi } from './api/import.ts'
import { openApiDocument } from './api/openapi-document.ts'
import { practiceApi } from './api/practice.ts'
import { scenariosApi } from './api/scenarios.ts'
import { searchApi } from './api/search.ts'
import { preferencesApi, settingsApi } from './api/settings.ts'
import { storyCardsApi } from './api/story-cards.ts'
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
    .use(healthApi(app))
    .use(settingsApi(app))
    .use(devicesApi(app))
    .use(preferencesApi(app))
    .use(scenariosApi(app))
    .use(storyCardsApi(app))
    .use(adventuresApi(app))
    .use(actionsApi(app))
    .use(worldStateApi(app))
    .use(promptsApi(app))
    .use(bookmarksApi(app))
    .use(branchesApi(app))
    .use(filesApi(app))
    .use(refreshApi(app))
    .use(memoriesApi(app))
    .use(cardProposalsApi(app))
    .use(recallApi(app))
    .use(turnsApi(app))
    .use(searchApi(app))
    .use(practiceApi(app))
    .use(engineApi(app))
    .use(importApi(app))
  server.use(apiDocs(() => openApiDocument(server)))
  server.use(unknownApi(() => server.routes))
  return server.use(webRoutes(app, async (request) => server.handle(request)))
}
