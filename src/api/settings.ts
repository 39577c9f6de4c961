import { Type } from '@sinclair/typebox'
import type { App } from '../app/app.ts'
import { ConnectionTest } from '../app/model/settings.ts'
import { EmbeddingTest } from '../app/model/test-embeddings.ts'
import { getReaderPreferences } from '../db/tables/preferences.ts'
import { getSavedSettings } from '../db/tables/settings.ts'
import { FoundServer, ModelInfo } from '../domain/model/model-server.ts'
import { PrivacyReport } from '../domain/model/privacy-report.ts'
import { readerPreferenceFields } from '../domain/reader-preferences.ts'
import {
  currentSecondCall,
  OLDER_SECOND_CALLS,
  SettingsView,
  settingsFields,
  settingsView,
} from '../domain/settings.ts'
import { jsonBody, jsonRoutes } from '../http/body.ts'
import { oneOf } from '../lib/typebox.ts'
import { ERRORS, ok } from './responses.ts'

const SavedSettings = Type.Composite([
  SettingsView,
  Type.Object({
    advice: Type.Optional(
      Type.String({ description: 'How an address was corrected, or what its server still needs' }),
    ),
  }),
])

// A client may send back the response of this route, read-only fields included.
const changes = () =>
  Type.Partial(
    Type.Object({
      ...settingsFields().properties,
      second_call: {
        ...oneOf(['on', 'never', ...OLDER_SECOND_CALLS]),
        description: 'Whether the stat changes of each passage are asked for; off, needed and always mean on',
      },
      practice: Type.Boolean({ description: 'Ignored: it follows from endpoint_url and model_file' }),
      advice: Type.String({ description: 'Ignored' }),
    }),
    { examples: [{ temperature: 0.9, read_timeout_seconds: 600 }] },
  )

const endpoint = () =>
  Type.Partial(Type.Pick(settingsFields(), ['endpoint_url', 'model']), { examples: [{ endpoint_url: '' }] })

const embeddings = () =>
  Type.Partial(Type.Pick(settingsFields(), ['embedding_endpoint_url', 'embedding_model']), {
    examples: [{ embedding_endpoint_url: '' }],
  })

const Models = Type.Object({ models: Type.Array(ModelInfo) })

const Servers = Type.Object({ servers: Type.Array(FoundServer) })

export const settingsApi = (app: App) =>
  jsonRoutes('/api/settings', 'Settings')
    .get('', () => settingsView(getSavedSettings(app.reader)), {
      response: ok(SettingsView),
      detail: { summary: 'Get the settings' },
    })
    .put(
      '',
      async ({ body: { practice: _, advice: __, second_call, ...given } }) => {
        const { settings, advice } = await app.changeSettings({
          ...given,
          ...(second_call && { second_call: currentSecondCall(second_call) }),
        })
        return { ...settings, ...(advice.length === 0 ? {} : { advice: advice.join(' ') }) }
      },
      {
        ...jsonBody(changes()),
        response: ok(SavedSettings, 'endpoint_refused', ...ERRORS.body, ...ERRORS.save),
        detail: {
          summary: 'Change some settings, all or none',
          description:
            'Addresses are corrected where their servers answer, and where an address or the model is named, the server is looked at, for at most 2 seconds.',
        },
      },
    )
    .get('/models', async () => ({ models: await app.listModels() }), {
      response: ok(Models, 'endpoint_refused', 'endpoint_unreachable', 'endpoint_slow'),
      detail: { summary: 'List the models that the endpoint offers' },
    })
    .post('/detect', async ({ request }) => ({ servers: await app.findServers(request.signal) }), {
      response: ok(Servers),
      detail: { summary: 'Find model servers on this machine' },
    })
    .get('/privacy', () => app.privacyReportOf(), {
      response: ok(PrivacyReport),
      detail: { summary: 'Privacy: where story data goes, and every request since the start' },
    })
    .post('/test', ({ body }) => app.testEndpoint(body), {
      ...jsonBody(endpoint()),
      response: ok(ConnectionTest, ...ERRORS.body),
      detail: { summary: 'Test the connection to an endpoint, saved or not' },
    })
    .post('/test/embeddings', ({ body }) => app.testEmbeddings(body), {
      ...jsonBody(embeddings()),
      response: ok(EmbeddingTest, ...ERRORS.body),
      detail: { summary: 'Test an embedding model, saved or not' },
    })

export const preferencesApi = (app: App) =>
  jsonRoutes('/api/preferences', 'Preferences')
    .get('', () => getReaderPreferences(app.reader), {
      response: ok(readerPreferenceFields()),
      detail: { summary: 'Get the reader preferences' },
    })
    .put('', ({ body }) => app.changeReaderPreferences(body), {
      ...jsonBody(Type.Partial(readerPreferenceFields(), { examples: [{ theme: 'sepia', size: 120 }] })),
      response: ok(readerPreferenceFields(), ...ERRORS.body, ...ERRORS.save),
      detail: { summary: 'Change some preferences, all or none' },
    })
