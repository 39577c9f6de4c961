import { html } from '@elysiajs/html'
import { openapi, toOpenAPISchema } from '@elysiajs/openapi'
import { Elysia } from 'elysia'
import { adventuresApi } from './api/adventures.ts'
import { bookmarksApi } from './api/bookmarks.ts'
import { filesApi } from './api/files.ts'
import { healthApi } from './api/health.ts'
import { importApi } from './api/import.ts'
import { memoriesApi } from './api/memories.ts'
import { practiceApi } from './api/practice.ts'
import { preferencesApi } from './api/preferences.ts'
import { refreshApi } from './api/refresh.ts'
import { scenariosApi } from './api/scenarios.ts'
import { searchApi } from './api/search.ts'
import { settingsApi } from './api/settings.ts'
import { storyCardsApi } from './api/story-cards.ts'
import { turnsApi } from './api/turns.ts'
import { unknownApi } from './api/unknown.ts'
import type { Deps } from './app/deps.ts'
import { assets } from './http/assets.ts'
import { errors } from './http/errors.ts'
import { type Access, guard } from './http/guard.ts'
import { docsPage } from './views/api-docs.tsx'
import { forms } from './views/forms.tsx'
import { pageErrors } from './views/page-errors.ts'
import { pages } from './views/pages.tsx'

const ABOUT = {
  title: 'Inglenook',
  version: '1',
  description: 'Interactive stories told by your own machine.',
}

/** The whole service but its port: who is let in, what goes wrong, the two faces, and what is not there. */
export async function createServer(deps: Deps, access: Access) {
  // Names of three letters and less are names too.
  const app = new Elysia({ handler: { standardHostname: false } })
    .use(guard(access))
    .use(errors)
    .use(pageErrors)
    // Whatever was written may be due for the copy of the day, an edit of a scenario too.
    .onAfterResponse({ as: 'global' }, ({ request }) => {
      if (request.method !== 'GET') deps.idle.wake()
    })
    .use(
      openapi({
        provider: null,
        specPath: '/api/openapi.json',
        documentation: { info: ABOUT },
        exclude: { paths: [/^\/(?!api\/)/] },
      }),
    )
    .use(html({ autoDetect: false, contentType: 'text/html; charset=utf-8' }))
    .use(await assets())
    .use(healthApi(deps))
    .use(settingsApi(deps))
    .use(preferencesApi(deps))
    .use(scenariosApi(deps))
    .use(storyCardsApi(deps))
    .use(adventuresApi(deps))
    .use(bookmarksApi(deps))
    .use(filesApi(deps))
    .use(refreshApi(deps))
    .use(memoriesApi(deps))
    .use(turnsApi(deps))
    .use(searchApi(deps))
    .use(practiceApi())
    .use(importApi(deps))
  app.use(docsPage(() => toOpenAPISchema(app)))
  app.use(unknownApi(() => app.routes))
  return app.use(forms(deps, async (request) => app.handle(request))).use(pages(deps))
}
