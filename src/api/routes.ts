import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { App } from '../app/app.ts'
import { jsonRoutes } from '../http/body.ts'
import { actionsApi } from './adventure/actions.ts'
import { adventuresApi } from './adventure/adventures.ts'
import { bookmarksApi } from './adventure/bookmarks.ts'
import { branchesApi } from './adventure/branches.ts'
import { memoriesApi } from './adventure/memories.ts'
import { promptsApi, recallApi } from './adventure/prompts.ts'
import { refreshApi } from './adventure/refresh.ts'
import { turnsApi } from './adventure/turns.ts'
import { worldStateApi } from './adventure/world-state.ts'
import { devicesApi } from './devices.ts'
import { engineApi } from './engine.ts'
import { filesApi } from './files.ts'
import { importApi } from './import.ts'
import { practiceApi } from './practice.ts'
import { ok } from './responses.ts'
import { scenariosApi } from './scenarios.ts'
import { searchApi } from './search.ts'
import { preferencesApi, settingsApi } from './settings.ts'
import { cardProposalsApi, storyCardsApi } from './story-cards.ts'

export const apiRoutes = (app: App) =>
  new Elysia({ name: 'api' })
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

const Health = Type.Object({
  ok: Type.Boolean(),
  turns: Type.Object({
    accepted: Type.Integer(),
    failed: Type.Record(Type.String(), Type.Integer(), { description: 'By error code' }),
  }),
})

const healthApi = (app: App) =>
  jsonRoutes('/api/health', 'Health').get('', () => ({ ok: true, turns: app.turnCounts.read() }), {
    response: ok(Health),
    detail: { summary: 'Health check' },
  })
