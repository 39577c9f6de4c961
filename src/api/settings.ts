import { Type } from '@sinclair/typebox'
import type { Deps } from '../app/deps.ts'
import { changeSettings, findServers, listModels, testEndpoint } from '../app/settings.ts'
import { whereabouts } from '../app/whereabouts.ts'
import { getSettings } from '../db/tables/settings.ts'
import { settingsFields, settingsView } from '../domain/settings.ts'
import { jsonRoutes, sent } from '../http/body.ts'
import { settingsOut, tested } from './shapes.ts'

/** Settings: how and where stories are told. */
export const settingsApi = (deps: Deps) =>
  jsonRoutes('/api/settings', 'Settings')
    .get('', () => settingsView(getSettings(deps.library.reader)), {
      response: settingsOut(),
      detail: { summary: 'Read the settings' },
    })
    .put('', ({ body }) => changeSettings(deps, body), {
      ...sent(
        Type.Partial(settingsFields(), { examples: [{ temperature: 0.9, read_timeout_seconds: 600 }] }),
      ),
      response: settingsOut(),
      detail: { summary: 'Change the given settings, all or none' },
    })
    .get('/models', async () => ({ models: await listModels(deps) }), {
      response: Type.Object({
        models: Type.Array(
          Type.Object({ id: Type.String(), context_length: Type.Union([Type.Integer(), Type.Null()]) }),
        ),
      }),
      detail: { summary: 'The models that the endpoint offers' },
    })
    .post('/detect', async ({ request }) => ({ servers: await findServers(deps, request.signal) }), {
      response: Type.Object({
        servers: Type.Array(
          Type.Object({
            url: Type.String(),
            server: Type.String(),
            name: Type.String(),
            evidence: Type.Array(Type.String()),
            models: Type.Array(Type.String()),
            advice: Type.String(),
          }),
        ),
      }),
      detail: { summary: 'Find model servers on this machine' },
    })
    .get('/whereabouts', () => whereabouts(deps), {
      detail: { summary: 'Where stories go, and every request since the start' },
    })
    .post('/test', ({ body }) => testEndpoint(deps, body), {
      ...sent(
        Type.Partial(Type.Pick(settingsFields(), ['endpoint_url', 'model']), {
          examples: [{ endpoint_url: '' }],
        }),
      ),
      response: tested(),
      detail: { summary: 'Try the endpoint, saved or not' },
    })
